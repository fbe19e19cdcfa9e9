import { fail, ok, type Result } from "#base/result.ts";
import type { Observation } from "#contract/learning/schema.ts";
import type { RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { type Aligned, align, dayOf } from "./align.ts";
import type { LearnableEpisode } from "./collect.ts";
import { contentFrom } from "./draft.ts";
import { generalise } from "./generalise.ts";
import { commonPairs } from "./sequence.ts";
import { stepKey } from "./step-key.ts";
import { tidyShowing } from "./tidy-showing.ts";

export interface Joined {
  readonly content: RevisionContent;
  readonly observed: (Observation | null)[];
  readonly notes: string[];
}

/**
 * The common procedure of several showings and good runs of one routine, as the next revision of what it was. What a person decided about it (conditions,
 * vault entries, when to use it) stays; every goal is a way to ask for it and an example of how its inputs are read.
 * @param runs the newest showing last; at least two
 * @returns fails with what they do not have in common where there is no common procedure
 */
export function joinShowings(old: RevisionContent, runs: readonly LearnableEpisode[]): Result<Joined> {
  const aligned = align(runs, { isNamedOnce: true });
  if (!aligned.ok) return fail(whyApart(runs, aligned.error));
  const newest = runs.at(-1) as LearnableEpisode;
  const made = contentFrom(newest.episode.goal, aligned.value);
  const goals = runs.map(({ episode }) => episode.goal).filter((goal) => goal !== old.goal);
  const kept = keptEntries(old, aligned.value.steps);
  return ok({
    content: {
      ...old,
      phrasings: [...new Set([...old.phrasings, ...goals])],
      steps: kept,
      inputs: {
        ...made.inputs,
        properties: Object.fromEntries(Object.entries(made.inputs.properties).map(([name, input]) => [name, described(old, name, input)])),
      },
      bindings: uniqueGoals([...aligned.value.bindings]),
      toolsRequired: made.toolsRequired,
      capabilities: { ...old.capabilities, destinations: [...new Set([...old.capabilities.destinations, ...made.capabilities.destinations])] },
    },
    observed: aligned.value.observed,
    notes: [...aligned.value.notes, ...aligned.value.onlySome.map((step) => `Only in “${step.goal}”: ${step.do}. It was left out.`)],
  });
}

function described(old: RevisionContent, name: string, input: RevisionContent["inputs"]["properties"][string]): typeof input {
  const before = old.inputs.properties[name];
  return before?.kind === input.kind ? { ...input, description: before.description } : input;
}

function uniqueGoals(bindings: Aligned["bindings"]): Aligned["bindings"] {
  return [...new Map(bindings.map((binding) => [binding.goal, binding])).values()];
}

/** A step that only a person could decide, and did: the entry that was chosen for it stays. */
function keptEntries(old: RevisionContent, steps: readonly SkillStep[]): SkillStep[] {
  const keyOf = (step: SkillStep): string => (step.call === undefined || step.call.tool === "browser_login" ? "secret" : stepKey(step));
  const before = new Map(commonPairs(old.steps.map(keyOf), steps.map(keyOf)).map(([mine, theirs]) => [theirs, old.steps[mine]]));
  return steps.map((step, index) => {
    const same = before.get(index);
    return step.call === undefined && same?.call?.tool === "browser_login" ? same : step;
  });
}

/** Names the first two that go different ways, and what each does that the other does not. */
function whyApart(runs: readonly LearnableEpisode[], reason: string): string {
  const newest = runs.at(-1);
  const other = runs.slice(0, -1).find((run) => newest && !align([run, newest], { isNamedOnce: true }).ok);
  if (!newest || !other) return `${reason}: together they have too little in common`;
  const [mine, theirs] = [stepsOf(newest), stepsOf(other)];
  const own = onlyIn(mine, theirs);
  const others = onlyIn(theirs, mine);
  return `${reason}: “${newest.episode.goal}” and “${other.episode.goal}” go different ways. Only the first: ${own}. Only the second: ${others}`;
}

function stepsOf(run: LearnableEpisode): SkillStep[] {
  return generalise(run.episode.goal, tidyShowing(run.actions).kept, dayOf(run)).steps;
}

function onlyIn(steps: readonly SkillStep[], others: readonly SkillStep[]): string {
  const known = new Set(others.map(stepKey));
  const own = steps.filter((step) => !known.has(stepKey(step))).map((step) => step.do);
  const listed = own.slice(0, 4).join("; ");
  return own.length === 0 ? "nothing" : own.length > 4 ? `${listed}; and ${own.length - 4} more` : listed;
}
