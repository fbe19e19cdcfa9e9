import type { Diagnostic } from "#contract/skills/schema.ts";
import { isSkillName } from "../names.ts";
import { readFrontMatter, splitFrontMatter } from "./front-matter.ts";
import { parseSkillFile } from "./parse.ts";

export interface SkillFileCheck {
  readonly name: string | null;
  /** No diagnostic is an error. */
  readonly valid: boolean;
  /** Everything `parseSkillFile` says, with each broken rule as an error. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What is said of a file and breaks no rule of Agent Skills. */
const allowed = new Set(["body-edited", "html-comment"]);

const longestCompatibility = 500;

/**
 * Holds a file against the Agent Skills rules as the strictest readers have them: front matter that begins with "---" and a line feed, known keys in
 * block style, a name in ASCII that is its folder's, a description without "<" or ">", texts under `metadata`. Never throws.
 */
export function validateSkillFile(text: string, options: { readonly folder?: string } = {}): SkillFileCheck {
  const parsed = parseSkillFile(text, options);
  const said = parsed.diagnostics.map((one): Diagnostic => (allowed.has(one.code) ? one : { ...one, severity: "error" }));
  const diagnostics = parsed.skill === null ? said : [...said, ...strictly(text)];
  return { name: parsed.skill?.name ?? null, valid: diagnostics.every(({ severity }) => severity !== "error"), diagnostics };
}

/** Rules that reading a file does not need. */
function strictly(text: string): Diagnostic[] {
  const broken: Diagnostic[] = [];
  const error = (code: string, message: string): void => void broken.push({ code, severity: "error", message });
  if (!text.startsWith("---\n")) error("front-matter-start", 'The file does not begin with "---" and a line feed.');
  const quiet = (): void => undefined;
  const { yaml } = splitFrontMatter(text.replace(/^\uFEFF/u, "").replace(/\r\n?/gu, "\n"), quiet);
  if (yaml === null) return broken;
  // Some readers end the front matter at the first "---", wherever it stands.
  if (yaml.includes("---")) error("front-matter-dashes", 'The front matter has "---" inside, where some readers would end it.');
  const matter = readFrontMatter(yaml, quiet);
  const name = matter.get("name");
  if (typeof name !== "string" || !isSkillName(name)) error("name-form", "name is not 1 to 64 lower-case letters a–z, digits and single hyphens.");
  const description = matter.get("description");
  if (typeof description !== "string" || description.trim() === "") error("description-missing", "There is no description.");
  else if (/[<>]/u.test(description)) error("description-angle", 'The description has "<" or ">" in it.');
  const compatibility = matter.get("compatibility");
  if (compatibility !== undefined && (typeof compatibility !== "string" || [...compatibility].length > longestCompatibility))
    error("compatibility-form", `compatibility is not a text of at most ${longestCompatibility} characters.`);
  for (const key of ["license", "allowed-tools"]) if (matter.has(key) && typeof matter.get(key) !== "string") error("key-form", `${key} is not a text.`);
  const metadata = matter.get("metadata");
  if (metadata !== undefined && metadata !== "" && !isTexts(metadata)) error("metadata-form", "metadata is not a list of keys with one text each.");
  return broken.filter((one, index) => broken.findIndex(({ code }) => code === one.code) === index);
}

function isTexts(value: unknown): boolean {
  return value !== null && typeof value === "object" && !Array.isArray(value) && Object.values(value).every((inner) => typeof inner === "string");
}
