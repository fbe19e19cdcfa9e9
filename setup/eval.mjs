// npm run eval -- routines|recall|replay|security [--json]
import { runOnOwnSites } from "./run-on-own-sites.mjs";

process.exitCode = await runOnOwnSites(["eval", ...process.argv.slice(2)]);
