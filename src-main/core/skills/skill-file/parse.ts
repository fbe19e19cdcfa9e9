import { invisibleIn, stripInvisible } from "#base/invisible.ts";
import { clip, squash } from "#base/text.ts";
import { type RevisionContent, revisionContentSchema } from "#contract/skills/schema.ts";
import { isSkillName, makeSkillName } from "../names.ts";
import { mapTexts } from "../placeholders.ts";
import { normalisePrecondition, preconditionEntries } from "../precondition.ts";
import { renderBody } from "../render-body.ts";
import type { Diagnose, Diagnostic } from "./diagnostic.ts";
import { contentKeys, documentVersion } from "./emit.ts";
import { firstParagraph, headingOf, stepsOfText } from "./foreign-body.ts";
import { type FrontMatter, readFrontMatter, splitFrontMatter } from "./front-matter.ts";
import { readAsciiMarkdown } from "./text.ts";

export interface ParsedSkill {
  readonly name: string;
  readonly content: RevisionContent;
  /** The text of the file itself; undefined when it is what the parts render to. */
  readonly body: string | undefined;
  /** What was there and is not ours, as text; emitted under `metadata` again. */
  readonly extra: Readonly<Record<string, string>>;
}

/** `skill` is null when the file is refused; the diagnostics then begin with the reason. */
export interface ParsedSkillFile {
  readonly skill: ParsedSkill | null;
  readonly diagnostics: readonly Diagnostic[];
}

export const longestSkillFile = 1_000_000;

const knownKeys = new Set(["name", "description", "license", "metadata"]);
const allowedKeys = new Set([...knownKeys, "compatibility", "allowed-tools"]);
/** What a skill may reach, and what keeps it from being used: where one of these cannot be read, it may reach nothing. */
const securityFields: readonly (keyof RevisionContent)[] = ["capabilities", "toolsRequired", "preconditions", "antiPreconditions"];

/** Reads any SKILL.md. Never throws: what can be read is read, what cannot is said. `folder` is the name of the folder it lies in. */
export function parseSkillFile(text: string, options: { readonly folder?: string } = {}): ParsedSkillFile {
  const diagnostics: Diagnostic[] = [];
  const diagnose: Diagnose = (code, severity, message) => {
    diagnostics.push({ code, severity, message: squash(message) });
  };
  const refusal = refusalOf(text);
  if (refusal !== null) return { skill: null, diagnostics: [refusal] };
  try {
    return { skill: readSkill(text, options.folder, diagnose), diagnostics };
  } catch (thrown) {
    diagnose("unreadable", "error", `The file could not be read: ${thrown instanceof Error ? thrown.message : "unknown reason"}.`);
    return { skill: null, diagnostics: diagnostics.reverse() };
  }
}

/** Why a text is read no further; null for one that is. */
export function refusalOf(text: string): Diagnostic | null {
  if (text.length > longestSkillFile)
    return { code: "too-large", severity: "error", message: `The file has ${text.length} characters; at most ${longestSkillFile} are read.` };
  // A NUL, or many replacement characters, is what a binary file looks like once decoded.
  if (text.includes("\0") || (text.match(/\uFFFD/gu)?.length ?? 0) > text.length / 100 + 8)
    return { code: "binary", severity: "error", message: "The file is not text." };
  if (text.trim() === "") return { code: "empty", severity: "error", message: "The file is empty." };
  return null;
}

function readSkill(raw: string, folder: string | undefined, diagnose: Diagnose): ParsedSkill | null {
  const { yaml, body: rawBody } = splitFrontMatter(normaliseText(raw, diagnose), diagnose);
  const matter: FrontMatter = yaml === null ? new Map() : readFrontMatter(yaml, diagnose);
  const metadata = metadataOf(matter, diagnose);
  const isOurs = metadata["version"] === documentVersion && Object.hasOwn(metadata, "steps");
  const unread = contentKeys.map(([key]) => key).filter((key) => Object.hasOwn(metadata, key));
  if (!isOurs && unread.length > 0)
    diagnose(
      "metadata-unread",
      "warning",
      `metadata holds ${unread.join(", ")}, which count only beside version: "${documentVersion}" and steps, as in an exported file; they are kept as text.`,
    );
  const parsed = isOurs ? readOwn(matter, metadata, rawBody, diagnose) : readForeign(matter, rawBody, diagnose);
  const name = nameOf(matter, folder, parsed.body ?? "", diagnose);
  return name === null ? null : { name, ...parsed, extra: extraOf(matter, metadata, isOurs, diagnose) };
}

