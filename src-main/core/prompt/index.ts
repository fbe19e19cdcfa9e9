export type { Contribution } from "./contribution.ts";
export { kernelText, kernelVersion } from "./kernel.ts";
export { pageText } from "./page-text.ts";
export { type ReadContribution, readContribution } from "./read-contribution.ts";
