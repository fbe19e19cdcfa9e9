import type { BecameOf } from "#contract/conversations/erasure.ts";
import type { Revision, Skill } from "#contract/skills/schema.ts";
import {
  type DerivedAgain,
  deriveAgain,
  type LearnableEpisode,
  learnable,
  nameFromGoal,
  tellsAsWritten,
  tellsByValue,
  tellsByWord,
} from "#core/learning/index.ts";
import { changeStatus, emptied, statusWord, withoutGoals } from "#core/skills/index.ts";
import type { Forgetting } from "./forgetting.ts";
import { limitsOf } from "./learn.ts";
import { whyOutdated } from "./relearn.ts";
import { addRevision, freeName, ledgerRow, type SkillWorld, setRevision, skillNamed } from "./skills.ts";

export interface ChangedSkill extends BecameOf {
  readonly id: string;
}

const actor = "knack";

/**
 * Takes what a person erased out of one skill. What the agent learned from it is emptied, and what is left decides what the skill does from now on: it is
 * derived again from the runs that are left, else put back to a revision that rests on nothing erased, else retired. What a person made or accepted stays
 * theirs, without the goals that were erased. Null where the skill kept nothing of it.
 * @param isReworded whether ways to ask for it went already
 */
export function forgetInSkill(world: SkillWorld, skillId: string, forgetting: Forgetting, isReworded: boolean): ChangedSkill | null {
  const { skills } = world.stores;
  const skill = skillNamed(world, skillId);
  const revisions = skills.revisions(skillId);
  const resting = revisions.filter(({ evidence, emptiedAt }) => emptiedAt === undefined && evidence.some((id) => forgetting.ids.has(id)));
  if (resting.length === 0) return isReworded ? { id: skillId, name: skill.name, became: "cleared" } : null;
  const gone = resting.filter((revision) => !isVouchedFor(world, revision));
  const goals = new Set([
    ...forgetting.goals,
    ...gone.flatMap(({ goal, phrasings }) => [goal, ...phrasings].filter((text) => forgetting.goals.includes(text))),
  ]);
  const cleared = revisions.flatMap((revision) => {
    if (gone.includes(revision)) return [emptied(revision, world.clock())];
    const clean = withoutGoals(revision, goals, forgetting.ids, world.digest);
    return clean === revision ? [] : [clean];
  });
  const inUse = gone.find(({ number }) => number === skill.activeRevision);
  const left = leftOf(world, skill, gone, forgetting);
  const again = inUse && left.source ? derive(world, left, forgetting) : null;
  const name = nameWithout(world, skill, forgetting, left.goals);
  const goneNumbers = new Set(gone.map(({ number }) => number));
  const tells = tellsAsWritten(forgetting);
  const ledger = skills
    .ledger(skillId)
    .filter(({ reason, afterRevision }) => reason !== "" && ((afterRevision !== undefined && goneNumbers.has(afterRevision)) || tells(reason)))
    .map((entry) => ({ ...entry, reason: "" }));
  skills.rewrite(skillId, { name, revisions: cleared, ledger });
  world.stores.vectors.remove(skillId);
  return { id: skillId, name, became: inUse ? goOn(world, skillId, again, revisions, gone) : "cleared" };
}

/** What a skill does from now on whose revision in use was emptied. */
function goOn(world: SkillWorld, id: string, again: DerivedAgain | null, revisions: readonly Revision[], gone: readonly Revision[]): BecameOf["became"] {
  const untouched = revisions.findLast((revision) => !gone.includes(revision) && revision.emptiedAt === undefined);
  if (again !== null && again.whyNotEnough === null) {
    deriveInto(world, id, again, gone);
    return "derived-again";
  }
  if (untouched) {
    setRevision(world, id, untouched.number, actor);
    return "put-back";
  }
  // Too little for a pass, but what a person may bring back holds nothing of what was erased.
  if (again !== null) deriveInto(world, id, again, gone);
  retire(world, skillNamed(world, id), again !== null);
  return "retired";
}

