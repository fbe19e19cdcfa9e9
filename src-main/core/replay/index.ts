export { type CheckResult, evaluateCheck, type Observed, type ObservedFile, urlMatches } from "./checks.ts";
export { runStrict, type StepState, type StrictResult, type StrictRun, type TraceEntry } from "./strict.ts";
export { targetOf } from "./target.ts";
export { matchesPath, matchesWildcard } from "./wildcard.ts";
