// Run under Node 24 by ensure-all.mjs: the browser and the models, in the places where Knack itself looks for them.
import { ensureBrowser } from "./ensure-browser.ts";

await ensureBrowser();
