export { openBlockFile } from "./block-file.ts";
export { openWorkspace } from "./open-workspace.ts";
export { privateFolder } from "./private-folder.ts";
export { openSkillFiles } from "./skill-files/open-skill-files.ts";
