import type { BindingExample, SkillStep } from "#contract/skills/schema.ts";
import { callTarget, fill } from "../skills/index.ts";
import { tellingStems } from "../skills/values/index.ts";

/**
 * A step as the model that words a routine reads it: what is done, and of names on pages only those of which every word stands in a goal. What a page
 * says cannot then talk the model into a name or a sentence (UNT-01).
 */
export function tellStep({ call, do: text }: SkillStep, bindings: readonly BindingExample[]): string {
  if (call === undefined) return "Decide what comes next";
  const target = callTarget(call);
  if (call.tool === "browser_open") return "Open the page";
  if (target === undefined) return call.tool.startsWith("browser_") ? text : `Use ${call.tool}`;
  const said = new Set(bindings.flatMap(({ goal }) => tellingStems(goal)));
  const name = tellingStems(fill(target.name, () => "")).every((word) => said.has(word)) ? ` "${target.name}"` : "";
  const deed = { browser_fill: "Fill", browser_select: "Choose in" }[call.tool] ?? "Press";
  return `${deed} the ${target.role}${name}`;
}
