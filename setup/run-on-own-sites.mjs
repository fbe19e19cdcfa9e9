import { ensureAll } from "./ensure-all.mjs";
import { run } from "./run.mjs";
import { allowNoSandboxForRoot } from "./sandbox.mjs";

/** Runs a command of the CLI that works on the repository's own sites, with everything it needs. Resolves with its exit code. */
export async function runOnOwnSites(args) {
  const node = await ensureAll();
  allowNoSandboxForRoot();
  return run(node, ["src-main/shells/cli/main.ts", ...args]);
}
