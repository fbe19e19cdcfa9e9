export { type CheckResult, evaluateCheck, type Observed, type ObservedFile, urlMatches } from "./checks.ts";
export { type Bindings, fillText, findOption, findTarget, inputsIn, type Sight } from "./find-target.ts";
export { type Follower, fillKnown, follow } from "./follow.ts";
export { advance, type Guidance, isDue, look, type Place, startPlace } from "./place.ts";
export { matchesPath, matchesWildcard } from "./wildcard.ts";
