import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page alone; `preview/` is a second entry only when the dev server asks for it. */
export default defineConfig({
  plugins: [react()],
  base: "./",
  build: { target: "chrome130", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
