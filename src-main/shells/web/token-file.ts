import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Keeps the opened URL for this start, for a browser or script of the same user; the file is gone with the shell. */
export async function writeTokenFile(dataFolder: string, url: string): Promise<AsyncDisposable> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const file = join(dataFolder, "web-shell.url");
  // Made anew: writing into a file that is there would keep the rights it has.
  await rm(file, { force: true });
  await writeFile(file, `${url}\n`, { mode: 0o600, flag: "wx" });
  await chmod(file, 0o600);
  return {
    async [Symbol.asyncDispose]() {
      // Another shell over the same data may have put its own address here meanwhile.
      const there = await readFile(file, "utf8").catch(() => "");
      if (there.trim() === url) await rm(file, { force: true });
    },
  };
}
