import { fileURLToPath } from "node:url";
import { defineConfig } from "electron-vite";
import type { Plugin } from "vite";
import page from "./src-renderer/vite.config.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The development server needs inline scripts and its own socket; what is built keeps the page's policy. */
const withoutPolicyWhileDeveloping: Plugin = {
  name: "without-policy-while-developing",
  apply: "serve",
  transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/u, ""),
};

export default defineConfig({
  main: {
    build: {
      outDir: at("out/main"),
      rollupOptions: {
        input: { index: at("src-main/shells/electron/main.ts"), "agent-host": at("src-main/shells/electron/agent-host.ts") },
        output: { format: "es", entryFileNames: "[name].js" },
      },
    },
  },
  preload: {
    build: {
      outDir: at("out/preload"),
      // A sandboxed preload may require nothing of ours and must be one CommonJS file.
      externalizeDeps: false,
      rollupOptions: { input: { index: at("src-preload/index.ts") }, output: { format: "cjs", entryFileNames: "[name].cjs" } },
    },
  },
  renderer: {
    ...page,
    root: at("src-renderer"),
    plugins: [...(page.plugins ?? []), withoutPolicyWhileDeveloping],
    build: { ...page.build, outDir: at("out/renderer"), rollupOptions: { input: { index: at("src-renderer/index.html") } } },
  },
});
