import { grant, never, openStage } from "../browser/stage.ts";

// A host that starts a browser and is killed without a chance to tidy up.
const stage = await openStage({ "app.knack.test": {} });
await stage.launch({ destinations: [grant("app.knack.test")] });
await new Promise<void>((resolve) => process.stdout.write(`port ${stage.egress().port}\n`, () => resolve()));
await stage.egress().decisions;
process.kill(process.pid, "SIGKILL");
await new Promise(() => never);
