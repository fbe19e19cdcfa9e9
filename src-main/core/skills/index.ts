export { asksForAnswer } from "./asks-for-answer.ts";
export { isAuthored, requireAuthor, requireAuthoredSource } from "./author.ts";
export { callTarget } from "./call-target.ts";
export { checkText, isStructured } from "./check-text.ts";
export { deepFreeze } from "./deep-freeze.ts";
export { diffBodies } from "./diff.ts";
export { type Drift, detectDrift, findingText } from "./drift.ts";
export { emptied, emptiedSummary, requireWhole, withoutGoals } from "./emptied.ts";
export { emptyContent } from "./empty-content.ts";
export { withoutCount } from "./file-count.ts";
export { revisionToGoBackTo } from "./go-back.ts";
export { inputRenderer, missingInputs, type RenderValue } from "./input-text.ts";
export { type Invocation, invocationOf, skillInvocation, toolInvocation } from "./invocation.ts";
export { isFixedLandmark } from "./landmarks.ts";
export {
  countingRuns,
  isOpenToLearning,
  learningWord,
  modeWord,
  outdatedBefore,
  pinnedWord,
  readStatusWord,
  statusWord,
  switchedOnAt,
} from "./ledger-words.ts";
export { actionTowards, changeStatus, isUsable, type StatusAction, type StatusActor, statusTable } from "./lifecycle.ts";
export { freeSkillName, isSkillName, makeSkillName, maxNameLength, nameTaken, parseSkillName, requireFreeName } from "./names.ts";
export { newSkill } from "./new-skill.ts";
export { holdsLetter, indexOn, isBackward, isIndexLetter, isPageNumber, isPager, pagersOn } from "./pagers.ts";
export { isChoiceRole, isMarkRole } from "./pick-roles.ts";
export {
  asPattern,
  fill,
  fillDeep,
  findPlaceholders,
  mapTexts,
  type Placeholder,
  placeholderNames,
  type RenderInput,
  textsIn,
  withoutForms,
} from "./placeholders.ts";
export {
  maxPreconditionLength,
  maxPreconditions,
  normalisePrecondition,
  type PreconditionProblem,
  preconditionEntries,
  type StoredPrecondition,
} from "./precondition.ts";
export { evaluateStatePredicate, type PredicateOutcome, skillApplies, statePredicatesIn } from "./predicate.ts";
export { type Freshness, type PreflightRule, parsePreflight, preflightRules } from "./preflight.ts";
export { readBody } from "./read-body.ts";
export { hostsIn, recallText } from "./recall-text.ts";
export { advisoryLimit, type GuidanceParts, preflightLines, renderAdvisory, shortenAtStep, stepText } from "./render-advisory.ts";
export { preconditionText, renderBody } from "./render-body.ts";
export { cleanContent, contentHash, fullyMechanical, makeRevision, onlyContent, type RevisionOrigin } from "./revision.ts";
export {
  type Diagnose,
  type Diagnostic,
  emitSkillFile,
  folderOf,
  longestSkillFile,
  normaliseText,
  type ParsedSkill,
  type ParsedSkillFile,
  parseSkillFile,
  readFrontMatter,
  refusalOf,
  type SkillDocument,
  splitFrontMatter,
  textOf,
  validateSkillFile,
} from "./skill-file/index.ts";
export { type Facts, freezeState, isMapping, State } from "./state.ts";
export { taskText } from "./task-text.ts";
export { caveatText, judgedRuns, mayAssist, mayBeOffered, trustOf, trustOfRecord } from "./trust.ts";
export { type Undo, undoOf } from "./undo.ts";
