export { type FillWorld, fillFrom, printable, vaultLocked } from "./fill.ts";
export { boundOrigin, type EntryName, entryName, isBoundTo } from "./handle.ts";
export { LoginPace } from "./login-pace.ts";
export { type Redactability, redactability } from "./needles.ts";
export { droppedText, type Redacted, Redactor } from "./redact.ts";
export { type Outward, outward, through } from "./through.ts";
