import { squash } from "#base/text.ts";
import { type ContributionPosition, contributionPositionSchema, type Diagnostic } from "#contract/skills/schema.ts";
import { normaliseText, readFrontMatter, refusalOf, splitFrontMatter, textOf } from "../skills/index.ts";

export interface ReadContribution {
  /** Null when the file is refused; the diagnostics then hold the reason. */
  readonly contribution: { readonly position: ContributionPosition; readonly text: string } | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Characters of one text: it stands in every prompt, and the context of a small model is small. */
const longestContribution = 2000;

/**
 * Reads a pack's `contributions/<name>.md`: front matter with `position: cached`, `volatile` or `kernel`, then the text as it goes into the prompt.
 * Never throws; a text that is too long is refused whole, never cut.
 */
export function readContribution(raw: string): ReadContribution {
  const diagnostics: Diagnostic[] = [];
  const diagnose = (code: string, severity: Diagnostic["severity"], message: string): void => {
    diagnostics.push({ code, severity, message: squash(message) });
  };
  const refused = (code: string, message: string): ReadContribution => {
    diagnose(code, "error", message);
    return { contribution: null, diagnostics };
  };
  const refusal = refusalOf(raw);
  if (refusal !== null) return { contribution: null, diagnostics: [refusal] };
  const { yaml, body } = splitFrontMatter(normaliseText(raw, diagnose), diagnose);
  const matter = yaml === null ? new Map<string, unknown>() : readFrontMatter(yaml, diagnose);
  const position = contributionPositionSchema.safeParse(textOf(matter.get("position")));
  const text = body.trim();
  if (!position.success)
    return refused(
      "position",
      `The front matter has to say where the text goes: "position: cached", "volatile" or "kernel"; it says "${textOf(matter.get("position"))}".`,
    );
  if (text === "") return refused("empty", "There is no text under the front matter.");
  if (text.length > longestContribution)
    return refused("too-long", `The text has ${text.length} characters; at most ${longestContribution} go into the prompt. Shorten it, or split it.`);
  const unknown = [...matter.keys()].filter((key) => key !== "position");
  if (unknown.length > 0) diagnose("keys-extra", "note", `Unknown keys have no effect: ${unknown.join(", ")}.`);
  if (position.data === "kernel") diagnose("kernel-reserved", "note", 'The position "kernel" is reserved: the text is accepted and has no effect.');
  return { contribution: { position: position.data, text }, diagnostics };
}
