import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Rolldown } from "vite";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * The app in `folder` as electron-vite would leave it, with a page and an agent of the tests. Main is CommonJS here,
 * for an Electron older than 28; nothing else differs from what ships.
 */
export async function buildApp(folder: string): Promise<void> {
  await mkdir(join(folder, "out/renderer"), { recursive: true });
  await writeFile(join(folder, "package.json"), '{"name": "knack-test", "version": "0.0.0", "type": "module", "main": "out/main/index.cjs"}');
  await writeFile(
    join(folder, "out/renderer/index.html"),
    '<!doctype html><meta charset="utf-8"><title>Knack</title><script type="module" src="./page.js"></script>',
  );
  await bundle("src-main/shells/electron/main.ts", join(folder, "out/main"), { format: "cjs", entryFileNames: "index.cjs" });
  await bundle("src-preload/index.ts", join(folder, "out/preload"), { format: "cjs", entryFileNames: "index.cjs" });
  await bundle("test/shell/electron/fake-host.ts", join(folder, "out/main"), { format: "es", entryFileNames: "agent-host.js" });
  await bundle("test/shell/electron/fake-page.ts", join(folder, "out/renderer"), { format: "es", entryFileNames: "page.js" }, { isPage: true });
}

async function bundle(entry: string, outDir: string, output: Rolldown.OutputOptions, { isPage = false } = {}): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: false,
      minify: false,
      target: isPage ? "chrome108" : "node16",
      ssr: !isPage,
      modulePreload: false,
      rollupOptions: { input: join(root, entry), output, external: ["electron"] },
    },
    ssr: { noExternal: true },
  });
}
