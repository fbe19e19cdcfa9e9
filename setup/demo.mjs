// npm run demo: one routine, from failing alone to running without the model, told in the terminal.
import { runOnOwnSites } from "./run-on-own-sites.mjs";

process.exitCode = await runOnOwnSites(["demo", ...process.argv.slice(2)]);
