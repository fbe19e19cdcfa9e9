// Run under Node 24 by ensure-all.mjs: the browser and the models, in the places where Knack itself looks for them.
import { ensureBrowser } from "./ensure-browser.ts";
import { ensureModels } from "./ensure-models.ts";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort(new Error("stopped")));

try {
  await ensureBrowser();
  await ensureModels(stop.signal);
} catch (error) {
  if (!stop.signal.aborted) throw error;
  process.exitCode = 130;
}
