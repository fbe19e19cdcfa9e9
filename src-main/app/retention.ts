import type { SkillWorld } from "./skills.ts";

const day = 86_400_000;

/**
 * Lets go of conversations that nobody has used for as many days as the user wants them kept. Unlike what a person erases, this takes nothing from skills:
 * they go on, and show the episodes they were learned from as pruned. Returns how many went.
 * @param onGone told of each that went, once all have
 */
export function pruneOld(world: SkillWorld, onGone: (conversationId: string) => void = () => undefined): number {
  const { conversations, trace } = world.stores;
  const keepDays = world.settings?.().keepDays ?? null;
  if (keepDays === null) return 0;
  const now = world.clock();
  const gone = world.stores.transaction(() => {
    const old = conversations
      .list()
      .filter(({ id, updatedAt }) => now - updatedAt > keepDays * day && !trace.turns(id).some(({ status }) => status === "running"));
    for (const { id } of old) {
      trace.markGone(
        trace.episodesOf(id).map((episode) => episode.id),
        "pruned",
        now,
      );
      conversations.delete(id);
    }
    return old;
  });
  for (const { id } of gone) onGone(id);
  return gone.length;
}
