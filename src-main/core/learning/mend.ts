import type { Observation, ShownAction } from "#contract/learning/schema.ts";
import type { Check, RevisionContent, SkillInput, SkillStep } from "#contract/skills/schema.ts";
import { callTarget, checkText, fill, findPlaceholders, mapTexts } from "../skills/index.ts";
import type { Generalised } from "./generalise.ts";
import { generalise } from "./generalise.ts";
import { commonPairs } from "./sequence.ts";
import { isPagerStep, stepKey } from "./step-key.ts";
import { tidyShowing } from "./tidy-showing.ts";

/** What was to be seen after an action, with the file it brought. */
export interface SeenAction {
  readonly action: ShownAction;
  readonly file: string | undefined;
}

export interface MendOptions {
  /** How many of the old steps, from the first, were carried out before anything was shown. */
  readonly kept: number;
  /** How many of the actions that took. */
  readonly replayed: number;
  /** After what was shown it goes on as before; false where all was shown to its end. */
  readonly asBefore: boolean;
  readonly now: Date;
  /** Whether a check, with these values by input name, holds for what was seen. */
  readonly holds: (check: Check, values: Readonly<Record<string, string>>, seen: SeenAction) => boolean;
}

export interface Mended {
  readonly content: RevisionContent;
  readonly observed: (Observation | null)[];
  /** What differs from the old steps, a sentence each. */
  readonly notes: string[];
}

/**
 * An old revision with what a person showed of it anew in the place of what it did there. Steps that are the same keep every byte; of one that only
 * leads to something that looks otherwise the check alone is replaced.
 */
export function mend(old: RevisionContent, goal: string, actions: readonly ShownAction[], options: MendOptions): Mended {
  const { kept: count, replayed, asBefore } = options;
  const tidied = tidyShowing(actions.slice(replayed));
  const run = generalise(goal, [...actions.slice(0, replayed), ...tidied.kept], options.now);
  const isShown = (action: ShownAction | undefined): boolean => action === undefined || actions.indexOf(action) >= replayed;
  const names = namesIn(old, run);
  const named = renamed(run, names);
  const values = valuesIn(run, names);
  const shown = named.flatMap((step, index) => (isShown(run.shown[index]) ? [{ step, action: run.shown[index], observed: run.observed[index] ?? null }] : []));
  const tail = old.steps.slice(count);
  const pairs = new Map(
    commonPairs(
      shown.map(({ step }) => stepKey(step)),
      tail.map(stepKey),
    ),
  );
  const made: { step: SkillStep; observed: Observation | null }[] = old.steps.slice(0, count).map((step) => ({ step, observed: null }));
  const notes = tidied.leftOut.map((text) => `Left out: ${text}.`);
  let next = 0;
  for (const [index, { step, action, observed }] of shown.entries()) {
    const place = pairs.get(index);
    if (place === undefined) {
      notes.push(`Shown anew: ${step.do}.`);
      made.push({ step, observed });
      continue;
    }
    const before = tail[place - 1];
    // A pager stays though this time there was nothing to leaf through.
    const isPagerKept = before !== undefined && place - 1 >= next && before.repeatUntilNext === true && !isPagerStep(step);
    for (const gone of tail.slice(next, isPagerKept ? place - 1 : place)) notes.push(`No more: ${gone.do}.`);
    if (isPagerKept) made.push({ step: before, observed: null });
    const base = tail[place] as SkillStep;
    const seen = action && { action, file: fileAfter(actions, action) };
    const holds = base.check === undefined || seen === undefined || options.holds(base.check, values, seen);
    if (!holds && base.check !== undefined)
      notes.push(`"${base.do}" is followed by ${step.check === undefined ? "something to judge" : checkText(step.check)} instead of ${checkText(base.check)}.`);
    made.push({ step: holds ? base : withCheck(base, step.check), observed });
    next = place + 1;
  }
  // Where nothing of the old way was shown, what was shown stands for the step that did not work.
  if (pairs.size === 0 && shown.length > 0 && tail[0] !== undefined) {
    next = 1;
    notes.push(`No more: ${tail[0].do}.`);
  }
  const rest = asBefore ? tail.slice(next) : [];
  if (!asBefore) for (const gone of tail.slice(next)) notes.push(`No more: ${gone.do}.`);
  made.push(...rest.map((step) => ({ step, observed: null })));
  const inputs = { ...old.inputs.properties, ...newInputs(old, run, names) };
  const added = Object.keys(inputs).filter((name) => !Object.hasOwn(old.inputs.properties, name));
  return {
    content: {
      ...old,
      phrasings: [...new Set([...old.phrasings, ...(goal === old.goal ? [] : [goal])])],
      steps: made.map(({ step }) => step),
      inputs: {
        ...old.inputs,
        properties: inputs,
        required: [...old.inputs.required, ...added.filter((name) => inputs[name]?.default === undefined)],
      },
      bindings: [...old.bindings.filter((known) => known.goal !== goal), { goal, inputs: values }],
      capabilities: { ...old.capabilities, destinations: [...new Set([...old.capabilities.destinations, ...run.origins])] },
    },
    observed: made.map(({ observed }) => observed),
    notes,
  };
}

