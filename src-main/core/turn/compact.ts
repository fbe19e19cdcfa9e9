import { clip, squash } from "#base/text.ts";
import type { Compaction } from "#contract/chat/context.ts";
import type { Message, Outcome, Step, Turn } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import type { LanguageModel, PromptMessage } from "../ports/language-model.ts";
import { freezeState } from "../skills/index.ts";
import { compactedMessage, compactionOn, promptHistory, standingCompaction } from "./desk.ts";
import { turnsInLine } from "./line.ts";
import { systemText } from "./system-text.ts";
import type { Desk, TurnWorld } from "./world.ts";

/** The newest turns stay word for word as far as they take no more than this share of the context. */
const keptShare = 1 / 4;
/** The short text takes at most this share; the oldest turns are left out of it whole, and counted. */
const textShare = 1 / 8;
const longestGoal = 400;
const longestAnswer = 200;
/** What a chat template puts around a message, in tokens. */
const aroundMessage = 5;

/**
 * Puts a short text in the place of the older turns of a conversation in its prompt. It is made by code from what is stored: what was asked, what came of
 * it, the files that came, and the beginning of each answer, each said to be whose it is. Messages and steps stay as they are. Throws
 * "conversation.nothing-to-compact" where the prompt would not become shorter, and stores nothing then.
 */
export async function compact(world: TurnWorld, desk: Desk, model: LanguageModel): Promise<Compaction> {
  const { conversations } = world.stores;
  const { L1 } = await world.blocks();
  const system = systemText({ world, state: freezeState(world.state()) }, false, L1);
  const size = (history: readonly PromptMessage[]): number =>
    [{ text: system }, ...history].reduce((sum, { text }) => sum + model.countTokens(text) + aroundMessage, 0);
  const covered = turnsInLine(world.stores, desk.conversationId);
  const turns = covered.filter(({ id }) => desk.starts.has(id));
  const kept = firstKept(turns, desk, (history) => size(history) - size([]), model.contextSize * keptShare);
  const through = turns[kept - 1];
  const at = kept < turns.length ? (desk.starts.get(turns[kept]?.id ?? "") ?? 0) : desk.messages.length;
  const tokensBefore = size(promptHistory(desk));
  const taken = through ? covered.slice(0, covered.findIndex(({ id }) => id === through.id) + 1) : [];
  const text = shortText(world, desk.conversationId, taken, (lines) => model.countTokens(lines) <= model.contextSize * textShare);
  const after = [compactedMessage(text, desk.marker), ...desk.messages.slice(at)];
  const tokensAfter = size(after);
  if (through === undefined || tokensAfter >= tokensBefore)
    throw new KnackError("conversation.nothing-to-compact", "There is nothing to compact: the prompt would not become shorter by it.");
  const compaction: Compaction = {
    id: world.makeId(),
    conversationId: desk.conversationId,
    throughTurnId: through.id,
    turns: taken.length,
    text,
    tokensBefore,
    tokensAfter,
    madeAt: world.clock(),
    undoneAt: null,
  };
  world.stores.transaction(() => {
    for (const { id, undoneAt } of conversations.compactions(desk.conversationId)) if (undoneAt === null) conversations.undoCompaction(id, world.clock());
    conversations.addCompaction(compaction);
    conversations.setContext(desk.conversationId, { used: tokensAfter, size: model.contextSize });
  });
  desk.compaction = compactionOn(world.stores, desk);
  return compaction;
}

/** The newest compaction that holds is taken back: what it stood for is in the prompt again, byte for byte. Throws "conversation.not-compacted". */
export function undoCompaction(world: Pick<TurnWorld, "stores" | "clock">, desk: Desk): Compaction {
  const { conversations } = world.stores;
  const standing = standingCompaction(world.stores, desk.conversationId);
  if (standing === undefined) throw new KnackError("conversation.not-compacted", "This conversation is not compacted, so there is nothing to undo.");
  const at = world.clock();
  const context = conversations.context(desk.conversationId);
  world.stores.transaction(() => {
    conversations.undoCompaction(standing.id, at);
    if (context) {
      const grown = Math.max(0, context.used - standing.tokensAfter);
      conversations.setContext(desk.conversationId, { ...context, used: standing.tokensBefore + grown });
    }
  });
  desk.compaction = null;
  return { ...standing, undoneAt: at };
}

/** Index of the first turn that stays word for word; the number of turns where none does. */
function firstKept(turns: readonly Turn[], desk: Desk, size: (history: readonly PromptMessage[]) => number, room: number): number {
  let kept = turns.length;
  while (kept > 1 && size(desk.messages.slice(desk.starts.get(turns[kept - 1]?.id ?? "") ?? 0)) <= room) kept -= 1;
  return kept;
}

/** One entry a turn, in order; the oldest ones are left out where they take too much room. */
function shortText(world: TurnWorld, conversationId: string, turns: readonly Turn[], fits: (lines: string) => boolean): string {
  const said = Map.groupBy(world.messagesForPrompt(conversationId), ({ turnId }) => turnId);
  let entries: string[] = [];
  const textOf = (all: readonly string[]): string => [...leftOutLine(turns.length - all.length), ...all].join("\n");
  for (const turn of turns.toReversed()) {
    const more = [entryOf(world.stores, turn, said.get(turn.id) ?? []), ...entries];
    if (!fits(textOf(more)) && entries.length > 0) break;
    entries = more;
  }
  return textOf(entries);
}

function leftOutLine(count: number): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? "turn" : "turns"} before these ${count === 1 ? "is" : "are"} left out.`];
}

const outcomes: Readonly<Record<Outcome, string>> = {
  success: "It worked.",
  claimed_success: "Knack said that it worked.",
  failure: "It did not work.",
  abandoned: "",
};

function entryOf({ trace }: TurnWorld["stores"], turn: Turn, messages: readonly Message[]): string {
  const said = (role: Message["role"]): string =>
    messages
      .filter((message) => message.role === role)
      .map(({ text }) => text)
      .join(" ");
  const outcome = trace.episode(turn.episodeId)?.outcome ?? null;
  const files = filesOf(trace.stepsOfTurn(turn.id));
  const answer = beginning(said("assistant"));
  return [
    `- The user asked: ${clip(squash(said("user")), longestGoal)}`,
    ...(answer === "" ? [] : [`  Knack answered: ${answer}`]),
    ...(files.length === 0 ? [] : [`  Files: ${files.join(", ")}`]),
    ...(outcome === null || outcomes[outcome] === "" ? [] : [`  ${outcomes[outcome]}`]),
  ].join("\n");
}

/** The first sentences of an answer, as far as they are short. */
function beginning(answer: string): string {
  let told = "";
  for (const sentence of squash(answer).split(/(?<=[.!?…])\s+/u)) {
    const more = `${told} ${sentence}`.trim();
    if (told !== "" && more.length > longestAnswer) break;
    told = more;
  }
  return clip(told, longestAnswer);
}

function filesOf(steps: readonly Step[]): string[] {
  return [...new Set(steps.flatMap(({ details }) => (Array.isArray(details.downloads) ? details.downloads.map(String) : [])))];
}
