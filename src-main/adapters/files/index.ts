export { openBlockFileSink } from "./block-file.ts";
export { openWorkspace } from "./open-workspace.ts";
export { privateFolder } from "./private-folder.ts";
export { openSkillFileSink } from "./skill-files/open-skill-files.ts";
