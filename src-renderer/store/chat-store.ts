import { createStore, type StoreApi } from "zustand/vanilla";
import { compactionWords } from "#contract/chat/context.ts";
import {
  type ConversationView,
  emptyConversation,
  reduceTurnEvent,
  type TurnView,
  viewConversation,
  withCompaction,
  withEpisode,
} from "#contract/chat/reducer.ts";
import type { Conversation, Episode, Message, Send } from "#contract/chat/schema.ts";
import type { Erasure } from "#contract/conversations/erasure.ts";
import type { Client } from "../client/client.ts";
import type { PageStore } from "./page-store.ts";
import { isAbort, saidError } from "./said-error.ts";
import { answerOf, questionOf, runsOf, type TurnRun } from "./turn-parts.ts";

/** What is on the way in one conversation, or in one that is new: the text before the host has answered, then the turn. */
export interface Running {
  /** Tells it apart from every other of this page. */
  readonly key: number;
  readonly conversationId: string | null;
  readonly turnId: string | null;
  readonly text: string;
  readonly isStopping: boolean;
}

export interface ChatState {
  readonly conversations: readonly Conversation[] | null;
  readonly conversationsProblem: string | null;
  /** Each conversation that was opened in this life of the page. */
  readonly views: Readonly<Record<string, ConversationView>>;
  /** The run of each turn that followed a skill, by the turn's id; missing where the skill is gone or could not be read. */
  readonly runs: Readonly<Record<string, TurnRun>>;
  /** What the user answered to the suggestion of a turn. */
  readonly answered: Readonly<Record<string, "taken" | "declined">>;
  readonly loading: string | null;
  readonly problem: string | null;
  /** At most one a conversation, in the order in which they were sent. */
  readonly running: readonly Running[];
  /** A message that could not be sent comes back to the composer of its conversation. */
  readonly unsent: { readonly conversationId: string | null; readonly text: string; readonly hint: string } | null;

  refreshConversations(): Promise<void>;
  open(conversationId: string): Promise<void>;
  /** Another conversation is looked at: what went wrong in the last one is no longer news. */
  forgetProblem(): void;
  send(input: Send): Promise<void>;
  /** Stops what is on the way in a conversation; null for the one that is new. */
  stop(conversationId: string | null): Promise<void>;
  judge(episode: Episode, worked: boolean): Promise<void>;
  approve(approvalId: string, allow: boolean, always?: boolean): Promise<void>;
  answerSuggestion(turn: TurnView, take: boolean): Promise<void>;
  /** Puts a short text in the place of older turns in its prompt. Rejects where it cannot be done. */
  compact(conversationId: string): Promise<void>;
  undoCompaction(conversationId: string): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** Rejects where it cannot be done, for the dialog that asked to say why. */
  remove(id: string, backups: boolean): Promise<Erasure>;
  /** Erases one task; the conversation goes with it where nothing else is in it. */
  forget(episode: Episode, backups: boolean): Promise<Erasure>;
  search(query: string, signal: AbortSignal): Promise<Message[]>;
}

export type ChatStore = StoreApi<ChatState>;

/** What is on the way in a conversation; null stands for the one that is new. */
export function runningIn({ running }: Pick<ChatState, "running">, conversationId: string | null): Running | null {
  return running.find((one) => one.conversationId === conversationId) ?? null;
}

