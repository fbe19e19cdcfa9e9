export type { Diagnostic } from "./diagnostic.ts";
export { emitSkillFile, type SkillDocument } from "./emit.ts";
export { longestSkillFile, type ParsedSkill, type ParsedSkillFile, parseSkillFile } from "./parse.ts";
