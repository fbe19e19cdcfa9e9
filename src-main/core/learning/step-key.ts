import { fold } from "#base/text.ts";
import type { SkillStep } from "#contract/skills/schema.ts";
import { callTarget, isChoiceRole, isPager } from "../skills/index.ts";

function address(url: unknown): string {
  return String(url).replace(/\/$/u, "");
}

/**
 * Steps are the same when tool and target are; values, the names of inputs and the row aside: two runs number their inputs each in their own way, and
 * which row it was is a value.
 */
export function stepKey(step: SkillStep): string {
  const target = callTarget(step.call);
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
  const role = callTarget(step.call)?.role ?? "";
  return step.call?.tool === "browser_click" ? (isChoiceRole(role) ? "pick" : `click ${role}`) : undefined;
}

export function isFieldStep(step: SkillStep): boolean {
  return step.call?.tool === "browser_fill" || step.call?.tool === "browser_select";
}

export function isPagerStep(step: SkillStep): boolean {
  return step.call?.tool === "browser_click" && isPager(callTarget(step.call)?.name ?? "");
}
