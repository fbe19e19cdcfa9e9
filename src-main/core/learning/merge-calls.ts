import type { Call, Check, SkillStep } from "#contract/skills/schema.ts";
import { withoutForms } from "../skills/index.ts";
import { commonMatch, fileAfter } from "./call-check.ts";
import { leafKey, leafText, leavesOf, mapLeaves } from "./call-leaves.ts";
import { describeCall } from "./describe-call.ts";
import { hasPlaceholder } from "./goal-values.ts";
import { undecided, whatWasGiven } from "./plain-call.ts";

/** What all runs wrote in one place: the template most have, or the value all have; undefined where it differs and most goals do not name it. */
function agreed(templates: readonly unknown[], seen: readonly unknown[], enough: (count: number) => boolean): { readonly value: unknown } | undefined {
  if (templates.includes(undefined)) return undefined;
  const texts = templates.map(leafText);
  const isSame = new Set(seen.map((one) => whatWasGiven(one) ?? leafText(one))).size === 1;
  if (templates.some((one) => whatWasGiven(one) !== undefined)) {
    // A run that wrote it without having met it anywhere knew it; what others saw on the way is then chance.
    const known = seen.filter((one) => whatWasGiven(one) === undefined);
    return isSame && known.length > 0 ? { value: known.find((one) => typeof one !== "string") ?? known[0] } : undefined;
  }
  const named = texts.filter(hasPlaceholder);
  if (isSame && named.length < texts.length) return { value: seen.find((one) => typeof one !== "string") ?? seen[0] };
  const [most] = [...Map.groupBy(named, withoutForms).values()].sort((a, b) => b.length - a.length);
  return most && (most.length === texts.length || enough(most.length)) ? { value: most[0] } : undefined;
}

/**
 * One step out of the same call of every run, its arguments taken together place by place (anti-unification): what is the same stays, what the goals
 * name is an input, and one other place costs the step its call (IND-07).
 * @param seen the same calls with the values of their runs
 */
export function mergeCalls(same: readonly SkillStep[], seen: readonly SkillStep[], enough: (count: number) => boolean, notes: string[]): SkillStep {
  const [first] = same;
  if (!first?.call) throw new RangeError("a row without calls");
  const placed = (steps: readonly SkillStep[]) => steps.map(({ call }) => new Map(leavesOf(call?.args ?? {}).map((leaf) => [leafKey(leaf), leaf] as const)));
  const [templates, literals] = [placed(same), placed(seen)];
  const merged = new Map<string, unknown>();
  const open = new Set<string>();
  for (const [key, { path }] of templates.flatMap((leaves) => [...leaves])) {
    if (merged.has(key)) continue;
    const value = agreed(
      templates.map((leaves) => leaves.get(key)?.value),
      literals.map((leaves) => leaves.get(key)?.value),
      enough,
    );
    if (value) merged.set(key, value.value);
    else open.add(path[0] ?? "arguments");
  }
  if (open.size > 0) {
    notes.push(`${first.call.tool} had other values of ${[...open].join(", ")}, which not every goal names: it needs judgement.`);
    return undecided(first, [...open]);
  }
  const call: Call = { tool: first.call.tool, args: mapLeaves(first.call.args, (leaf) => merged.get(leafKey(leaf))) };
  const check = mergedCheck(same, call);
  return { do: describeCall(call), call, ...(check ? { check } : {}), onFail: first.onFail };
}

/** What was seen after the call in every run. */
function mergedCheck(same: readonly SkillStep[], call: Call): Check | undefined {
  const file = fileAfter(call);
  if (file !== undefined) return { file: { exists: file } };
  const patterns = same.map(({ check }) => (check && "result" in check ? (check.result.matches ?? "") : ""));
  const matches = commonMatch(patterns);
  return matches === undefined ? undefined : { result: { matches } };
}
