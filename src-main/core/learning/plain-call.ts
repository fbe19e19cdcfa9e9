import type { Brand } from "#base/brand.ts";
import type { Call, SkillStep } from "#contract/skills/schema.ts";
import { leavesOf } from "./call-leaves.ts";

/** Begins, in a single run's steps, an argument that an earlier result gave; a skill never holds one. */
const mark = "\u0000given ";

export function given(literal: string): string {
  return mark + literal;
}

/** What was given; undefined for an argument that was not. */
export function whatWasGiven(value: unknown): string | undefined {
  return typeof value === "string" && value.startsWith(mark) ? value.slice(mark.length) : undefined;
}

/** A call that works on no page. */
export type PlainCall = Brand<Call, "plain">;

/** Whether a call works on no page: those of the folder, and those of tools from elsewhere. What belongs to a page is known by role and name instead. */
export function isPlainCall(call: Call | undefined): call is PlainCall {
  return call !== undefined && !call.tool.startsWith("browser_");
}

/** Names of the arguments of a call that hold something given, each once. */
export function givenArguments(call: Call): string[] {
  return [...new Set(leavesOf(call.args).flatMap(({ path, value }) => (whatWasGiven(value) === undefined ? [] : [path[0] ?? ""])))];
}

/** A step that has lost its call: which arguments are to be decided, and never what they were, which may be words of a page or a result (IND-07, UNT-01). */
export function undecided({ call, onFail }: Pick<SkillStep, "call" | "onFail">, names: readonly string[]): SkillStep {
  return { do: `Use ${call?.tool ?? "the tool"} and decide its ${names.join(" and ")} from what is known by then`, onFail };
}

/** Steps as a skill may hold them. */
export function withoutGiven(steps: readonly SkillStep[]): SkillStep[] {
  return steps.map((step) => {
    const names = isPlainCall(step.call) ? givenArguments(step.call) : [];
    return names.length === 0 ? step : undecided(step, names);
  });
}
