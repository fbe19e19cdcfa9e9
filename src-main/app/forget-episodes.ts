import type { Episode } from "#contract/chat/schema.ts";
import type { BecameOf } from "#contract/conversations/erasure.ts";
import type { Showing } from "#contract/learning/schema.ts";
import type { Log } from "#core/ports/index.ts";
import { type ChangedSkill, forgetInSkill } from "./forget-in-skill.ts";
import { forgetInAlerts, forgetInRecalls, forgetInReports, forgetInRuns } from "./forget-traces.ts";
import { type Forgetting, readForgetting } from "./forgetting.ts";
import { reindex, type SkillWorld } from "./skills.ts";

export interface ForgettingWorld extends SkillWorld {
  readonly log: Log;
}

/** What is to be erased. */
interface Wanted {
  readonly episodes: readonly Episode[];
  /** The conversation that goes with all of it; null where it stays. */
  readonly conversationId: string | null;
}

/**
 * Takes episodes out of everything that was made from them, in one transaction: proposals and phrasings, skills and their history, runs, pass reports, alerts
 * and what recall noted in other conversations. `wanted` is read under the same lock; `remove` takes away the episodes themselves.
 */
export async function forgetEpisodes(
  world: ForgettingWorld,
  wanted: () => Wanted,
  remove: (episodes: readonly Episode[]) => void,
  signal: AbortSignal,
): Promise<BecameOf[]> {
  const { stores, clock } = world;
  const changed = stores.transaction(() => {
    const { episodes, conversationId } = wanted();
    const forgetting = readForgetting(world, episodes);
    const ids = [...forgetting.ids];
    const kept = new Map(stores.skills.list({ all: true }).map((skill) => [skill.id, skill.name]));
    forgetFacts(world, episodes, conversationId);
    remove(episodes);
    stores.trace.markGone(ids, "erased", clock());
    for (const { id, evidence } of stores.proposals.list({ all: true })) if (evidence.some((one) => forgetting.ids.has(one))) stores.proposals.erase(id);
    const reworded = new Set(stores.skills.forgetPhrasings(ids, forgetting.goals));
    for (const id of reworded) stores.vectors.remove(id);
    const skills = [...kept.keys()].flatMap((id) => forgetInSkill(world, id, forgetting, reworded.has(id)) ?? []);
    forgetDrafts(world, forgetting);
    forgetInRuns(world, forgetting);
    forgetInReports(world, forgetting);
    forgetInAlerts(world, forgetting);
    for (const skill of skills) forgetInRecalls(world, skill, kept.get(skill.id) ?? skill.name);
    return skills;
  });
  await findAgain(world, changed, signal);
  return changed.map(({ name, became }) => ({ name, became }));
}

/** Facts about the user that were found in what goes; they may be said, and found, again. */
function forgetFacts({ stores }: SkillWorld, episodes: readonly Episode[], conversationId: string | null): void {
  if (conversationId !== null) stores.facts.loseConversation(conversationId);
  for (const { id, conversationId: from } of episodes) {
    const turns = new Set(stores.trace.turnsOfEpisode(id).map((turn) => turn.id));
    stores.facts.loseMessages(stores.conversations.messages(from).flatMap((message) => (turns.has(message.turnId) ? [message.id] : [])));
  }
}

/**
 * Drafts of a skill that stand for a showing are the episode over again. Others that were made of runs of a skill, or name one that is alike, hold
 * goals of episodes: those are made anew of what is left, when a person next looks at them.
 */
function forgetDrafts({ stores }: SkillWorld, { ids, goals }: Forgetting): void {
  const holds = (showing: Showing): boolean => {
    const text = JSON.stringify([showing.base, showing.edits]);
    return goals.some((goal) => text.includes(JSON.stringify(goal).slice(1, -1)));
  };
  for (const showing of stores.learning.showings()) {
    if (showing.episodeId !== undefined && ids.has(showing.episodeId)) {
      const status = showing.status === "draft" ? "dropped" : showing.status;
      stores.learning.putShowing({ ...showing, goal: "", url: "", actions: [], base: null, edits: [], status });
    } else if (!goals.includes(showing.goal) && holds(showing)) stores.learning.putShowing({ ...showing, base: null, edits: [] });
  }
}

/** The words that are left are read anew. Where the embedder cannot, recall sees to it when it is next asked. */
async function findAgain(world: ForgettingWorld, skills: readonly ChangedSkill[], signal: AbortSignal): Promise<void> {
  for (const { id, became } of skills) {
    if (became === "retired") continue;
    try {
      await reindex(world, id, signal);
    } catch (error) {
      world.log.warn("reindex-failed", { skillId: id, error });
      return;
    }
  }
}
