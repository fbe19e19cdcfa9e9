import { spawn } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";

/** What the page is made of; a change in any of it makes a built page old. */
const SOURCES = ["src-renderer/**/*.{ts,tsx,css,html}", "src-main/{contract,base}/**/*.ts"];

/** The folder of the built page; builds it first, and says so, when it is missing or older than its sources. Throws when the build fails. */
export async function builtPage(root: string, say: (line: string) => void): Promise<string> {
  const folder = join(root, "out/renderer");
  const index = join(folder, "index.html");
  const isBuilt = existsSync(index);
  if (isBuilt && !isOlder(index, root)) return folder;
  say(isBuilt ? "The page has changed since it was built; building it again …" : "The page is not built yet; building it …");
  await build(root);
  return folder;
}

function isOlder(index: string, root: string): boolean {
  const builtAt = statSync(index).mtimeMs;
  return globSync(SOURCES, { cwd: root }).some((file) => statSync(join(root, file)).mtimeMs > builtAt);
}

function build(root: string): Promise<void> {
  const vite = [join(root, "node_modules/vite/bin/vite.js"), "build", join(root, "src-renderer")];
  const child = spawn(process.execPath, [...vite, "--outDir", join(root, "out/renderer"), "--emptyOutDir", "--logLevel", "warn"], {
    cwd: root,
    // Whatever this process is run for, the page is built for people.
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`The page could not be built (vite ended with ${code}).\n${output.trim()}`))));
  });
}
