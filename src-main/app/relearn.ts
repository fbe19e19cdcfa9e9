import { canonicalJson } from "#base/json.ts";
import { KnackError } from "#contract/errors.ts";
import type { Revision, RevisionContent, Skill } from "#contract/skills/schema.ts";
import { contentFrom, generalise, type LearnableEpisode, tidyShowing } from "#core/learning/index.ts";
import { cleanContent, contentHash, isOpenToLearning, isUsable, outdatedBefore } from "#core/skills/index.ts";
import { raiseReview, waitsForReview } from "./review.ts";
import { askedAlike, sameProcedure } from "./same-meaning.ts";
import { addRevision, type MadeRevision, reindexChanged, requireTeachable, type SkillWorld, setOpenToLearning, setStatus, skillNamed } from "./skills.ts";

/**
 * The earlier revision that carries out and checks the same, however it is worded: learning it again would change nothing (TRU-10). One that only
 * looks for something else after a step does differ: a page that was given another heading is all that many a skill stops at.
 */
export function sameRevision(world: SkillWorld, skillId: string, content: RevisionContent): Revision | undefined {
  const wanted = deedsOf(content);
  return world.stores.skills.revisions(skillId).find((revision) => {
    const { whenToUse, summary, goal } = revision;
    return revision.contentHash === contentHash({ ...content, whenToUse, summary, goal }, world.digest) || deedsOf(revision) === wanted;
  });
}

/** The revision in use, where it has the same hash. */
function exactRevision(world: SkillWorld, skillId: string, content: RevisionContent): Revision | undefined {
  const active = world.stores.skills.revision(skillId, skillNamed(world, skillId).activeRevision);
  return active?.contentHash === contentHash(cleanContent(content), world.digest) ? active : undefined;
}

function deedsOf({ steps }: Pick<RevisionContent, "steps">): string {
  return canonicalJson(steps.map((step) => ({ deed: step.call ?? step.do, check: step.check ?? null, repeats: step.repeatUntilNext === true })));
}

/** Whether a person asked for a skill that is off to be learned again. */
export function isToBeRelearned(world: SkillWorld, skill: Skill): boolean {
  return !isUsable(skill.status) && isOpenToLearning(world.stores.skills.ledger(skill.id));
}

/**
 * Of the skills that are to be learned again the one these words would have recalled, on a site it works on: what it presses there may have changed
 * since, which is why it is off.
 */
export async function skillToRelearn(world: SkillWorld, content: RevisionContent, signal: AbortSignal): Promise<Skill | undefined> {
  const waiting = world.stores.skills.list({ all: true }).filter((skill) => isToBeRelearned(world, skill));
  return askedAlike(world, waiting, content, signal);
}

/**
 * Which runs are no evidence any more: those of a skill, or of its procedure, from before drift switched it off and a person had it learned again. They
 * show how it was done then, and would bring back what stopped working. Null where no skill was learned again.
 */
export function whyOutdated(world: SkillWorld): ((run: LearnableEpisode) => string | null) | null {
  const { skills } = world.stores;
  const relearned = skills.list({ all: true }).flatMap((skill) => {
    const since = outdatedBefore(skills.ledger(skill.id));
    if (since === 0) return [];
    const revisions = skills.revisions(skill.id);
    const episodes = new Set([...skills.runs(skill.id).map((run) => run.episodeId), ...revisions.flatMap(({ evidence }) => evidence)]);
    return [{ name: skill.name, since, revisions, episodes }];
  });
  if (relearned.length === 0) return null;
  return (run) => {
    const { id, createdAt } = run.episode;
    const of = relearned.find(
      ({ since, episodes, revisions }) => createdAt < since && (episodes.has(id) || revisions.some((revision) => sameProcedure(revision, contentOf(run)))),
    );
    return of ? `older than the day "${of.name}" stopped working` : null;
  };
}

function contentOf({ episode, actions }: LearnableEpisode): RevisionContent {
  const day = new Date(episode.createdAt);
  return contentFrom(episode.goal, generalise(episode.goal, tidyShowing(actions).kept, day));
}

/**
 * The next revision of a skill that may be off, and the skill in use again, unless it was learned by the agent and the user looks at such first. What was
 * asked before may still be asked, so the earlier ways to ask stay. Throws "skill.unchanged" (exit 3) where an earlier revision says the same, "skill.authored" for a skill of a pack.
 */
export async function relearn(
  world: SkillWorld,
  skill: Skill,
  made: MadeRevision & {
    readonly actor: string /** Other words and inputs make it another one as well: a person looked at each of them. */;
    readonly isExact?: boolean;
  },
  signal: AbortSignal,
): Promise<Revision> {
  const revision = world.stores.transaction(() => {
    const active = world.stores.skills.revision(skill.id, skillNamed(world, skill.id).activeRevision);
    requireTeachable(world, skill.id);
    const phrasings = [...made.content.phrasings, ...(active ? [active.goal, ...active.phrasings] : [])].filter((text) => text !== "");
    const content = { ...made.content, phrasings: [...new Set(phrasings)] };
    const same = made.isExact ? exactRevision(world, skill.id, content) : sameRevision(world, skill.id, content);
    const added = same ? null : addRevision(world, skill.id, { ...made, content });
    const now = skillNamed(world, skill.id);
    if (!added) throw unchanged(now, same?.number ?? now.activeRevision);
    if (isUsable(now.status)) return added;
    if (!waitsForReview(world, made.author)) setStatus(world, skill.id, "active", made.actor, made.reason);
    else {
      setOpenToLearning(world, skill.id, false, made.actor, made.reason);
      raiseReview(world, now);
    }
    return added;
  });
  await reindexChanged(world, skill.id, signal);
  return revision;
}

function unchanged({ name, status, activeRevision }: Skill, number: number): KnackError {
  const goBack = number === activeRevision ? [] : [`knack skills revert ${name} ${number}`];
  const switchOn = isUsable(status) ? [] : [`knack skills ${status === "retired" ? "revive" : "enable"} ${name}`];
  const ways = [...goBack, ...switchOn];
  const wayOn = ways.length === 0 ? "" : ` Use that one with: ${ways.join(" and ")}`;
  return new KnackError("skill.unchanged", `It says the same as revision ${number} of "${name}", so nothing was changed.${wayOn}`, { exit: 3 });
}

/** A showing takes the place of what a skill did so far. */
export async function teachAgain(
  world: SkillWorld,
  name: string,
  content: RevisionContent,
  { by, evidence, reason }: { readonly by: string; readonly evidence: readonly string[]; readonly reason: string },
  signal: AbortSignal,
): Promise<Skill> {
  const skill = skillNamed(world, name);
  await relearn(world, skill, { content, author: `human:${by}`, actor: `human:${by}`, evidence, reason }, signal);
  return skillNamed(world, skill.id);
}
