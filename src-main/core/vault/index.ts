export { type FillWorld, fillFrom, vaultLocked } from "./fill.ts";
export { boundOrigin, type EntryName, entryName, isBoundTo } from "./handle.ts";
export { type Redactability, redactability } from "./needles.ts";
export { droppedText, type Redacted, Redactor } from "./redact.ts";
export { type Outward, outward, through } from "./through.ts";
