import { fold } from "#base/text.ts";
import type { SkillStep, Target } from "#contract/skills/schema.ts";
import { isPager } from "../skills/index.ts";
import { isChoiceRole } from "./choice-role.ts";

export function targetOf(step: SkillStep): Target | undefined {
  return step.call?.args.target as Target | undefined;
}

/** A template without the forms of its values. */
export function bare(text: string): string {
  return fold(text.replace(/\|[^}]*\}\}/gu, "}}"));
}

function address(url: unknown): string {
  return String(url).replace(/\/$/u, "");
}

/**
 * Steps are the same when tool and target are; values, the names of inputs and the row aside: two runs number their inputs each in their own way, and
 * which row it was is a value.
 */
export function stepKey(step: SkillStep): string {
  const target = targetOf(step);
  if (!step.call) return "judge";
  const name = fold((target?.name ?? "").replace(/\{\{[^}]*\}\}/gu, "{{}}"));
  return [
    step.call.tool,
    target?.role ?? "",
    name,
    step.call.tool === "browser_open" ? address(step.call.args.url) : "",
    String(step.call.args.key ?? ""),
  ].join(" ");
}

/** What a step and the step of another run that stands in its place have in common; undefined where a name is what makes the step, as with a field. */
export function placeKey(step: SkillStep): string | undefined {
  if (step.call?.tool === "browser_open") return "open";
  const role = targetOf(step)?.role ?? "";
  return step.call?.tool === "browser_click" ? (isChoiceRole(role) ? "pick" : `click ${role}`) : undefined;
}

export function isFieldStep(step: SkillStep): boolean {
  return step.call?.tool === "browser_fill" || step.call?.tool === "browser_select";
}

export function isPagerStep(step: SkillStep): boolean {
  return step.call?.tool === "browser_click" && isPager(targetOf(step)?.name ?? "");
}
