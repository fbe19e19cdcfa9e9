import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const main = fileURLToPath(new URL("../../src-main/shells/web/main.ts", import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-web-main-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The shell as `npm start` runs it. */
function start(args: string[]) {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, KNACK_HOME: join(folder, "data"), KNACK_CACHE: join(folder, "cache") } });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.err += chunk.toString()));
  return { child, said, ended: new Promise<number | null>((resolve) => child.on("close", resolve)) };
}

test("the shell prints one address, serves the real page there, and leaves nothing running or lying about", async () => {
  const { child, said, ended } = start([]);
  await expect.poll(() => said.out, { timeout: 90_000 }).toMatch(/\n$/u);
  const url = said.out.match(/^Knack is at (http:\/\/127\.0\.0\.1:\d+\/\?token=\S+) .*\n$/u)?.[1] ?? "";
  expect((await readFile(join(folder, "data/web-shell.url"), "utf8")).trim()).toBe(url);

  const cookie = (await fetch(url)).headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = await fetch(new URL("/", url), { headers: { cookie } });
  expect(await page.text()).toContain("<title>Knack</title>");

  child.kill("SIGINT");
  expect(await ended).toBe(0);
  expect(await readdir(join(folder, "data"))).not.toContain("web-shell.url");
});

test.each([
  [["--port", "99999"], "expected a number from 0 to 65535"],
  [["--prot", "80"], "--prot"],
])("bad usage (%s) is exit 2 and one line that says what was wrong", async (args, line) => {
  const { said, ended } = start(args);
  expect(await ended).toBe(2);
  expect(said.err).toContain(line);
  expect(said.err.trim()).not.toMatch(/\n\s+at /u);
});
