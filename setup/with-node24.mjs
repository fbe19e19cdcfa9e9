// Runs a TypeScript (or JavaScript) file under Node 24: node setup/with-node24.mjs <file> [arguments]
import { ensureDependencies } from "./ensure-dependencies.mjs";
import { run } from "./run.mjs";

const node = await ensureDependencies();
process.exitCode = await run(node, process.argv.slice(2));