type Read = Pick<ParsedSkill, "content" | "body">;

/** A document of ours: structure from the metadata; the text counts only where it differs from what the parts render to. */
function readOwn(matter: FrontMatter, metadata: Record<string, string>, rawBody: string, diagnose: Diagnose): Read {
  const content = mapTexts(readContent(metadata, descriptionOf(matter, "", diagnose), diagnose), stripInvisible, stripInvisible);
  const written = stripInvisible(readAsciiMarkdown(rawBody)).trim();
  if (written === "" || written === renderBody(content).trim()) return { content, body: undefined };
  diagnose("body-edited", "note", "The text differs from the steps in the metadata; the steps are taken from the metadata.");
  return { content, body: `${cleanBody(written, diagnose)}\n` };
}

function readForeign(matter: FrontMatter, rawBody: string, diagnose: Diagnose): Read {
  const body = cleanBody(rawBody, diagnose);
  const content = emptyContent(descriptionOf(matter, body, diagnose), body);
  return { content, body: body === "" || body === renderBody(content).trim() ? undefined : `${body}\n` };
}

/** Line feeds only, nothing invisible, no byte order mark; what was changed is said. */
export function normaliseText(raw: string, diagnose: Diagnose): string {
  let text = raw;
  if (text.startsWith("\uFEFF")) {
    diagnose("bom", "note", "The file begins with a byte order mark; it is left out.");
    text = text.slice(1);
  }
  if (text.includes("\r")) {
    diagnose("crlf", "note", "The file has Windows line ends; they are read as plain ones.");
    text = text.replace(/\r\n?/gu, "\n");
  }
  const hidden = invisibleIn(text);
  if (hidden.length > 0)
    diagnose(
      "invisible",
      "warning",
      `The file holds invisible characters (${hidden.slice(0, 8).join(", ")}${hidden.length > 8 ? " …" : ""}); they are left out.`,
    );
  return stripInvisible(text);
}

function cleanBody(text: string, diagnose: Diagnose): string {
  const parts = text.split("<!--");
  if (parts.length === 1) return text.trim();
  diagnose("html-comment", "warning", `The text holds ${parts.length - 1} HTML comment${parts.length === 2 ? "" : "s"} that a reader would not see; left out.`);
  const [first, ...rest] = parts;
  return [first, ...rest.map((part) => (part.includes("-->") ? part.slice(part.indexOf("-->") + 3) : ""))].join("").trim();
}

function nameOf(matter: FrontMatter, folder: string | undefined, body: string, diagnose: Diagnose): string | null {
  const written = textOf(matter.get("name"));
  if (/[/\\]|^\.+$/u.test(written)) {
    diagnose("name-path", "error", `The name "${clip(written, 80)}" is a path; the file is refused.`);
    return null;
  }
  if (written === "") diagnose("name-missing", "warning", "The file names no skill; its folder or heading is taken.");
  const name = isSkillName(written) ? written : makeSkillName(written || lastSegment(folder ?? "") || headingOf(body) || firstParagraph(body).slice(0, 40));
  if (written !== "" && name !== written) {
    const isCase = written.toLowerCase() === name;
    diagnose(
      isCase ? "name-case" : "name-form",
      "warning",
      `The name "${clip(written, 80)}" is not ${isCase ? "lower-case" : "lower-case letters, digits and single hyphens"}; it is read as "${name}".`,
    );
  }
  if (folder !== undefined && folder !== "" && lastSegment(folder) !== name)
    diagnose("folder-differs", "note", `The folder "${clip(lastSegment(folder), 80)}" has another name than the skill "${name}".`);
  return name;
}

