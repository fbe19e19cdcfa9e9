export type { Contribution } from "./contribution.ts";
export { contributionText } from "./contribution-text.ts";
export { inertText } from "./inert-text.ts";
export { kernelText, kernelVersion } from "./kernel.ts";
export { fencedText, pageText } from "./page-text.ts";
export { type ActiveRules, preflightBlock } from "./preflight-block.ts";
export { type ReadContribution, readContribution } from "./read-contribution.ts";
