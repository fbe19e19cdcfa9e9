import { clip, squash } from "#base/text.ts";
import type { Alert } from "#contract/alerts/schema.ts";
import type { TurnEvent } from "#contract/chat/schema.ts";
import type { News, Notice } from "#contract/news.ts";
import type { Settings } from "#contract/settings/schema.ts";

/** How often it is looked for what nobody told of: alerts of a learning pass, of another process, settings. */
const lookEveryMs = 15_000;
const longestText = 140;

export interface NewsWorld {
  readonly alerts: () => readonly Alert[];
  readonly titleOf: (conversationId: string) => string | undefined;
  readonly conversationOf: (turnId: string) => string | undefined;
  readonly settings: () => Pick<Settings, "notifications" | "staysInTray">;
}

export interface NewsDesk {
  /** Takes note of what happens in a turn. */
  heard(event: TurnEvent): void;
  /** Looks for what nobody told of. */
  look(): void;
  /** Tells at once how things stand, and from then on of each change, until the signal. */
  listen(listener: (news: News) => void, signal: AbortSignal): void;
}

/** Tells those who do not look at the page. With notifications off only counts and switches are told. */
export function makeNews({ alerts, titleOf, conversationOf, settings }: NewsWorld): NewsDesk {
  const listeners = new Set<(news: News) => void>();
  let known = new Set<string>();
  let last = "";

  function tell(notice: Notice | null): void {
    const { notifications, staysInTray } = settings();
    const standing = { alerts: alerts().length, staysInTray };
    const told = notifications ? notice : null;
    const now = JSON.stringify(standing);
    if (told === null && now === last) return;
    last = now;
    for (const listener of listeners) listener({ ...standing, notice: told });
  }

  function look(): void {
    const open = alerts();
    const fresh = open.filter(({ id }) => !known.has(id));
    known = new Set(open.map(({ id }) => id));
    for (const { title, detail } of fresh)
      tell({ kind: "alert", title: clip(squash(title), longestText), text: clip(squash(detail), longestText), route: "#/alerts" });
    tell(null);
  }

  return {
    look,
    heard(event) {
      if (listeners.size === 0) return;
      if (event.type === "approval-requested") {
        const conversation = conversationOf(event.turnId);
        tell({ kind: "question", title: "Knack asks you", text: clip(squash(event.reason), longestText), route: routeTo(conversation) });
      }
      if (event.type === "turn-finished") {
        const { conversationId, status } = event.turn;
        // Who stopped it knows.
        if (status === "done" || status === "failed")
          tell({ kind: "answer", title: "Knack has answered", text: clip(squash(titleOf(conversationId) ?? ""), longestText), route: routeTo(conversationId) });
        look();
      }
    },
    listen(listener, signal) {
      if (signal.aborted) return;
      // What stood there before is no news.
      if (listeners.size === 0) known = new Set(alerts().map(({ id }) => id));
      listeners.add(listener);
      last = "";
      tell(null);
      const timer = setInterval(look, lookEveryMs);
      timer.unref();
      signal.addEventListener("abort", () => {
        clearInterval(timer);
        listeners.delete(listener);
      });
    },
  };
}

function routeTo(conversation: string | undefined): string {
  return conversation === undefined ? "#/chat" : `#/chat/${encodeURIComponent(conversation)}`;
}
