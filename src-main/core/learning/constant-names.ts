import type { SkillStep } from "#contract/skills/schema.ts";
import { callTarget, fill, mapTexts, placeholderNames } from "../skills/index.ts";
import { renderValue } from "../skills/values/index.ts";
import type { Generalised } from "./generalise.ts";
import { isPlainCall } from "./plain-call.ts";
import { stepKey } from "./step-key.ts";

/** A template with the run's own values in place of its placeholders; of all of them, or of those named. */
export function asSeen(run: Generalised, text: string, only?: readonly string[]): string {
  return fill(text, (name, form) => {
    const value = run.values[name];
    return value === undefined || (only && !only.includes(name)) ? undefined : renderValue(value, run.inputs[name]?.kind ?? "text", form);
  });
}

function subsets<T>([first, ...rest]: readonly T[]): T[][] {
  if (first === undefined) return [[]];
  return subsets(rest).flatMap((some) => [some, [first, ...some]]);
}

function fewestFirst(names: readonly string[]): string[][] {
  return subsets(names.slice(0, 4)).sort((a, b) => a.length - b.length);
}

/** The step with some, none or all of the values in its target's name, or in the arguments of a call on no page, written back, fewest first. */
function variants(run: Generalised, step: SkillStep): SkillStep[] {
  if (isPlainCall(step.call)) {
    const { call, check } = step;
    return fewestFirst(placeholderNames(call.args)).map((names) => {
      const written = <T>(value: T): T => (names.length === 0 ? value : mapTexts(value, (text) => asSeen(run, text, names)));
      return { ...step, call: { ...call, args: written(call.args) }, ...(check ? { check: written(check) } : {}) };
    });
  }
  const target = callTarget(step.call);
  if (!step.call || !target?.name.includes("{{")) return [step];
  const call = step.call;
  return fewestFirst(placeholderNames(target.name)).map((names) =>
    names.length === 0 ? step : { ...step, call: { ...call, args: { ...call.args, target: { ...target, name: asSeen(run, target.name, names) } } } },
  );
}

/**
 * A name that one goal happens to speak of ("Download the attachment of …"), or that holds what one run had searched for, is no value where the
 * other runs pressed the same control as it stands: it is written back as far as every run shows it.
 */
export function constantNames(each: readonly Generalised[]): Generalised[] {
  const possible = each.map((run) => new Set(run.steps.flatMap((step) => variants(run, step).map(stepKey))));
  const isCommon = (step: SkillStep): boolean => possible.every((keys) => keys.has(stepKey(step)));
  const literal = new Set(each.flatMap(({ steps }) => steps.map(stepKey)).filter((key) => !key.includes("{{")));
  return each.map((run) => ({
    ...run,
    steps: run.steps.map((step) => {
      const made = variants(run, step);
      const written = made.at(-1);
      if (written && literal.has(stepKey(written)) && isCommon(written)) return written;
      return made.find(isCommon) ?? step;
    }),
  }));
}
