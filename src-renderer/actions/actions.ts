import { type ChatState, runningIn } from "../store/chat-store.ts";
import type { Route, View } from "../store/route.ts";
import { saidError } from "../store/said-error.ts";
import { answerOf } from "../store/turn-parts.ts";
import type { Action } from "./action.ts";
import { focusComposer, focusSearch } from "./focus-composer.ts";

function goTo(view: View, title: string, keys?: readonly string[]): Action {
  return { id: `go-${view}`, title, section: "Go to", ...(keys === undefined ? {} : { keys }), run: ({ page }) => page.getState().go(view) };
}

/** What is on the way in the conversation that is looked at, else the only thing that is on the way at all. */
function stoppable(chat: ChatState, route: Route): { stop(): Promise<void> } | null {
  const here = route.view === "chat" ? runningIn(chat, route.item) : null;
  const one = here ?? (chat.running.length === 1 ? (chat.running[0] ?? null) : null);
  return one === null ? null : { stop: () => chat.stop(one.conversationId) };
}

/** Everything the page can be told, in the order the palette shows it. Browsers keep Ctrl+N for themselves, so it has a second key. */
export const ACTIONS: readonly Action[] = [
  {
    id: "new-conversation",
    title: "New conversation",
    section: "Conversation",
    keys: ["Mod+N", "Alt+N"],
    run: ({ page }) => {
      page.getState().go("chat");
      focusComposer();
    },
  },
  {
    id: "temporary-chat",
    title: "New temporary chat",
    section: "Conversation",
    keys: ["Mod+Shift+N", "Alt+T"],
    run: ({ page }) => {
      page.getState().beginTemporary();
      focusComposer();
    },
  },
  {
    id: "search-messages",
    title: "Search all conversations",
    section: "Conversation",
    keys: ["Mod+Shift+F"],
    run: () => focusSearch(),
  },
  {
    id: "stop",
    title: "Stop the answer",
    section: "Conversation",
    keys: ["Escape"],
    isAvailable: ({ chat, page }) => page.getState().overlay === null && stoppable(chat.getState(), page.getState().route) !== null,
    run: ({ chat, page }) => void stoppable(chat.getState(), page.getState().route)?.stop(),
  },
  { id: "focus-composer", title: "Write a message", section: "Conversation", keys: ["Shift+Escape"], run: () => focusComposer() },
  {
    id: "copy-last-reply",
    title: "Copy the last reply",
    section: "Conversation",
    keys: ["Mod+Shift+C"],
    isAvailable: ({ page, chat }) => {
      const { route } = page.getState();
      return route.view === "chat" && route.item !== null && (chat.getState().views[route.item]?.turns.length ?? 0) > 0;
    },
    run: ({ page, chat }) => {
      const { item } = page.getState().route;
      const view = item === null ? undefined : chat.getState().views[item];
      const text = view?.turns.map((turn) => answerOf(view, turn)?.text ?? "").findLast((answer) => answer !== "");
      if (text === undefined) return;
      void navigator.clipboard.writeText(text).then(
        () => page.getState().say("The last reply was copied."),
        () => page.getState().say("The reply could not be copied."),
      );
    },
  },
  {
    id: "compact",
    title: "Compact this conversation",
    section: "Conversation",
    isAvailable: ({ page, chat }) => {
      const { route } = page.getState();
      return route.view === "chat" && route.item !== null && runningIn(chat.getState(), route.item) === null;
    },
    run: ({ page, chat }) => {
      const { item } = page.getState().route;
      if (item !== null)
        void chat
          .getState()
          .compact(item)
          .catch((error: unknown) => page.getState().say(saidError(error)));
    },
  },
  {
    id: "learn-this",
    title: "Learn this conversation",
    section: "Learning",
    isAvailable: ({ page, chat }) => {
      const { route } = page.getState();
      return route.view === "chat" && route.item !== null && runningIn(chat.getState(), route.item) === null;
    },
    run: ({ page }) => {
      const { item } = page.getState().route;
      if (item !== null) page.getState().learnThis(item);
    },
  },
  { id: "teach", title: "Show me once: teach by showing", section: "Learning", run: ({ page }) => page.getState().show("teach") },
  goTo("chat", "Go to chat", ["Alt+1"]),
  goTo("skills", "Go to skills", ["Alt+2"]),
  goTo("alerts", "Go to alerts", ["Alt+3"]),
  goTo("models", "Go to models", ["Alt+4"]),
  goTo("memory", "Go to memory", ["Alt+5"]),
  goTo("permissions", "Go to permissions", ["Alt+6"]),
  goTo("activity", "Go to activity", ["Alt+7"]),
  goTo("vault", "Go to the vault", ["Alt+8"]),
  goTo("settings", "Go to settings", ["Mod+,"]),
  { id: "palette", title: "Find an action or a conversation", section: "Page", keys: ["Mod+K"], run: ({ page }) => page.getState().show("palette") },
  { id: "keys", title: "Show all keys", section: "Page", keys: ["Mod+/"], run: ({ page }) => page.getState().show("keys") },
];
