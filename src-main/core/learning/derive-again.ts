import type { RevisionContent } from "#contract/skills/schema.ts";
import { align } from "./align.ts";
import { whyNot } from "./cluster.ts";
import type { LearnableEpisode } from "./collect.ts";
import { contentFrom } from "./draft.ts";
import type { Tells } from "./erased-words.ts";
import { withoutPersonal } from "./personal.ts";
import { unsafeIn } from "./unsafe-text.ts";
import { type Limits, whyNotPublishNow } from "./verify.ts";

/** A procedure as the runs that are left tell it. */
export interface DerivedAgain {
  readonly content: RevisionContent;
  /** Ids of their episodes. */
  readonly evidence: readonly string[];
  /** Why a pass would not learn it from these runs alone; null where it would. */
  readonly whyNotEnough: string | null;
}

/**
 * Derives a procedure a second time, from those of its successful runs that are left: the stages of a pass but for the wording, which stays as far as it
 * tells nothing of what is gone. Nothing in what comes back was read from any other run. Null where these runs come to no procedure.
 */
export function deriveAgain(old: RevisionContent, left: readonly LearnableEpisode[], tells: Tells, limits: Limits): DerivedAgain | null {
  const runs = [...left].sort(byGoal);
  const [first] = runs;
  if (!first) return null;
  const aligned = align(runs);
  if (!aligned.ok) return null;
  const made = withoutPersonal(contentFrom(first.episode.goal, aligned.value));
  const isWorded = ![old.whenToUse, old.summary].some((text) => text === "" || tells(text));
  const content: RevisionContent = {
    ...made,
    ...(isWorded ? { whenToUse: old.whenToUse, summary: old.summary } : {}),
    phrasings: old.phrasings.filter((text) => !tells(text)),
    preconditions: old.preconditions.filter((rule) => !tells(JSON.stringify(rule))),
    antiPreconditions: old.antiPreconditions.filter((text) => !tells(text)),
    edgeCases: old.edgeCases.filter((text) => !tells(text)),
    bindings: aligned.value.bindings,
  };
  if (unsafeIn(content) !== null) return null;
  return {
    content,
    evidence: runs.map(({ episode }) => episode.id),
    whyNotEnough: whyNot(runs.map(({ episode }) => episode)) ?? whyNotPublishNow(content, runs, limits),
  };
}

/** In the order of their goals, so that the same runs come to the same procedure. */
function byGoal(a: LearnableEpisode, b: LearnableEpisode): number {
  const [left, right] = [`${a.episode.goal}\n${a.episode.id}`, `${b.episode.goal}\n${b.episode.id}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
