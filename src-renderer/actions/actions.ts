import type { View } from "../store/route.ts";
import { answerOf } from "../store/turn-parts.ts";
import type { Action } from "./action.ts";
import { focusComposer } from "./focus-composer.ts";

function goTo(view: View, title: string, keys?: readonly string[]): Action {
  return { id: `go-${view}`, title, section: "Go to", ...(keys === undefined ? {} : { keys }), run: ({ page }) => page.getState().go(view) };
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
    id: "stop",
    title: "Stop the answer",
    section: "Conversation",
    keys: ["Escape"],
    isAvailable: ({ chat, page }) => chat.getState().running !== null && page.getState().overlay === null,
    run: ({ chat }) => void chat.getState().stop(),
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
    id: "learn-this",
    title: "Learn this conversation",
    section: "Learning",
    isAvailable: ({ page, chat }) => {
      const { route } = page.getState();
      return route.view === "chat" && route.item !== null && chat.getState().running?.conversationId !== route.item;
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
  goTo("vault", "Go to the vault", ["Alt+7"]),
  goTo("settings", "Go to settings", ["Mod+,"]),
  { id: "palette", title: "Find an action or a conversation", section: "Page", keys: ["Mod+K"], run: ({ page }) => page.getState().show("palette") },
  { id: "keys", title: "Show all keys", section: "Page", keys: ["Mod+/"], run: ({ page }) => page.getState().show("keys") },
];
