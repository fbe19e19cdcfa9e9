import type { Step } from "#contract/chat/schema.ts";
import type { Call } from "#contract/skills/schema.ts";
import { toolName } from "../envelope/index.ts";
import { addressesIn, type Sources } from "../gates/index.ts";
import type { PageView } from "../ports/browser.ts";
import type { Stores } from "../ports/stores.ts";
import { textsIn } from "../skills/index.ts";
import { speaksOfMemory } from "./memory-talk.ts";
import { speaksOfSkills } from "./skill-talk.ts";

interface Asked {
  readonly turnId: string;
  readonly episodeId: string;
  readonly page: PageView | null;
  readonly due: Call | null;
}

/** Tools whose results are Knack's own words, or the user's. */
const own = new Set(["reply", "ask_user", "skill_leave", "skill_list", "skill_show", "skill_create", "skill_modify", "skill_remove", "remember"]);

/** Where words of a call of this turn can have come from, as the stores have it now. */
export function sourcesOf({ conversations, trace }: Pick<Stores, "conversations" | "trace">, { turnId, episodeId, page, due }: Asked): Sources {
  const conversationId = trace.turn(turnId)?.conversationId;
  const messages = conversationId === undefined ? [] : conversations.messages(conversationId).filter(({ role }) => role === "user");
  const newest = messages.findLast((message) => message.turnId === turnId)?.text ?? "";
  const steps = trace.stepsOfEpisode(episodeId).filter(({ tool, status }) => status === "ok" && !own.has(toolName(tool)));
  const pages = steps.filter(({ tool }) => /^(?:browser_|web_fetch$)/u.test(toolName(tool)));
  const visited = [...pages.flatMap(addressOf), ...(page === null ? [] : [page.url])];
  const written = [...pages.flatMap(toldBy), ...(page === null ? [] : page.lines)];
  return {
    user: messages.map(({ text }) => text),
    goal: trace.episode(episodeId)?.goal ?? "",
    visited,
    addresses: [...written.flatMap(addressesIn), ...(page?.elements.flatMap(({ href }) => href ?? []) ?? [])],
    told: [...steps.flatMap(toldBy), ...(page === null ? [] : [page.title, ...page.lines])],
    due,
    speaksOf: { skills: speaksOfSkills(newest), memory: speaksOfMemory(newest) },
  };
}

/** Where a step led, as the page said when it was there. */
function addressOf({ details }: Step): string[] {
  const { url } = { ...(details.after as { readonly url?: unknown } | undefined) };
  return [url, details.url].filter((one) => typeof one === "string");
}

function toldBy({ text, details }: Step): string[] {
  return [text, ...textsIn({ after: details.after, value: details.value, table: details.table })];
}
