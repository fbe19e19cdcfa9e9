import { join } from "node:path";
import { grant, never } from "../browser/stage.ts";
import { openNetStage } from "./net-stage.ts";

// A host that starts a browser in a folder of its own and is killed without a chance to tidy up.
const stage = await openNetStage({ "app.test": {} });
await stage.launch({ destinations: [grant("app.test")] }, { tempFolder: join(process.argv[2] ?? "", String(process.pid)) });
await new Promise<void>((resolve) => process.stdout.write(JSON.stringify({ port: stage.egress().port, pid: process.pid }), () => resolve()));
process.kill(process.pid, "SIGKILL");
await new Promise(() => never);
