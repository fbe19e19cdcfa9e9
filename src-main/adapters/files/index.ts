export { openWorkspace } from "./open-workspace.ts";
export { privateFolder } from "./private-folder.ts";
