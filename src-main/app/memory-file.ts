import { badInput } from "#contract/errors.ts";
import { type Fact, factLabelSchema, type ImportedFact } from "#contract/memory/schema.ts";

const version = 1;
/** More than a person writes down about themselves. */
const mostFacts = 2000;
const mostCharacters = 2_000_000;

export type FileEntry = { readonly text: string; readonly label: Fact["label"] | null } | Extract<ImportedFact, { readonly problem: string }>;

/** Facts as a file that another Knack takes in, and a person can read. Where each was said stays behind: it means nothing elsewhere. */
export function memoryFile(facts: readonly Fact[], at: number): string {
  const listed = facts.map(({ label, text, source, createdAt }) => ({ label, text, source, since: new Date(createdAt).toISOString() }));
  return `${JSON.stringify({ knack: "memory", version, exportedAt: new Date(at).toISOString(), facts: listed }, null, 2)}\n`;
}

/**
 * The facts of such a file, or of a plain text with one on each line. Throws bad-input for what is neither; an entry that cannot be read is reported in its
 * place.
 */
export function readMemoryFile(written: string): FileEntry[] {
  // Some editors put a mark ahead of a text by which they know its encoding.
  const text = written.replace(/^\uFEFF/u, "");
  if (text.length > mostCharacters) throw badInput(`The file has ${text.length} characters; at most ${mostCharacters} are read. Import it in parts.`);
  const entries = /^\s*[{[]/u.test(text) ? entriesOf(text) : linesOf(text);
  if (entries.length === 0) throw badInput("There is nothing in it to remember: write one fact on each line, or give a file of: knack memory export");
  if (entries.length > mostFacts) throw badInput(`It holds ${entries.length} facts; at most ${mostFacts} are taken in at once. Import it in parts.`);
  return entries;
}

function linesOf(text: string): FileEntry[] {
  return text
    .split(/\r?\n/u)
    .map((line) => line.replace(/^\s*(?:[-*]|\d+[.)])\s+/u, "").trim())
    .filter((line) => line !== "")
    .map((line) => ({ text: line, label: null }));
}

function entriesOf(text: string): FileEntry[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badInput(`This is no file of memory: it begins like JSON and cannot be read as such (${(error as Error).message}).`);
  }
  const {
    knack,
    version: written,
    facts,
  } = Array.isArray(value) ? { knack: "memory", version, facts: value as unknown[] } : (value as Record<string, unknown>);
  if (knack !== "memory" || !Array.isArray(facts)) throw badInput('This is no file of memory: "knack": "memory" and a list of "facts" are expected in it.');
  if (typeof written === "number" && written > version)
    throw badInput(`This file was written by a newer Knack (version ${written}; this one knows ${version}). Install that one to take it in.`);
  return facts.map((entry: unknown, index) => entryOf(entry, index));
}

function entryOf(entry: unknown, index: number): FileEntry {
  if (typeof entry === "string") return { text: entry, label: null };
  if (typeof entry !== "object" || entry === null) return { text: "", problem: `Entry ${index + 1} is no fact: a "text" is expected.` };
  const { text, label } = entry as Record<string, unknown>;
  if (typeof text !== "string") return { text: "", problem: `Entry ${index + 1} has no "text".` };
  if (label === undefined) return { text, label: null };
  const read = factLabelSchema.safeParse(label);
  if (!read.success)
    return { text, problem: `Entry ${index + 1} has the label ${JSON.stringify(label)}; one of ${factLabelSchema.options.join(", ")} is expected.` };
  return { text, label: read.data };
}
