import type { Skill } from "#contract/skills/schema.ts";
import { changeStatus, statusWord } from "#core/skills/index.ts";
import { loseGoals } from "./reports.ts";
import { ledgerRow, type SkillWorld } from "./skills.ts";

/** Fewest episodes that a skill rests on: of those a pass learned (SPEC 4), and of one the model made in a conversation. */
const fewest = { pass: 3, inline: 1 } as const;

/**
 * Erases a conversation with everything in it, what was proposed from it alone, the facts that dreams found in it, and its words in reports and drafts. A skill that nobody vouched for and that has too few episodes left
 * is retired, with an alert (UNT-06); a person may revive it. One transaction.
 */
export function eraseConversation(world: SkillWorld, id: string): void {
  const { conversations, facts, learning, proposals, skills, trace } = world.stores;
  world.stores.transaction(() => {
    const erased = new Set(trace.episodesOf(id).map((episode) => episode.id));
    const isErased = (episodeId: string): boolean => erased.has(episodeId);
    conversations.delete(id);
    facts.loseConversation(id);
    loseGoals(world.stores, isErased);
    for (const showing of learning.showings())
      if (showing.episodeId !== undefined && isErased(showing.episodeId))
        learning.putShowing({ ...showing, goal: "", url: "", actions: [], status: showing.status === "draft" ? "dropped" : showing.status });
    for (const proposal of proposals.list({ all: true }))
      if (proposal.evidence.some(isErased) && !proposal.evidence.some((episodeId) => trace.episode(episodeId))) proposals.erase(proposal.id);
    for (const skill of skills.list({ all: true })) if (isBereft(world, skill, isErased)) retire(world, skill);
  });
}

function isBereft({ stores }: SkillWorld, skill: Skill, isErased: (episodeId: string) => boolean): boolean {
  const revision = stores.skills.revision(skill.id, skill.activeRevision);
  if (!revision?.author.startsWith("agent:") || !revision.evidence.some(isErased)) return false;
  const made = stores.skills.ledger(skill.id).find(({ action, afterRevision }) => action !== "revert" && afterRevision === revision.number);
  // A person who accepted it answers for it.
  if (made !== undefined && !/^(?:agent:|knack$)/u.test(made.actor)) return false;
  const left = revision.evidence.filter((episodeId) => stores.trace.episode(episodeId)).length;
  return left < (revision.author === "agent:inline" ? fewest.inline : fewest.pass);
}

function retire(world: SkillWorld, skill: Skill): void {
  const { alerts, skills, vectors } = world.stores;
  vectors.remove(skill.id);
  const changed = changeStatus(skill, "lose-evidence", "rule");
  if (!changed.ok) return;
  const reason = "the conversations it was learned from were erased";
  const entry = { action: "retire", actor: "knack", reason, before: statusWord(skill), after: changed.value };
  skills.setStatus(skill.id, changed.value, ledgerRow(world, skill.id, entry), world.clock());
  alerts.add({
    id: world.makeId(),
    kind: "notice",
    title: `"${skill.name}" was retired`,
    detail: "The conversations it was learned from were erased, and too few are left. Revive it to keep it all the same.",
    skillId: skill.id,
    proposalId: null,
    revertTo: null,
    createdAt: world.clock(),
    resolvedAt: null,
    resolution: null,
  });
}
