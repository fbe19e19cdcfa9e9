import type { Conversation } from "#contract/chat/schema.ts";
import { lineOf } from "#core/turn/index.ts";
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
    const isOld = ({ id, updatedAt }: Conversation): boolean => now - updatedAt > keepDays * day && !trace.turns(id).some(({ status }) => status === "running");
    const all = conversations.list();
    // What a branch goes on from is in use as long as the branch is.
    const used = new Set(all.filter((one) => !isOld(one)).flatMap(({ id }) => lineOf(world.stores, id).map(({ conversationId }) => conversationId)));
    const old = all.filter(({ id }) => !used.has(id));
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