function descriptionOf(matter: FrontMatter, body: string, diagnose: Diagnose): string {
  const written = squash(textOf(matter.get("description")));
  if (written === "") diagnose("description-missing", "warning", "The file says nothing about when to use it; its first paragraph is taken.");
  else if ([...written].length > 1024)
    diagnose("description-long", "warning", `The description has ${[...written].length} characters; other readers stop at 1024.`);
  return written === "" ? clip(firstParagraph(body) || headingOf(body), 1024) : written;
}

function metadataOf(matter: FrontMatter, diagnose: Diagnose): Record<string, string> {
  const value = matter.get("metadata");
  const metadata = Object.create(null) as Record<string, string>;
  if (value === undefined || value === "") return metadata;
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    diagnose("metadata-form", "warning", "metadata is not a list of keys and values; it is kept as text.");
    metadata["metadata"] = textOf(value);
    return metadata;
  }
  for (const [key, inner] of Object.entries(value)) metadata[key] = textOf(inner);
  return metadata;
}

function readContent(metadata: Record<string, string>, description: string, diagnose: Diagnose): RevisionContent {
  const content = emptyContent(description, "");
  let isSafe = true;
  for (const [key, field] of contentKeys) {
    const value = readField(field, metadata[key]);
    if (value !== undefined) (content as Record<string, unknown>)[field] = value;
    else {
      const isSecurity = securityFields.includes(field);
      isSafe &&= !isSecurity;
      diagnose(
        isSecurity ? "security-unreadable" : "metadata-unreadable",
        "error",
        `metadata.${key} cannot be read${isSecurity ? "; the skill is read without any capability" : " and is left out"}.`,
      );
    }
  }
  return isSafe ? content : { ...content, capabilities: { primitives: [], vault: [], destinations: [] }, toolsRequired: [] };
}

function readField(field: keyof RevisionContent, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const parsed = revisionContentSchema.shape[field].safeParse(JSON.parse(text));
    if (!parsed.success) return undefined;
    if (field !== "preconditions") return parsed.data;
    const normal = normalisePrecondition(parsed.data);
    return normal.ok ? preconditionEntries(normal.value) : undefined;
  } catch {
    return undefined;
  }
}

function emptyContent(description: string, body: string): RevisionContent {
  return {
    summary: clip(description, 200),
    whenToUse: description,
    goal: headingOf(body) || clip(description, 200),
    phrasings: [],
    inputs: { type: "object", properties: {}, required: [] },
    bindings: [],
    preconditions: [],
    antiPreconditions: [],
    steps: stepsOfText(body),
    edgeCases: [],
    toolsRequired: [],
    capabilities: { primitives: [], vault: [], destinations: [] },
  };
}

function extraOf(matter: FrontMatter, metadata: Record<string, string>, isOurs: boolean, diagnose: Diagnose): Record<string, string> {
  const unknown = [...matter.keys()].filter((key) => !allowedKeys.has(key));
  if (unknown.length > 0) diagnose("keys-extra", "note", `Unknown keys are kept under metadata: ${unknown.map((key) => clip(key, 40)).join(", ")}.`);
  const license = textOf(matter.get("license"));
  const own = new Set<string>(isOurs ? ["version", ...contentKeys.map(([key]) => key)] : []);
  const rows = [
    ...Object.entries(metadata).filter(([key]) => !own.has(key)),
    ...[...matter].filter(([key]) => !knownKeys.has(key)).map(([key, value]): [string, string] => [key, textOf(value)]),
    ...(license === "" || license === "MIT" ? [] : [["license", license] as [string, string]]),
  ];
  return Object.fromEntries(rows);
}

/** A value of a file as one text; nested data as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value.trim() : JSON.stringify(value);
}

function lastSegment(path: string): string {
  return (
    path
      .split(/[/\\]/u)
      .filter((part) => part !== "" && part !== "." && part !== "..")
      .at(-1) ?? ""
  );
}
