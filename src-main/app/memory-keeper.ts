import { clip, fold, squash } from "#base/text.ts";
import type { Message, Turn } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { factKeys, factSlot, factsNamed, factsSpokenOf, groundedFact, tellingOf, whyNotKept, withoutSpans } from "#core/learning/index.ts";
import type { KeptInTurn, MemoryKeeper, PastMessage, Stores } from "#core/ports/index.ts";
import { asksToForget, asksToForgetAlone } from "#core/tools/index.ts";
import { answerAboutUser, answerToTold, knownFor, questionAfter } from "./about-user.ts";
import { forgottenSpans } from "./forgotten-spans.ts";
import { isUsersOwn, keepFact } from "./keep-fact.ts";

export interface MemoryKeeperWorld {
  readonly stores: Pick<Stores, "facts" | "conversations" | "trace" | "transaction">;
  readonly clock: () => number;
  readonly makeId: () => string;
  /** A fact is let go of; whoever erases it later is told. */
  readonly letGo: (fact: Fact) => void;
}

const source = "conversation";
/** How many of the facts that could be meant are named. */
const mostNamed = 5;
const longestSnippet = 200;

/** Memory as the model uses it in one turn: only what the user said in this conversation is kept, in their words. */
export function memoryKeeper(world: MemoryKeeperWorld, turn: Pick<Turn, "id" | "conversationId">): MemoryKeeper {
  const { stores } = world;
  const own = (): Message[] => stores.conversations.messages(turn.conversationId).filter(({ role, status }) => role === "user" && status === "complete");

  /** The fact that the text refers to, and when it was said. */
  function said(text: string): { fact: Fact; saidAt: number } {
    const unfit = whyNotKept(text);
    if (unfit !== null) throw new KnackError("memory.unfit", unfit, { exit: 3, fields: { unsaid: true } });
    const messages = own();
    const names = stores.facts.list().flatMap(({ text: other }) => (factSlot(other) === "name" ? [other] : []));
    const grounded = groundedFact(text, messages, names);
    if ("whyNot" in grounded) throw refused("memory.ungrounded", grounded.whyNot);
    const { label, sentence, messageId, text: words } = grounded.fact;
    const message = messages.find(({ id }) => id === messageId);
    const saidAt = message?.createdAt ?? world.clock();
    const now = world.clock();
    const forgottenAt = stores.facts.forgottenAt(factKeys(words));
    if (forgottenAt !== null && saidAt <= forgottenAt)
      throw refused("memory.forgotten", "Nothing was kept: the user had this forgotten after they said it. If they say it again, it can be kept.");
    const provenance = { conversationId: turn.conversationId, messageId, sentence };
    return { fact: { id: world.makeId(), label, text: words, source, createdAt: now, updatedAt: now, provenance }, saidAt };
  }

  function named(which: string): Fact {
    const facts = factsNamed(stores.facts.list(), which);
    const [fact] = facts;
    if (!fact) throw new KnackError("memory.nothing", `Nothing is kept about ${which}.`);
    if (facts.length > 1) {
      const listed = facts.slice(0, mostNamed).map(({ id, text }) => `${id}: ${text}`);
      throw new KnackError("memory.several", `${facts.length} facts could be meant; ask the user which, and name it by its id:\n${listed.join("\n")}`);
    }
    return fact;
  }

  /** What the user said in this task, oldest first: "the green one" answers which tea is to be forgotten. */
  function asked(): string[] {
    const episode = stores.trace.turn(turn.id)?.episodeId;
    const turns = new Set([turn.id, ...(episode === undefined ? [] : stores.trace.turnsOfEpisode(episode).map(({ id }) => id))]);
    return own().flatMap(({ turnId, text }) => (turns.has(turnId) ? [text] : []));
  }

  /** What they ask to have forgotten, as the words of the whole task say it. */
  function spokenOf(): ReturnType<typeof factsSpokenOf<Fact>> | null {
    const texts = asked();
    const first = texts.findLastIndex(asksToForget);
    if (first < 0) return null;
    const [request = "", ...answers] = texts.slice(first);
    const spoken = factsSpokenOf(request, stores.facts.list());
    if (answers.length === 0 || !spoken.isUnclear) return spoken;
    // An answer to which of them it is.
    const chosen = factsSpokenOf(answers.join(", "), spoken.facts);
    return chosen.facts.length > 0 ? chosen : spoken;
  }

  /** The facts that are to be forgotten by this. Throws where the user's words do not ask for it. */
  function toForget(which: string): Fact[] {
    const spoken = spokenOf();
    if (spoken === null) throw refused("memory.unasked", "Nothing was forgotten: the user did not ask for it. Only they decide what is forgotten.");
    const ids = which.split(/[\s,]+/u);
    const all = stores.facts.list();
    const byId = ids.flatMap((id) => all.find((fact) => fact.id === id) ?? []);
    const facts = byId.length === ids.length ? byId : [named(which)];
    if (facts.some(({ id }) => !spoken.facts.some((one) => one.id === id)))
      throw refused("memory.unnamed", "Nothing was forgotten: the user's words do not say that it is this fact. Ask them which one they mean.");
    return facts;
  }

  return {
    remember: (text) =>
      stores.transaction(() => {
        const { fact, saidAt } = said(text);
        const kept = keepFact(stores, fact, saidAt);
        if (kept.became === "left") throw refused(kept.because === "theirs" ? "memory.theirs" : "memory.later", leftText(kept.because));
        stores.facts.unforget(factKeys(kept.fact.text));
        return kept;
      }),
    recall: (about, limit) => stores.facts.search(about, limit),
    update: (which, text) =>
      stores.transaction((): KeptInTurn => {
        const before = named(which);
        if (isUsersOwn(before)) throw refused("memory.theirs", leftText("theirs"));
        const { fact } = said(text);
        const same = factsNamed(stores.facts.list(), fact.text).find(({ id, text: other }) => id !== before.id && fold(other) === fold(fact.text));
        if (same) throw refused("memory.known", "Nothing was changed: that is kept already, as another fact.");
        if (fold(before.text) === fold(fact.text)) return { fact: before, became: "known", before: null };
        const renewed = { ...fact, id: before.id, createdAt: before.createdAt };
        stores.facts.renew(renewed);
        stores.facts.unforget(factKeys(renewed.text));
        return { fact: renewed, became: "renewed", before: before.text };
      }),
    forget(which) {
      const facts = toForget(which);
      for (const fact of facts) world.letGo(fact);
      return facts;
    },
    meant(which) {
      try {
        return toForget(which);
      } catch (error) {
        if (!(error instanceof KnackError)) throw error;
        return [];
      }
    },
    askedToForget() {
      const spoken = spokenOf();
      return spoken === null ? null : { ...spoken, isAll: asksToForgetAlone(asked().at(-1) ?? "") || !asksToForget(asked().at(-1) ?? "") };
    },
    withoutForgotten(text) {
      const gone = stores.facts.letGoUntil(Number.MAX_SAFE_INTEGER);
      return gone.length === 0
        ? text
        : withoutSpans(
            text,
            tellingOf(
              gone.map((fact) => fact.text),
              stores.facts.list(),
            )(text),
          );
    },
    knownFor: (message) => knownFor(world, turn.conversationId, message),
    answerTo: (message, kept) => answerToTold(world, turn.conversationId, message, kept) ?? answerAboutUser(world, turn.conversationId, message),
    questionAfter: (message, answer) => questionAfter(world, turn.conversationId, message, answer),
    searchPast(about, limit) {
      const found = stores.conversations.search(about, limit * 4).filter(({ conversationId }) => conversationId !== turn.conversationId);
      return found.slice(0, limit).map((message) => shown(stores, message, about));
    },
  };
}

function leftText(because: "theirs" | "later"): string {
  return because === "theirs"
    ? "Nothing was changed: the user wrote down something about this themselves, and only they change that, in Memory."
    : "Nothing was changed: the user said something else about this later.";
}

function shown(stores: MemoryKeeperWorld["stores"], message: Message, about: string): PastMessage {
  const { id, conversationId, role, createdAt } = message;
  const title = stores.conversations.get(conversationId)?.title ?? "";
  const text = withoutSpans(message.text, forgottenSpans(stores, conversationId)(message));
  return { messageId: id, conversationId, title, role, at: createdAt, snippet: around(squash(text), about) };
}

/** The part of a message in which what was looked for is first spoken of. */
function around(text: string, about: string): string {
  const words = fold(about).match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const folded = text.toLowerCase();
  const at = words.map((word) => folded.indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...(at.length === 0 ? [0] : at)) - 40);
  return `${start === 0 ? "" : "…"}${clip(text.slice(start), longestSnippet)}`;
}

function refused(code: string, message: string): KnackError {
  return new KnackError(code, message, { exit: 3 });
}
