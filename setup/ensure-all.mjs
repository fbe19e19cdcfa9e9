import { ensureBrowser } from "./ensure-browser.mjs";
import { ensureDependencies } from "./ensure-dependencies.mjs";
import { ensureModels } from "./ensure-models.mjs";

/** Everything Knack needs to work with a real model in a real browser. What cannot be had was said in a line; the path of Node 24 is always there. */
export async function ensureAll() {
  const node = await ensureDependencies();
  const browser = await ensureBrowser(node);
  const hasModels = await ensureModels(node);
  return { node, browser, hasModels };
}
