export { cacheFolder, dataFolder } from "./data-folder.ts";
export { openWorkspace } from "./open-workspace.ts";