/** Conversations, their turns, and the turns that are running. Leaving a conversation does not stop its turn. */
export function createChatStore(client: Client, page: PageStore): ChatStore {
  const lives = new Map<number, AbortController>();
  let sent = 0;

  const store = createStore<ChatState>()((set, get) => {
    function keep(id: string, view: ConversationView) {
      if (get().views[id] !== view) set({ views: { ...get().views, [id]: view } });
    }

    function viewOf(id: string): ConversationView {
      return get().views[id] ?? emptyConversation;
    }

    function change(key: number, to: Partial<Running>) {
      set({ running: get().running.map((one) => (one.key === key ? { ...one, ...to } : one)) });
    }

    async function attempt(work: () => Promise<unknown>): Promise<boolean> {
      try {
        await work();
        return true;
      } catch (error) {
        set({ problem: saidError(error) });
        return false;
      }
    }

    async function read(conversationId: string) {
      const detail = await client.conversations.get({ id: conversationId });
      // Events of a running turn are newer than what was read.
      if (runningIn(get(), conversationId) === null) keep(conversationId, viewConversation(detail));
      await readRuns(conversationId);
    }

    /** A conversation that is gone is shown no more. */
    async function leave(id: string) {
      const { [id]: _gone, ...views } = get().views;
      set({ views });
      if (page.getState().route.item === id) page.getState().go("chat");
      await get().refreshConversations();
    }

    /** What a run was given and failed at stands with its skill, read once each. What cannot be had is not worth an error here. */
    async function readRuns(conversationId: string) {
      const followed = viewOf(conversationId).turns.filter(
        ({ turn }) => turn.skillId !== null && turn.status !== "running" && get().runs[turn.id] === undefined,
      );
      const ids = new Set(followed.flatMap(({ turn }) => (turn.skillId === null ? [] : [turn.skillId])));
      const details = await Promise.allSettled([...ids].map((name) => client.skills.get({ name })));
      const found = details.flatMap((one) => (one.status === "fulfilled" ? runsOf(one.value) : []));
      if (found.length > 0) set({ runs: { ...get().runs, ...Object.fromEntries(found.map((one) => [one.run.turnId, one])) } });
    }

    return {
      conversations: null,
      conversationsProblem: null,
      views: {},
      runs: {},
      answered: {},
      loading: null,
      problem: null,
      running: [],
      unsent: null,

      async refreshConversations() {
        try {
          const conversations = await client.conversations.list();
          set({ conversations: [...conversations].sort((one, other) => other.updatedAt - one.updatedAt), conversationsProblem: null });
        } catch (error) {
          set({ conversationsProblem: saidError(error) });
        }
      },

      async open(conversationId) {
        // A turn that runs there is told event by event; nothing newer could be read.
        if (runningIn(get(), conversationId) !== null) return;
        set({ loading: conversationId, problem: null });
        try {
          await read(conversationId);
        } catch (error) {
          if (get().loading === conversationId) set({ problem: saidError(error) });
        } finally {
          if (get().loading === conversationId) set({ loading: null });
        }
      },

      forgetProblem: () => set({ problem: null }),

      async send(input) {
        let conversationId = input.conversationId ?? null;
        if (runningIn(get(), conversationId) !== null) return;
        const controller = new AbortController();
        const key = ++sent;
        lives.set(key, controller);
        let turnId: string | null = null;
        set({ running: [...get().running, { key, conversationId, turnId, text: input.text, isStopping: false }], problem: null, unsent: null });
        try {
          const events = await client.chat.send(input, { signal: controller.signal });
          for await (const event of events) {
            if (event.type === "turn-started") {
              conversationId = event.turn.conversationId;
              turnId = event.turn.id;
              change(key, { conversationId, turnId });
              const { route } = page.getState();
              if (input.conversationId === undefined && route.view === "chat" && route.item === null) page.getState().go("chat", conversationId);
              void get().refreshConversations();
            }
            if (conversationId !== null) keep(conversationId, reduceTurnEvent(viewOf(conversationId), event));
          }
        } catch (error) {
          if (!isAbort(error)) {
            const problem = saidError(error);
            if (turnId === null) set({ problem, unsent: { conversationId, text: input.text, hint: input.hint ?? "" } });
            else set({ problem: `The connection to this turn was lost: ${problem} What was stored of it is shown as soon as it can be read.` });
          }
        } finally {
          lives.delete(key);
          set({ running: get().running.filter((one) => one.key !== key) });
          void get().refreshConversations();
          if (conversationId !== null && turnId !== null) await settle(conversationId, turnId);
        }
      },

      async stop(conversationId) {
        const running = runningIn(get(), conversationId);
        if (running === null || running.isStopping) return;
        change(running.key, { isStopping: true });
        if (running.turnId === null) {
          lives.get(running.key)?.abort();
          return;
        }
        // The host ends the turn and sends its last event; if it cannot be asked, leaving the stream stops it too.
        const wasAsked = await attempt(() => client.chat.stop({ turnId: running.turnId ?? "" }));
        if (!wasAsked) lives.get(running.key)?.abort();
      },

      async judge(episode, worked) {
        await attempt(async () => {
          const judged = await client.chat.judge({ episodeId: episode.id, worked });
          keep(judged.conversationId, withEpisode(viewOf(judged.conversationId), judged));
          page.getState().say(worked ? "Noted: that worked." : "Noted: that was wrong.");
        });
      },

      async approve(approvalId, allow, always = false) {
        await attempt(async () => {
          const wasOpen = await client.chat.approve({ approvalId, allow, ...(always ? { always } : {}) });
          if (!wasOpen) set({ problem: "That question was no longer open, so nothing was allowed." });
        });
      },

      async answerSuggestion({ turn }, take) {
        const { conversationId, id } = turn;
        const done = await attempt(() => client.chat.answerSuggestion({ turnId: id, take }));
        if (!done) return;
        set({ answered: { ...get().answered, [id]: take ? "taken" : "declined" } });
        const view = viewOf(conversationId);
        const current = view.turns.find((candidate) => candidate.turn.id === id);
        const question = current === undefined ? null : questionOf(view, current);
        const name = turn.recall?.skillName ?? null;
        if (!take || name === null || question === null) return;
        if (runningIn(get(), conversationId)?.turnId === id) {
          await get().stop(conversationId);
          await untilIdle(conversationId);
        }
        await get().send({ text: question.text, conversationId, skill: name });
      },

      async compact(conversationId) {
        const made = await client.conversations.compact({ id: conversationId });
        keep(conversationId, withCompaction(viewOf(conversationId), made));
        page.getState().say(compactionWords(made));
      },

      async undoCompaction(conversationId) {
        const undone = await client.conversations.undoCompaction({ id: conversationId });
        keep(conversationId, withCompaction(viewOf(conversationId), undone));
        page.getState().say(compactionWords(undone));
      },

      async rename(id, title) {
        await attempt(() => client.conversations.rename({ id, title }));
        await get().refreshConversations();
      },

      async remove(id, backups) {
        const erasure = await client.conversations.delete({ id, ...(backups ? { backups } : {}) });
        await leave(id);
        return erasure;
      },

      async forget({ id, conversationId }, backups) {
        const erasure = await client.conversations.eraseEpisode({ id, ...(backups ? { backups } : {}) });
        const isLeft = (await client.conversations.list()).some((one) => one.id === conversationId);
        if (isLeft) {
          await read(conversationId);
          await get().refreshConversations();
        } else await leave(conversationId);
        return erasure;
      },

      search: (query, signal) => client.conversations.search({ query }, { signal }),
    };

    /** The stream ended. Without its last event the stored turn is read, so the screen shows what is, not what was hoped. */
    async function settle(conversationId: string, turnId: string) {
      const find = () => viewOf(conversationId).turns.find((candidate) => candidate.turn.id === turnId);
      if (find()?.turn.status === "running") await read(conversationId).catch(() => undefined);
      else await readRuns(conversationId);
      const turn = find();
      if (turn !== undefined) page.getState().say(announcement(viewOf(conversationId), turn));
    }

    function untilIdle(conversationId: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const leave = store.subscribe((state) => {
        if (runningIn(state, conversationId) !== null) return;
        leave();
        resolve();
      });
      if (runningIn(get(), conversationId) === null) {
        leave();
        resolve();
      }
      return promise;
    }
  });
  return store;
}

/** What a screen reader hears once, at the end. */
function announcement(view: ConversationView, turn: TurnView): string {
  if (turn.problem !== null) return `Knack could not finish: ${turn.problem}`;
  if (turn.turn.status === "stopped") return "Stopped.";
  const text = answerOf(view, turn)?.text ?? turn.text;
  return text === "" ? "Knack has finished." : `Knack says: ${text}`;
}
