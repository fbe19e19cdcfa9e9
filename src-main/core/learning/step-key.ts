import { fold } from "#base/text.ts";
import type { Call, SkillStep } from "#contract/skills/schema.ts";
import { callTarget, isChoiceRole, isPager } from "../skills/index.ts";
import { leafText, leavesOf } from "./call-leaves.ts";
import { isPlainCall, whatWasGiven } from "./plain-call.ts";

function address(url: unknown): string {
  return String(url).replace(/\/$/u, "");
}

/**
 * Steps are the same when tool and target are; values, the names of inputs and the row aside: two runs number their inputs each in their own way, and
 * which row it was is a value.
 */
export function stepKey(step: SkillStep): string {
  if (!step.call) return "judge";
  if (isPlainCall(step.call)) return plainKey(step.call);
  const target = callTarget(step.call);
  const name = fold((target?.name ?? "").replace(/\{\{[^}]*\}\}/gu, "{{}}"));
  return [
    step.call.tool,
    target?.role ?? "",
    name,
    step.call.tool === "browser_open" ? address(step.call.args.url) : "",
    String(step.call.args.key ?? step.call.args.entry ?? ""),
  ].join(" ");
}

/** What a step and the step of another run that stands in its place have in common; undefined where a name is what makes the step, as with a field. */
export function placeKey(step: SkillStep): string | undefined {
  if (step.call?.tool === "browser_open") return "open";
  if (isPlainCall(step.call)) return `call ${step.call.tool}`;
  const role = callTarget(step.call)?.role ?? "";
  return step.call?.tool === "browser_click" ? (isChoiceRole(role) ? "pick" : `click ${role}`) : undefined;
}

/** A call that works on no page: its tool, and its arguments with every value aside that is an input or was given. */
function plainKey({ tool, args }: Call): string {
  const leaves = leavesOf(args).map((leaf) => [
    leaf.path.join("."),
    whatWasGiven(leaf.value) !== undefined ? "{{}}" : fold(leafText(leaf.value).replace(/\{\{[^}]*\}\}/gu, "{{}}")),
  ]);
  return JSON.stringify([tool, ...leaves.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1))]);
}

export function isFieldStep(step: SkillStep): boolean {
  return step.call?.tool === "browser_fill" || step.call?.tool === "browser_select";
}

export function isPagerStep(step: SkillStep): boolean {
  return step.call?.tool === "browser_click" && isPager(callTarget(step.call)?.name ?? "");
}
