import { ensureDependencies } from "./ensure-dependencies.mjs";
import { run } from "./run.mjs";

/** Everything Knack needs to work with a real model in a real browser; what cannot be had is said in a line. Returns the path of Node 24. */
export async function ensureAll() {
  const node = await ensureDependencies();
  await run(node, ["setup/ensure-machine.ts"], { stdin: "ignore" });
  return node;
}
