import { isMap, isScalar, parseDocument } from "yaml";
import type { Diagnose } from "./diagnostic.ts";

/** Top-level entries of a file as they were written: texts as text, anything nested as plain data. */
export type FrontMatter = ReadonlyMap<string, unknown>;

const longestFrontMatter = 64 * 1024;
/** For a document of ours, which holds its steps here as well as in its text: quoted texts one level deep, which cost nothing to read. */
const longestFlat = 600_000;
const flatLine = /^(?:#.*|(?: {2})?[a-z0-9-]+:(?: "(?:[^"\\]|\\.)*")?)$/u;

/** Parts the YAML block from the body. `yaml` is null when there is none. */
export function splitFrontMatter(text: string, diagnose: Diagnose): { yaml: string | null; body: string } {
  if (!/^---[ \t]*(?:\n|$)/u.test(text)) {
    diagnose("front-matter-missing", "warning", "The file has no front matter; name and description are taken from its text.");
    return { yaml: null, body: text };
  }
  const lines = text.split("\n");
  const close = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/u.test(line));
  if (close > 0) return { yaml: lines.slice(1, close).join("\n"), body: lines.slice(close + 1).join("\n") };
  diagnose("front-matter-unclosed", "warning", 'The front matter has no closing "---"; it is read as far as lines look like "key: value".');
  let end = 1;
  while (end < lines.length && /^(?:[A-Za-z_][\w .-]*:(?:\s|$)|\s+\S|\s*-\s|#(?!#| )|$)/u.test(lines[end] as string)) end += 1;
  return { yaml: lines.slice(1, end).join("\n"), body: lines.slice(end).join("\n") };
}

/** Reads YAML without ever throwing; what YAML refuses is read line by line as "key: rest of the line". */
export function readFrontMatter(yaml: string, diagnose: Diagnose): FrontMatter {
  const limit = isFlat(yaml) ? longestFlat : longestFrontMatter;
  if (yaml.length > limit) {
    diagnose("front-matter-long", "error", `The front matter has ${yaml.length} characters; at most ${limit} are read.`);
    return new Map();
  }
  try {
    return parseYaml(yaml, diagnose) ?? readLines(yaml);
  } catch (thrown) {
    diagnose("yaml-refused", "warning", `The front matter is no YAML that can be read safely (${firstLine(thrown)}); it is read line by line.`);
    return readLines(yaml);
  }
}

function isFlat(yaml: string): boolean {
  if (yaml.length > longestFlat) return false;
  const lines = yaml.split("\n");
  return lines.length <= 1000 && lines.every((line) => flatLine.test(line));
}

function parseYaml(yaml: string, diagnose: Diagnose): FrontMatter | null {
  // "failsafe": every scalar is text, so that `version: 1.0` and `name: on` stay what was written.
  const document = parseDocument(yaml, { schema: "failsafe", uniqueKeys: false, logLevel: "silent", strict: false });
  const error = document.errors[0];
  if (error !== undefined) {
    const why = /Nested mappings|Implicit (?:map|keys)|block mapping/iu.test(error.message) ? "a value with a colon in it needs quotes" : firstLine(error);
    diagnose("yaml-invalid", "warning", `The front matter is not valid YAML (${why}); it is read line by line.`);
    return null;
  }
  if (document.contents === null) return new Map();
  if (!isMap(document.contents)) {
    diagnose("yaml-invalid", "warning", "The front matter is not a list of keys and values; it is read line by line.");
    return null;
  }
  if (document.contents.items.some((item) => (item.value as { flow?: boolean } | null)?.flow === true)) {
    diagnose("yaml-flow", "note", "The front matter uses [..] or {..}, which strict readers refuse; it is written in block style on export.");
  }
  const entries = new Map<string, unknown>();
  for (const item of document.contents.items) {
    const key = isScalar(item.key) ? String(item.key.value) : String(item.key);
    if (entries.has(key)) diagnose("key-twice", "warning", `"${key}" is there twice; the first is kept.`);
    else
      entries.set(
        key,
        isScalar(item.value)
          ? String(item.value.value ?? "")
          : item.value === null
            ? ""
            : (item.value as { toJS(document: unknown, options: { maxAliasCount: number }): unknown }).toJS(document, { maxAliasCount: 0 }),
      );
  }
  return entries;
}

function readLines(yaml: string): FrontMatter {
  const entries = new Map<string, unknown>();
  let current = "";
  for (const line of yaml.split("\n")) {
    const match = /^([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*))?$/u.exec(line);
    if (match !== null) {
      current = match[1] as string;
      if (!entries.has(current)) entries.set(current, unquote((match[2] ?? "").trim()));
      else current = "";
    } else if (current !== "" && /^\s+\S/u.test(line)) {
      const before = entries.get(current) as string;
      const start = /^[|>][+-]?$/u.test(before) ? "" : before;
      entries.set(current, start === "" ? line.trim() : `${start} ${line.trim()}`);
    }
  }
  return entries;
}

function unquote(text: string): string {
  const quote = text[0];
  if (text.length < 2 || (quote !== '"' && quote !== "'") || !text.endsWith(quote)) return text;
  const inside = text.slice(1, -1);
  return quote === "'" ? inside.replaceAll("''", "'") : inside.replace(/\\(["\\])/gu, "$1");
}

function firstLine(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.message : "unknown").split("\n")[0]?.trim() ?? "unknown";
}
