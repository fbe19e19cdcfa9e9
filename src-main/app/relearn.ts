import { canonicalJson } from "#base/json.ts";
import { KnackError } from "#contract/errors.ts";
import type { Revision, RevisionContent, Skill } from "#contract/skills/schema.ts";
import { contentHash, isAuthored, isUsable } from "#core/skills/index.ts";
import { addRevision, type MadeRevision, reindex, type SkillWorld, setStatus, skillNamed } from "./skills.ts";

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

function deedsOf({ steps }: Pick<RevisionContent, "steps">): string {
  return canonicalJson(steps.map((step) => ({ deed: step.call ?? step.do, check: step.check ?? null, repeats: step.repeatUntilNext === true })));
}

/**
 * The next revision of a skill that may be off, and the skill in use again. What was asked before may still be asked, so the earlier ways to ask stay.
 * Throws "skill.unchanged" (exit 3) where an earlier revision says the same, "skill.authored" for a skill of a pack.
 */
export async function relearn(world: SkillWorld, skill: Skill, made: MadeRevision & { readonly actor: string }, signal: AbortSignal): Promise<Revision> {
  const revision = world.stores.transaction(() => {
    const active = world.stores.skills.revision(skill.id, skillNamed(world, skill.id).activeRevision);
    if (isAuthored(active?.author ?? ""))
      throw new KnackError("skill.authored", `"${skill.name}" belongs to a pack; what is learned cannot change it.`, { exit: 3 });
    const phrasings = [...made.content.phrasings, ...(active ? [active.goal, ...active.phrasings] : [])].filter((text) => text !== "");
    const content = { ...made.content, phrasings: [...new Set(phrasings)] };
    const same = sameRevision(world, skill.id, content);
    const added = same ? null : addRevision(world, skill.id, { ...made, content });
    if (!added)
      throw new KnackError(
        "skill.unchanged",
        `It says the same as revision ${same?.number ?? skill.activeRevision} of "${skill.name}", so nothing was changed. Go back to it with: knack skills revert ${skill.name} ${same?.number ?? skill.activeRevision}`,
        { exit: 3 },
      );
    if (!isUsable(skillNamed(world, skill.id).status)) setStatus(world, skill.id, "active", made.actor, made.reason);
    return added;
  });
  await reindex(world, skill.id, signal);
  return revision;
}

/** A showing takes the place of what a skill did so far. */
export async function teachAgain(
  world: SkillWorld,
  name: string,
  content: RevisionContent,
  { by, reason }: { readonly by: string; readonly reason: string },
  signal: AbortSignal,
): Promise<Skill> {
  const skill = skillNamed(world, name);
  await relearn(world, skill, { content, author: `human:${by}`, actor: `human:${by}`, evidence: [], reason }, signal);
  return skillNamed(world, skill.id);
}
