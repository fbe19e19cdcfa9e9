import type { BrowserSession } from "#core/ports/index.ts";
import type { Desk } from "#core/turn/index.ts";

/** How long a browser waits for the next message of its conversation. */
const idleMs = 3 * 60_000;
/** Browsers kept for conversations that rest; each is a Chromium of its own. */
const mostKept = 2;

/** The desks of the conversations of this process. Their browsers are closed when they have rested for long, or too many rest. */
export interface Desks {
  /** The desk for a turn; its browser is left alone until it rests. */
  take(conversationId: string): Desk;
  /** The same without waking it: its browser goes on resting. */
  look(conversationId: string): Desk;
  /** After a turn: the browser is kept for a while, for a message that goes on with it. */
  rest(conversationId: string): void;
  /** Browsers that are open. */
  sessions(): BrowserSession[];
  /** Closes a conversation's browser and forgets its desk. */
  drop(conversationId: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param onRest told of every desk whose turn ended
 * @param renew sees to it, before a desk at rest is looked at again, that what lies on it is what is stored
 */
export function makeDesks(
  makeDesk: (conversationId: string) => Desk,
  onRest: (desk: Desk) => void = () => undefined,
  renew: (desk: Desk) => void = () => undefined,
): Desks {
  const desks = new Map<string, Desk>();
  /** Conversations whose desk a turn works on. */
  const atWork = new Set<string>();
  /** Those that rest with a browser, longest first. */
  const resting = new Map<string, NodeJS.Timeout>();

  function wake(conversationId: string): void {
    clearTimeout(resting.get(conversationId));
    resting.delete(conversationId);
  }

  async function putAway(conversationId: string): Promise<void> {
    wake(conversationId);
    const desk = desks.get(conversationId);
    if (!desk?.session) return;
    const { session } = desk;
    desk.session = null;
    // What was to be seen in it cannot be acted on any more.
    desk.page = null;
    await session.close().catch(() => undefined);
  }

  function look(conversationId: string): Desk {
    const there = desks.get(conversationId);
    if (there && !atWork.has(conversationId)) renew(there);
    const desk = there ?? makeDesk(conversationId);
    desks.set(conversationId, desk);
    return desk;
  }

  return {
    take(conversationId) {
      wake(conversationId);
      const desk = look(conversationId);
      atWork.add(conversationId);
      return desk;
    },
    look,
    rest(conversationId) {
      wake(conversationId);
      atWork.delete(conversationId);
      const rested = desks.get(conversationId);
      if (rested) onRest(rested);
      if (!desks.get(conversationId)?.session) return;
      resting.set(conversationId, setTimeout(() => void putAway(conversationId), idleMs).unref());
      for (const longest of [...resting.keys()].slice(0, -mostKept)) void putAway(longest);
    },
    sessions: () => [...desks.values()].flatMap(({ session }) => session ?? []),
    async drop(conversationId) {
      await putAway(conversationId);
      desks.delete(conversationId);
    },
    async close() {
      await Promise.all([...desks.keys()].map(putAway));
    },
  };
}