function withCheck({ check: _before, ...step }: SkillStep, check: Check | undefined): SkillStep {
  return check === undefined ? step : { ...step, check };
}

function fileAfter(actions: readonly ShownAction[], action: ShownAction): string | undefined {
  const next = actions[actions.indexOf(action) + 1];
  return next?.kind === "download" ? next.value : undefined;
}

/** Texts of a step where a value may stand. */
function textsOf(step: SkillStep): string[] {
  const target = callTarget(step.call);
  return [target?.name ?? "", target?.within ?? "", String(step.call?.args.text ?? step.call?.args.option ?? "")];
}

/** What the old revision calls the inputs of this run: those in the same place of the same step; a new one gets a name that is free. */
function namesIn(old: RevisionContent, run: Generalised): Map<string, string> {
  const names = new Map<string, string>();
  for (const [mine, theirs] of commonPairs(run.steps.map(stepKey), old.steps.map(stepKey))) {
    const [own, other] = [textsOf(run.steps[mine] as SkillStep), textsOf(old.steps[theirs] as SkillStep)];
    for (const [place, text] of own.entries()) {
      const [local, known] = [findPlaceholders(text), findPlaceholders(other[place] ?? "")];
      if (local.length !== known.length) continue;
      for (const [nth, { name }] of local.entries()) {
        const wanted = known[nth]?.name ?? "";
        if (!names.has(name) && run.inputs[name]?.kind === old.inputs.properties[wanted]?.kind) names.set(name, wanted);
      }
    }
  }
  const taken = new Set([...Object.keys(old.inputs.properties), ...names.values()]);
  for (const local of Object.keys(run.inputs)) {
    if (names.has(local)) continue;
    const isSame = old.inputs.properties[local]?.kind === run.inputs[local]?.kind && ![...names.values()].includes(local);
    let name = local;
    for (let count = 2; !isSame && taken.has(name); count++) name = `${local}-${count}`;
    taken.add(name);
    names.set(local, name);
  }
  return names;
}

function renamed(run: Generalised, names: ReadonlyMap<string, string>): SkillStep[] {
  const write = (text: string): string => fill(text, (name, form) => `{{${names.get(name) ?? name}${form === undefined ? "" : `|${form}`}}}`);
  return mapTexts(run.steps, write);
}

function valuesIn(run: Generalised, names: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(run.values).map(([local, value]) => [names.get(local) ?? local, value]));
}

function newInputs(old: RevisionContent, run: Generalised, names: ReadonlyMap<string, string>): Record<string, SkillInput> {
  return Object.fromEntries(
    Object.entries(run.inputs).flatMap(([local, input]) => {
      const name = names.get(local) ?? local;
      return Object.hasOwn(old.inputs.properties, name) ? [] : [[name, input] as const];
    }),
  );
}
