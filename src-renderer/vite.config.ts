import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Reads HTML without the browser's parser, which reports each style in a formula as one that the page's policy refuses. */
const ownParser = fileURLToPath(new URL("../node_modules/hast-util-from-html-isomorphic/lib/index.js", import.meta.url));

/** The page alone. The target is the oldest Chromium a shell may bring: that of the Electron the tests stand in with. */
export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "hast-util-from-html-isomorphic": ownParser } },
  base: "./",
  build: { target: "chrome108", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
