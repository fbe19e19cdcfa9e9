export { kernelText, kernelVersion } from "./kernel.ts";
export { pageText } from "./page-text.ts";
