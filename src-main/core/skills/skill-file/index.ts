export type { Diagnose, Diagnostic } from "./diagnostic.ts";
export { emitSkillFile, type SkillDocument } from "./emit.ts";
export { folderOf } from "./folder-of.ts";
export { type FrontMatter, readFrontMatter, splitFrontMatter } from "./front-matter.ts";
export { longestSkillFile, normaliseText, type ParsedSkill, type ParsedSkillFile, parseSkillFile, refusalOf, textOf } from "./parse.ts";
export { validateSkillFile } from "./validate.ts";
