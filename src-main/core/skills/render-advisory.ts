import { squash } from "#base/text.ts";
import type { Check, Precondition, RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { checkText } from "./check-text.ts";
import { inputRenderer, type RenderValue } from "./input-text.ts";
import { fill, type RenderInput } from "./placeholders.ts";

/** Characters of guidance the newest turn spends on a skill (SPEC 3.7). */
export const advisoryLimit = 1500;

/** A rendered skill in parts, so that it can be shortened between two steps and nowhere else. */
export interface GuidanceParts {
  readonly head: readonly string[];
  readonly steps: readonly string[];
  readonly tail: readonly string[];
}

type Procedure = Pick<RevisionContent, "goal" | "bindings" | "inputs" | "steps" | "preconditions" | "antiPreconditions" | "edgeCases">;

/** The guidance of advisory mode with its values filled in. It is untrusted text: the caller fences it. */
export function renderAdvisory(
  revision: Procedure,
  inputs: Readonly<Record<string, string>>,
  caveat: string | null,
  options: { readonly renderValue?: RenderValue; readonly limit?: number } = {},
): string {
  const render = inputRenderer(revision.inputs, inputs, options.renderValue);
  const filled = (text: string) => squash(fill(text, render));
  return shortenAtStep(
    {
      head: ["Steps that worked before; adapt them", ...goalLine(revision, filled), ...preflightLines(revision.preconditions)],
      steps: revision.steps.map((step, index) => stepText(step, index + 1, render)),
      tail: [
        ...(revision.antiPreconditions.length === 0 ? [] : [`Do not use this if: ${revision.antiPreconditions.map(filled).join("; ")}`]),
        ...(revision.edgeCases.length === 0 ? [] : [`Mind: ${revision.edgeCases.map(filled).join("; ")}`]),
        ...(caveat === null ? [] : [caveat]),
      ],
    },
    options.limit ?? advisoryLimit,
  );
}

/** None where the goal is that of an example: its values were taken for this run's (measured: a reply named the month that was shown). */
function goalLine(revision: Procedure, filled: (text: string) => string): string[] {
  return revision.bindings.some(({ goal }) => goal === revision.goal) ? [] : [`Goal: ${filled(revision.goal)}`];
}

/** One step as advisory mode shows it: "2. Press Billing (confirm: heading 'Billing')". */
export function stepText(step: SkillStep, number: number, render: RenderInput): string {
  const repeat = step.repeatUntilNext === true ? " (repeat until the next target is there)" : "";
  const confirm = step.check === undefined ? "(needs your judgement)" : `(confirm: ${squash(fill(checkText(mainPart(step.check)), render))})`;
  return `${number}. ${squash(fill(step.do, render))}${repeat} ${confirm}`;
}

/** A heading tells the model enough; the address beside it is for the host, and costs as many tokens again. */
function mainPart(check: Check): Check {
  return "page" in check && check.page.heading !== undefined ? { page: { heading: check.page.heading } } : check;
}

/** One indented line per rule, in order; none for a skill without rules, so that it renders as if rules did not exist. */
export function preflightLines(preconditions: readonly Precondition[]): string[] {
  return preconditions.filter((rule) => typeof rule === "string").map((rule) => `  PRE-FLIGHT: ${squash(rule)}`);
}

/** At most `limit` characters, by leaving out whole steps from the end. Head and tail hold the warnings and always stay. */
export function shortenAtStep(parts: GuidanceParts, limit: number): string {
  const whole = [...parts.head, ...parts.steps, ...parts.tail].join("\n");
  if (whole.length <= limit) return whole;
  for (let kept = parts.steps.length - 1; kept > 0; kept -= 1) {
    const text = shortened(parts, kept);
    if (text.length <= limit) return text;
  }
  return shortened(parts, 0);
}

function shortened(parts: GuidanceParts, kept: number): string {
  const omitted = parts.steps.length - kept;
  return [...parts.head, ...parts.steps.slice(0, kept), `… (truncated, ${omitted} ${omitted === 1 ? "step" : "steps"} omitted)`, ...parts.tail].join("\n");
}
