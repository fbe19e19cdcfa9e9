export { type Binding, bindInputs, canonicalValue } from "./bind-inputs.ts";
export { calibrate, type LabelledGoals } from "./calibrate.ts";
export { indexSkill, indexUnknown, textsOf } from "./index-skill.ts";
export { type Asked, countAnswer, keepAnswer, keepCounter, keepPhrasing, namesOnlyValue } from "./keep-answer.ts";
export { type Match, matchSkill } from "./match.ts";
export type { MatchWorld } from "./match-world.ts";
export { whyOpposed } from "./opposites.ts";
export { similarity } from "./similarity.ts";
export { certaintyOf, type Thresholds, thresholdsFor } from "./thresholds.ts";
