export { type Aligned, align } from "./align.ts";
export { cluster, type EmbeddedEpisode, sameWay, whyNot } from "./cluster.ts";
export { actionOf, collect, type LearnableEpisode } from "./collect.ts";
export { contentFrom, draftFromShowing, nameFromGoal } from "./draft.ts";
export { type Generalised, generalise } from "./generalise.ts";
export { type PassWorld, runPass } from "./run-pass.ts";
export { commonLength, commonPairs } from "./sequence.ts";
export { tidyShowing } from "./tidy-showing.ts";
export { type Limits, whyNotPublish } from "./verify.ts";
