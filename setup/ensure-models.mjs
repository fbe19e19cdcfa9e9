import { run } from "./run.mjs";

/** Fetches the default models that are not there yet. False, after a line saying why, when one could not be had. */
export async function ensureModels(node) {
  return (await run(node, ["setup/ensure-models.ts"], { stdin: "ignore" })) === 0;
}
