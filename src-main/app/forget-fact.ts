import { fold } from "#base/text.ts";
import type { Message, Step } from "#contract/chat/schema.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { factKeys, type Telling, tellingOf, withoutSpans } from "#core/learning/index.ts";
import type { Stores } from "#core/ports/index.ts";

type World = { readonly stores: Pick<Stores, "facts" | "trace" | "alerts" | "conversations" | "learning" | "skills" | "vectors" | "transaction"> };

/** What stands where a fact was quoted. */
const forgottenWords = "What this told of was forgotten.";

/**
 * Takes a fact out of everything that Knack wrote of it, in one transaction: its row with its words in the index and all it said before, the steps by which it
 * was kept or looked up, alerts, Knack's own answers, what it called its conversation and task after it, what a compaction tells and a pass reported of it.
 * What the user wrote stays as they wrote it, and goes with its conversation; what of it tells the fact is marked, and no model reads it again.
 */
export function forgetFact({ stores }: World, fact: Fact, at: number): void {
  const { facts } = stores;
  stores.transaction(() => {
    const history = facts.history(fact.id);
    const said = [fact.text, ...history.map(({ text }) => text)];
    const texts = [...said, ...[fact.provenance, ...history.map(({ provenance }) => provenance)].map((place) => place?.sentence ?? "")];
    const since = sinceOf(stores, fact);
    facts.remove(fact.id, at);
    const tells = tellingOf(said, facts.list());
    forgetInSteps(stores, fact.id, texts);
    forgetInAlerts(stores, texts);
    forgetInConversations(stores, tells, fact.provenance?.conversationId ?? null, since);
  });
}

/** When it can have been said first; nothing that Knack said before tells of it. */
function sinceOf({ conversations, facts }: World["stores"], fact: Fact): number {
  const places = [fact.provenance, ...facts.history(fact.id).map(({ provenance }) => provenance)];
  const said = places.flatMap((place) => (place ? (conversations.message(place.messageId)?.createdAt ?? []) : []));
  return Math.min(fact.createdAt, ...said);
}

function forgetInConversations(stores: World["stores"], tells: Telling, toldIn: string | null, since: number): void {
  const { conversations } = stores;
  for (const conversation of conversations.list()) {
    const messages = conversations.messages(conversation.id);
    const own = messages.filter(({ role, text }) => role === "user" && tells(text).length > 0);
    for (const { id, text } of own) conversations.markForgotten(id, tells(text));
    const isTold = own.length > 0 || conversation.id === toldIn;
    const answers = messages.filter((message) => message.role === "assistant" && (isTold || message.createdAt >= since) && tells(message.text).length > 0);
    for (const { id, text, status } of answers) conversations.updateMessage(id, withoutSpans(text, tells(text)), status);
    if (!isTold && answers.length === 0) continue;
    if (tells(conversation.title).length > 0)
      conversations.rename(conversation.id, withoutSpans(conversation.title, tells(conversation.title)), conversation.updatedAt);
    for (const { id, text } of conversations.compactions(conversation.id))
      if (tells(text).length > 0) conversations.rewordCompaction(id, withoutSpans(text, tells(text)));
    forgetInTasks(stores, conversation.id, [...own, ...answers], tells);
  }
}

/** The goals of tasks are the user's words written down once more; so is what recall compared, and the steps that were said. */
function forgetInTasks({ trace, skills, vectors, learning }: World["stores"], conversationId: string, messages: readonly Message[], tells: Telling): void {
  const mask = (text: string): string => withoutSpans(text, tells(text));
  const turns = trace.turns(conversationId).filter(({ id }) => messages.some(({ turnId }) => turnId === id));
  const episodes = new Set(turns.map(({ episodeId }) => episodeId));
  const goals: string[] = [];
  for (const turn of turns) {
    if (turn.recall && tells(JSON.stringify(turn.recall)).length > 0) trace.updateTurn({ ...turn, recall: masked(turn.recall, mask) });
    for (const step of trace.stepsOfTurn(turn.id)) if (isSaid(step) && tells(textOf(step)).length > 0) trace.updateStep(masked(step, mask));
  }
  for (const id of episodes) {
    const episode = trace.episode(id);
    if (!episode || tells(episode.goal).length === 0) continue;
    goals.push(episode.goal);
    trace.updateEpisode({ ...episode, goal: mask(episode.goal) });
    vectors.remove(id);
  }
  if (goals.length === 0) return;
  // What a skill would be asked for with these words; its other ways of asking are found by when it is next looked for.
  for (const skillId of skills.forgetPhrasings([...episodes], goals)) vectors.remove(skillId);
  for (const report of learning.reports(-1)) {
    const entries = report.entries.map((entry) =>
      tells(`${entry.goal}\n${entry.reason}`).length > 0 ? { ...entry, goal: mask(entry.goal), reason: mask(entry.reason) } : entry,
    );
    if (entries.some((entry, index) => entry !== report.entries[index])) learning.addReport({ ...report, entries });
  }
}

function isSaid({ tool }: Step): boolean {
  return tool === "reply" || tool === "ask_user";
}

function textOf({ args, text }: Step): string {
  return [...Object.values(args).map(String), text].join("\n");
}

/** A value with every text in it changed. */
function masked<T>(value: T, mask: (text: string) => string): T {
  if (typeof value === "string") return mask(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => masked(item, mask)) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, /(?:^i|I)ds?$/u.test(key) ? item : masked(item, mask)])) as T;
}

function forgetInSteps({ trace }: World["stores"], id: string, texts: readonly string[]): void {
  const keys = new Set(texts.filter((text) => text !== "").flatMap(factKeys));
  const tells = quotes(texts);
  for (const step of trace.stepsOfMemory()) {
    const given = Object.values(step.args).map(String);
    if (!names(step, id) && !tells([...given, step.text].join("\n")) && !given.some((text) => factKeys(text).some((key) => keys.has(key)))) continue;
    const details = Object.fromEntries(
      Object.entries(step.details).filter(([key]) => key === "factId" || key === "facts" || key === "messages" || key === "code"),
    );
    trace.updateStep({ ...step, args: {}, text: forgottenWords, details });
  }
}

/** Whether a step says of itself that it was about this fact. */
function names({ details }: Step, id: string): boolean {
  return details.factId === id || (Array.isArray(details.facts) && details.facts.includes(id));
}

function forgetInAlerts({ alerts }: World["stores"], texts: readonly string[]): void {
  const tells = quotes(texts);
  for (const { id, title, detail, resolution } of alerts.list({ all: true })) {
    if (!tells(`${title}\n${detail}\n${resolution ?? ""}`)) continue;
    alerts.reword(id, {
      title: tells(title) ? forgottenWords : title,
      detail: tells(detail) ? forgottenWords : detail,
      resolution: resolution !== null && tells(resolution) ? forgottenWords : resolution,
    });
  }
}

/** Whether a text holds one of these as it was written; what is too short to tell anything is not looked for. */
function quotes(texts: readonly string[]): (text: string) => boolean {
  const wanted = texts.map(fold).filter((text) => text.length > 3);
  return (text) => {
    const folded = fold(text);
    return wanted.some((one) => folded.includes(one));
  };
}
