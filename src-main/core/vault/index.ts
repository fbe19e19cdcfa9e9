export { type EntryName, entryName, type VaultField, type VaultHandle } from "./handle.ts";
export { type Redactability, redactability } from "./needles.ts";
export { droppedText, type Redacted, Redactor } from "./redact.ts";
