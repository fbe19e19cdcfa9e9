import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page alone. The target is the oldest Chromium a shell may bring: that of the Electron the tests stand in with. */
export default defineConfig({
  plugins: [react()],
  base: "./",
  build: { target: "chrome108", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
