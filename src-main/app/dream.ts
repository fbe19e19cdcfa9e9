import type { Message } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import type { PassEntry, PassReport } from "#contract/learning/schema.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { type FoundFact, factKeys, factsIn } from "#core/learning/index.ts";
import type { QuietConversation } from "#core/ports/index.ts";
import { keepFact } from "./keep-fact.ts";
import { type LearnOptions, type LearnWorld, learn } from "./learn.ts";
import type { SkillWorld } from "./skills.ts";

const author = "agent:dreaming";
/** How long nothing was said in a conversation before it is looked at (SPEC 4). */
const quietMs = 30 * 60_000;
/** Conversations of one dream; the others come in the next. */
const mostConversations = 50;

/**
 * Looks at conversations that have come to rest, each once per state: for facts that the user said about themselves, and for routines that recur. What was
 * found is in the report, with where it was said. Null where there is nothing to look at, and where both memory and learning are off. Stopped by its signal
 * it goes on where it was the next time; what it found until then is kept and reported.
 */
export async function dream(world: LearnWorld, signal: AbortSignal, options: LearnOptions = {}): Promise<PassReport | null> {
  const { stores, clock } = world;
  const { memory = true, learning = true } = world.settings?.() ?? {};
  const startedAt = clock();
  const quiet = stores.learning.quietConversations(startedAt - quietMs, mostConversations);
  if (quiet.length === 0) return null;
  const entries: PassEntry[] = [];
  let messagesRead = 0;
  for (const conversation of quiet) {
    signal.throwIfAborted();
    // Facts and how far the conversation was read are written together: nothing is found twice, and nothing is passed over.
    const found = stores.transaction(() => readConversation(world, conversation, memory));
    entries.push(...found.entries);
    messagesRead += found.messagesRead;
  }
  const begun: PassReport = {
    id: world.makeId(),
    startedAt,
    endedAt: clock(),
    dryRun: false,
    episodesRead: 0,
    entries,
    note: "",
    dream: { conversations: quiet.map(({ id }) => ({ id })), messagesRead },
  };
  if (entries.length > 0) stores.learning.addReport(begun);
  const report = learning && hasOutcomes(world, quiet) ? await learnInDream(world, begun, quiet, signal, options) : begun;
  // With the states they were in: what was said meanwhile is looked at another time.
  for (const { id, state } of quiet) stores.learning.markDreamt(id, { messages: stores.conversations.messages(id).length, state }, clock());
  return memory || learning ? report : null;
}

function hasOutcomes({ stores }: SkillWorld, quiet: readonly QuietConversation[]): boolean {
  return quiet.some(({ id }) => stores.trace.episodesOf(id).some(({ outcome }) => outcome !== null));
}

async function learnInDream(
  world: LearnWorld,
  begun: PassReport,
  quiet: readonly QuietConversation[],
  signal: AbortSignal,
  options: LearnOptions,
): Promise<PassReport> {
  const { id, startedAt, entries, dream: looked } = begun;
  if (!looked) return begun;
  const isQuiet = new Set(quiet.map((one) => one.id));
  const { learning, conversations } = world.stores;
  const rests = (conversationId: string): boolean =>
    isQuiet.has(conversationId) || (conversations.get(conversationId)?.updatedAt ?? Number.POSITIVE_INFINITY) <= startedAt - quietMs;
  try {
    return await learn(world, true, signal, { ...options, dream: { id, startedAt, entries, dream: looked, rests } });
  } catch (error) {
    if (!(error instanceof KnackError) || error.code !== "model.missing") throw error;
    const report: PassReport = { ...begun, endedAt: world.clock(), note: `No routines were looked for. ${error.message}` };
    learning.addReport(report);
    return report;
  }
}

function readConversation(world: SkillWorld, { id, messagesRead }: QuietConversation, memory: boolean): { entries: PassEntry[]; messagesRead: number } {
  const { conversations, learning } = world.stores;
  const messages = conversations.messages(id);
  learning.markDreamt(id, { messages: messages.length, state: null }, world.clock());
  // What was said while memory was off is not looked at later either.
  if (!memory) return { entries: [], messagesRead: 0 };
  const own = messages.slice(messagesRead).filter(({ role, status }) => role === "user" && status === "complete");
  return { entries: own.flatMap((message) => readMessage(world, message)), messagesRead: own.length };
}

/** Only of what the user wrote themselves: no answer, no page and no result of a tool is ever read for facts. */
function readMessage(world: SkillWorld, message: Message): PassEntry[] {
  const { facts, leftOut } = factsIn(message.text);
  return [
    ...facts.map((fact) => keep(world, message, fact)),
    ...leftOut.map((reason) => entryOf(message, { decision: "skipped", reason: `left out: ${reason}`, factId: null })),
  ];
}

function keep(world: SkillWorld, message: Message, found: FoundFact): PassEntry {
  const { facts } = world.stores;
  const say = (decision: PassEntry["decision"], reason: string, factId: string | null = null): PassEntry => entryOf(message, { decision, reason, factId });
  const keys = factKeys(found.text);
  const isKnown = facts.list().some(({ text }) => factKeys(text).some((key) => keys.includes(key)));
  if (!isKnown && facts.isForgotten(keys)) return say("skipped", "you forgot this, or worded it anew, before");
  const now = world.clock();
  const fact: Fact = {
    id: world.makeId(),
    label: found.label,
    text: found.text,
    source: author,
    createdAt: now,
    updatedAt: now,
    provenance: { conversationId: message.conversationId, messageId: message.id, sentence: found.sentence },
  };
  const kept = keepFact(world.stores, fact, message.createdAt);
  switch (kept.became) {
    case "known":
      return say("unchanged", "it is known already", kept.fact.id);
    case "added":
      return say("added", "in your own words", kept.fact.id);
    case "renewed":
      return say("updated", "in the place of what you said about this before", kept.fact.id);
    default:
      return kept.because === "theirs"
        ? say("skipped", "you put down something else about this yourself, and that stays", kept.fact.id)
        : say("unchanged", "you said something else about this later", kept.fact.id);
  }
}

function entryOf(
  { id, conversationId }: Message,
  { decision, reason, factId }: { readonly decision: PassEntry["decision"]; readonly reason: string; readonly factId: string | null },
): PassEntry {
  return { goal: "", episodes: [], decision, reason, skillName: null, fact: { id: factId, conversationId, messageId: id } };
}
