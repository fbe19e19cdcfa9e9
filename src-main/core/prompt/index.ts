export {
  type BlockRegions,
  type BlockSource,
  computedSource,
  editsBlocks,
  fileSource,
  kindOf,
  learnedText,
  type PromptBlockSpec,
  type ResolvedBlock,
  type StandingBlocks,
  standingBlocks,
  staticSource,
} from "./blocks/index.ts";
export type { Contribution } from "./contribution.ts";
export { contributionText } from "./contribution-text.ts";
export { type CutText, cutToRoom, type Room, roomOf } from "./cut-to-room.ts";
export { inertText } from "./inert-text.ts";
export { kernelText, kernelVersion } from "./kernel.ts";
export { languageOf } from "./language-of.ts";
export { fencedLine, fencedText, fitPage, originOf, pageText } from "./page-text.ts";
export { type ActiveRules, preflightBlock } from "./preflight-block.ts";
export { type ReadContribution, readContribution } from "./read-contribution.ts";
