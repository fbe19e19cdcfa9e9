export { type Aligned, align } from "./align.ts";
export { type ClusterMember, cluster, digestOf } from "./cluster.ts";
export { actionOf, collect, type LearnableEpisode, learnable, maxSteps, minSteps } from "./collect.ts";
export { type DerivedAgain, deriveAgain } from "./derive-again.ts";
export { contentFrom, draftFromShowing, nameFromGoal } from "./draft.ts";
export { type DraftWorld, editDraft } from "./edit-draft.ts";
export { type Erased, type Tells, tellsAsWritten, tellsByValue, tellsByWord } from "./erased-words.ts";
export {
  type AnsweredField,
  answeredIn,
  askedFields,
  asksAboutUser,
  declinedIn,
  declinedOutright,
  type FactsFound,
  type FoundFact,
  factKeys,
  factLabel,
  factSlot,
  factsIn,
  factsNamed,
  factsSpokenOf,
  forgottenMark,
  groundedFact,
  isSmallTalk,
  longestFact,
  nearestFacts,
  profileFields,
  speaksOf,
  type Telling,
  tellingOf,
  whyNotKept,
  withoutSpans,
} from "./facts/index.ts";
export { type Generalised, generalise } from "./generalise.ts";
export { asShownLogin } from "./join-logins.ts";
export { joinShowings } from "./join-showings.ts";
export { type ControlledTask, liftOf, neededForLift } from "./lift.ts";
export { mend, type SeenAction } from "./mend.ts";
export { type Revised, reviseFromRun } from "./revise-from-run.ts";
export { type Candidate, type Decided, type PassOptions, type PassWorld, runPass } from "./run-pass.ts";
export { commonLength, commonPairs } from "./sequence.ts";
export { tidyShowing } from "./tidy-showing.ts";
export { unsafeIn, withoutToldSecrets } from "./unsafe-text.ts";
export { type Limits, whyNotPublish } from "./verify.ts";
export { verifiedDraft } from "./verify-draft.ts";
export { withoutSecrets } from "./without-secrets.ts";
