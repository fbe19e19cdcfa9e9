import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

let version: Promise<string> | undefined;

/** Of node-llama-cpp as it is installed; "unknown" where its package file is not beside it, which then keeps states of such builds to themselves. */
export function libraryVersion(): Promise<string> {
  version ??= read();
  return version;
}

async function read(): Promise<string> {
  try {
    const file = fileURLToPath(new URL("../package.json", import.meta.resolve("node-llama-cpp")));
    return String((JSON.parse(await readFile(file, "utf8")) as { version?: unknown }).version ?? "unknown");
  } catch {
    return "unknown";
  }
}
