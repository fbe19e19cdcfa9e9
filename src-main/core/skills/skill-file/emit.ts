import { squash } from "#base/text.ts";
import type { RevisionContent } from "#contract/skills/schema.ts";
import { renderBody } from "../render-body.ts";
import { onlyContent } from "../revision.ts";
import { asciiJson, asciiMarkdown, quoteYaml } from "./text.ts";

export interface SkillDocument {
  readonly name: string;
  readonly content: RevisionContent;
  /** Only for a skill that was imported with a text of its own. */
  readonly body?: string;
  /** Keys of a foreign file that are not ours; kept under `metadata`, save "license", which stays the file's own. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Lines for whoever edits the file, in ASCII; YAML comments at its head, which are not read back. */
  readonly comments?: readonly string[];
}

/** Marks a document as one of ours; its structure is read from `metadata`, its body is for people and other agents. */
export const documentVersion = "1.0.0";

const longestDescription = 1024;

/**
 * SKILL.md as SPEC 4 "Emitted document" has it: name, description, licence, everything else as strings under `metadata`;
 * LF, ASCII, block style, double quotes, no "<" or ">" in the description.
 */
export function emitSkillFile(document: SkillDocument): string {
  const { name, content } = document;
  const body = document.body ?? renderBody(content);
  const { license = "MIT", ...extra } = document.extra ?? {};
  const metadata: [string, string][] = [["version", documentVersion], ...ownMetadata(content), ...extraMetadata(extra)];
  return [
    "---",
    ...(document.comments ?? []).map((line) => `# ${line}`),
    `name: ${quoteYaml(name)}`,
    `description: ${quoteYaml(descriptionOf(name, content))}`,
    `license: ${quoteYaml(license)}`,
    "metadata:",
    ...metadata.map(([key, value]) => `  ${key}: ${quoteYaml(value)}`),
    "---",
    "",
    asciiMarkdown(body.replace(/\r\n?/gu, "\n").replace(/^\n+/u, "").replace(/\s+$/u, "")),
    "",
  ].join("\n");
}

/** Keys under `metadata` that hold the structure, each as JSON. */
export const contentKeys = [
  ["summary", "summary"],
  ["when-to-use", "whenToUse"],
  ["goal", "goal"],
  ["phrasings", "phrasings"],
  ["inputs", "inputs"],
  ["bindings", "bindings"],
  ["preconditions", "preconditions"],
  ["anti-preconditions", "antiPreconditions"],
  ["steps", "steps"],
  ["edge-cases", "edgeCases"],
  ["tools-required", "toolsRequired"],
  ["capabilities", "capabilities"],
] as const satisfies readonly (readonly [string, keyof RevisionContent])[];

function ownMetadata(content: RevisionContent): [string, string][] {
  const clean = onlyContent(content);
  return contentKeys.map(([key, field]) => [key, asciiJson(clean[field])]);
}

function extraMetadata(extra: Readonly<Record<string, string>>): [string, string][] {
  const taken = new Set<string>(["version", ...contentKeys.map(([key]) => key)]);
  const rows: [string, string][] = [];
  for (const [given, value] of Object.entries(extra)) {
    const key = freeKey(
      given
        .toLowerCase()
        .replace(/[^a-z0-9]+/gu, "-")
        .replace(/^-+|-+$/gu, "") || "key",
      taken,
    );
    taken.add(key);
    rows.push([key, value]);
  }
  return rows;
}

function freeKey(key: string, taken: ReadonlySet<string>): string {
  let candidate = taken.has(key) ? `x-${key}` : key;
  while (taken.has(candidate)) candidate = `x-${candidate}`;
  return candidate;
}

function descriptionOf(name: string, content: RevisionContent): string {
  const text = [content.whenToUse, content.summary, content.goal, name]
    .map((each) => squash(each.replaceAll("<", "(").replaceAll(">", ")")))
    .find((each) => each !== "") as string;
  return [...text].slice(0, longestDescription).join("").trim();
}