function deriveInto(world: SkillWorld, id: string, { content, evidence }: DerivedAgain, gone: readonly Revision[]): void {
  const author = gone.findLast(isOfPass)?.author ?? "agent:synthesis";
  const runs = `${evidence.length} ${evidence.length === 1 ? "run" : "runs"}`;
  addRevision(world, id, { content, author, actor, evidence, reason: `derived again from ${runs}, after others it rested on were erased` });
}

function isOfPass({ author }: Revision): boolean {
  return author === "agent:synthesis" || author === "agent:dreaming";
}

/** A person made it, or accepted it and answers for it. */
function isVouchedFor({ stores }: SkillWorld, { skillId, number, author }: Revision): boolean {
  if (!author.startsWith("agent:")) return true;
  const made = stores.skills.ledger(skillId).find(({ action, afterRevision }) => (action === "create" || action === "modify") && afterRevision === number);
  return made !== undefined && !/^(?:agent:|knack$)/u.test(made.actor);
}

interface Left {
  /** The revision that was derived from runs. */
  readonly source: Revision | undefined;
  /** Runs it was learned from, and those that it did well since. */
  readonly evidence: readonly LearnableEpisode[];
  readonly since: readonly LearnableEpisode[];
  readonly goals: readonly string[];
}

function leftOf(world: SkillWorld, skill: Skill, gone: readonly Revision[], { ids }: Forgetting): Left {
  const source = gone.findLast(isOfPass);
  const isOutdated = whyOutdated(world);
  const read = (episodeIds: readonly string[]): LearnableEpisode[] =>
    [...new Set(episodeIds)].flatMap((id) => {
      const episode = ids.has(id) ? undefined : world.stores.trace.episode(id);
      const run = episode?.outcome === "success" ? learnable(world.stores.trace, episode) : null;
      return run !== null && (isOutdated?.(run) ?? null) === null ? [run] : [];
    });
  const evidence = read(source?.evidence ?? []);
  const did = world.stores.skills.runs(skill.id).flatMap(({ outcome, episodeId }) => (outcome === "success" ? [episodeId] : []));
  const since = read(did.filter((id) => source?.evidence.includes(id) !== true));
  return { source, evidence, since, goals: [...evidence, ...since].map(({ episode }) => episode.goal) };
}

function derive(world: SkillWorld, { source, evidence, since, goals }: Left, forgetting: Forgetting): DerivedAgain | null {
  if (!source) return null;
  const tells = tellsByWord(forgetting, goals);
  const from = (runs: readonly LearnableEpisode[]): DerivedAgain | null => deriveAgain(source, runs, tells, limitsOf(world));
  const all = from([...evidence, ...since]);
  return all !== null && all.whyNotEnough === null ? all : (from(evidence) ?? all);
}

/** Its name, or where that holds a value that was erased one from the goals that are left. */
function nameWithout(world: SkillWorld, skill: Skill, forgetting: Forgetting, goals: readonly string[]): string {
  if (!tellsByValue(forgetting, goals)(skill.name.replaceAll("-", " "))) return skill.name;
  return freeName(world, nameFromGoal(goals[0] ?? "", [], new Date(world.clock())));
}

function retire(world: SkillWorld, skill: Skill, isLeft: boolean): void {
  const { alerts, skills } = world.stores;
  const changed = changeStatus(skill, "lose-evidence", "rule");
  if (!changed.ok) return;
  const reason = "what it was learned from was erased";
  const entry = { action: "retire", actor, reason, before: statusWord(skill), after: changed.value };
  skills.setStatus(skill.id, changed.value, ledgerRow(world, skill.id, entry), world.clock());
  alerts.add({
    id: world.makeId(),
    kind: "notice",
    title: `"${skill.name}" was retired`,
    detail: isLeft
      ? "Too little is left that it was learned from: what a pass learns takes three runs from two conversations. It was derived again from what is left; revive it to keep it all the same."
      : "Nothing is left that it was learned from. Have it learned or shown anew, or erase it.",
    skillId: skill.id,
    proposalId: null,
    revertTo: null,
    createdAt: world.clock(),
    resolvedAt: null,
    resolution: null,
  });
}
