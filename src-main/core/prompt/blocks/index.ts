export { longestFact, mostFacts } from "./fact-line.ts";
export { BlockGateError } from "./gate-error.ts";
export { makeBlocks } from "./make-blocks.ts";
export { blockMatrix, type MatrixRow } from "./matrix.ts";
export { type BlockRegions, type ResolvedBlock, type StandingBlocks, standingBlocks } from "./resolve.ts";
export { type BlockScope, childScope, mainScope } from "./scope.ts";
export { childSnapshot, editsBlocks, type SnapshotBlock } from "./snapshot.ts";
export { type BlockSource, type Computed, computedSource, fileSource, kindOf, staticSource } from "./sources.ts";
export { isLearned, type PromptBlock, type PromptBlockSpec, type RenderWhen } from "./spec.ts";
