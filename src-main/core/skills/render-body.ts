import { canonicalJson } from "#base/json.ts";
import { squash } from "#base/text.ts";
import type { Precondition, RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { checkText } from "./check-text.ts";

/**
 * The playbook as markdown. Each text is put on one line, so that no step can forge a heading or another step.
 * Examples, bindings and phrasings are left out: they change what recall knows, not what is done.
 */
export function renderBody(content: RevisionContent): string {
  const sections = [
    `# ${line(content.goal) || line(content.summary)}`,
    section("When to use", content.whenToUse === "" ? [] : [paragraph(content.whenToUse)]),
    section("Inputs", inputLines(content)),
    section(
      "Before you start",
      content.preconditions.map((rule) => `- ${preconditionText(rule)}`),
    ),
    section(
      "Do not use if",
      content.antiPreconditions.map((rule) => `- ${line(rule)}`),
    ),
    section(
      "Steps",
      content.steps.flatMap((step, index) => stepLines(step, index + 1)),
    ),
    section(
      "Edge cases",
      content.edgeCases.map((text) => `- ${line(text)}`),
    ),
  ];
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `## ${title}\n\n${lines.join("\n")}`;
}

function inputLines(content: RevisionContent): string[] {
  return Object.entries(content.inputs.properties).map(([name, input]) => {
    const need = content.inputs.required.includes(name) ? "required" : "optional";
    const fallback = input.default === undefined ? "" : `, otherwise '${line(input.default)}'`;
    return `- \`${line(name)}\` (${input.kind}, ${need}${fallback})${input.description === "" ? "" : `: ${line(input.description)}`}`;
  });
}

function stepLines(step: SkillStep, number: number): string[] {
  const repeat = step.repeatUntilNext === true ? " (repeat until the next target is there)" : "";
  return [
    `${number}. ${line(step.do)}${repeat}`,
    ...(step.call === undefined ? [] : [`   - Call: \`${line(step.call.tool)}\` ${line(canonicalJson(step.call.args))}`]),
    `   - Check: ${step.check === undefined ? "needs judgement" : line(checkText(step.check))}`,
    `   - If it fails: ${line(step.onFail) || "stop and report"}`,
  ];
}

/** A precondition in one line, predicates as "user_profile.region eq \"US\"". */
export function preconditionText(rule: Precondition): string {
  if (typeof rule === "string") return line(rule);
  const { path, op, value } = rule.state;
  return line(value === undefined ? `${path} ${op}` : `${path} ${op} ${canonicalJson(value)}`);
}

/** A line that stands by itself, with nothing at its start that markdown reads as a heading, a list or a step. */
function paragraph(text: string): string {
  return line(text)
    .replace(/^(\d+)(?=[.)])/u, "$1\\")
    .replace(/^(?=[#>*+~`=-])/u, "\\");
}

function line(text: string): string {
  return squash(text);
}
