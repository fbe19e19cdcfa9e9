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

/** What the stand-in's Node 16 lacks of the web's globals, and an end instead of a dialog when something is wrong. */
const oldNode =
  'Object.assign(globalThis, require("node:stream/web"), { Blob: require("node:buffer").Blob, File: class {}, FormData: class {}, Response: class {} }); for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, (error) => { console.error(error); process.exit(1); });';

/** An app in `folder` whose main does nothing but start the host as a utility process and speak to it. */
export async function buildUtilityApp(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await bundle("test/shell/electron/utility-main.ts", join(folder, "out/main"), { format: "cjs", entryFileNames: "index.cjs", banner: oldNode });
  await bundle("test/shell/electron/fake-host.ts", join(folder, "out/main"), { format: "cjs", entryFileNames: "utility-host.cjs", banner: oldNode });
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
