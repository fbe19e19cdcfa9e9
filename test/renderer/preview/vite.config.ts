import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page with a scripted host, to look at: `npx vite test/renderer/preview`, then /?state=empty&theme=dark#/skills. */
export default defineConfig({ plugins: [react()], server: { fs: { allow: [fileURLToPath(new URL("../../..", import.meta.url))] } } });
