export type { Absent } from "./absent.ts";
export { type Bindings, fillKnown, fillText } from "./bindings.ts";
export { type CheckResult, evaluateCheck, type Observed, type ObservedFile, urlMatches } from "./checks.ts";
export { deepestNesting, type Expanded, type ExpandWorld, expandSkill, type PinnedSkill, type StepOrigin } from "./expand.ts";
export { findOption } from "./find-option.ts";
export { findTarget, type Sight } from "./find-target.ts";
export { type Follower, follow, type StepCheck } from "./follow.ts";
export { advance, type Guidance, isDue, look, type Place, startPlace } from "./place.ts";
