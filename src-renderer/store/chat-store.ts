import { createStore, type StoreApi } from "zustand/vanilla";
import type { ApprovalScope } from "#contract/approvals/schema.ts";
import { compactionWords } from "#contract/chat/context.ts";
import {
  type ConversationView,
  emptyConversation,
  reduceTurnEvent,
  type TurnView,
  viewAhead,
  viewConversation,
  withCompaction,
  withEarlier,
  withEpisode,
} from "#contract/chat/reducer.ts";
import type { Attached, Conversation, Episode, Send } from "#contract/chat/schema.ts";
import type { Erasure } from "#contract/conversations/erasure.ts";
import type { ExportForm, Folder, FoundMessage } from "#contract/conversations/routes.ts";
import type { Client } from "../client/client.ts";
import type { PageStore } from "./page-store.ts";
import { isAbort, saidError } from "./said-error.ts";
import { saveText } from "./save-text.ts";
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
  /** Messages that wait until their conversation has answered, by its id, oldest first. */
  readonly queued: Readonly<Record<string, readonly Send[]>>;
  /** Conversations whose queue waits for the user, since their last answer did not end well. */
  readonly held: readonly string[];
  readonly folders: readonly Folder[];
  /** Temporary conversations of this page: gone as soon as another is looked at. */
  readonly temporaries: readonly string[];
  /** The message that is being written anew. */
  readonly editing: { readonly conversationId: string; readonly turnId: string } | null;
  /** A message that could not be sent comes back to the composer of its conversation. */
  readonly unsent: { readonly conversationId: string | null; readonly text: string; readonly hint: string; readonly attachments: readonly Attached[] } | null;

  refreshConversations(): Promise<void>;
  /** Reads its newest turns; from `part`, a message or a turn, on where one is named. */
  open(conversationId: string, part?: string | null): Promise<void>;
  /** Reads turns before those that are there. */
  readEarlier(conversationId: string): Promise<void>;
  /** Another conversation is looked at: what went wrong in the last one is no longer news. */
  forgetProblem(): void;
  /** Where the conversation is answering it waits for its turn. */
  send(input: Send): Promise<void>;
  /** Takes a message out of the queue; it comes back to the composer. */
  unqueue(conversationId: string, index: number): void;
  /** What was not sent is in the composer again. */
  takeUnsent(): void;
  /** Goes on with a queue that was held. */
  sendQueued(conversationId: string): Promise<void>;
  /** Asks the same again in the place of a turn. */
  regenerate(turn: TurnView): Promise<void>;
  edit(turn: TurnView | null): void;
  /** Stops what is on the way in a conversation; null for the one that is new. */
  stop(conversationId: string | null): Promise<void>;
  judge(episode: Episode, worked: boolean): Promise<void>;
  approve(approvalId: string, allow: boolean, scope?: ApprovalScope): Promise<void>;
  answerSuggestion(turn: TurnView, take: boolean): Promise<void>;
  /** Puts a short text in the place of older turns in its prompt. Rejects where it cannot be done. */
  compact(conversationId: string): Promise<void>;
  undoCompaction(conversationId: string): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** These reject where they cannot be done. */
  addFolder(name: string): Promise<Folder>;
  renameFolder(id: string, name: string): Promise<void>;
  removeFolder(id: string): Promise<void>;
  move(id: string, folderId: string | null): Promise<void>;
  export(id: string, form: ExportForm): Promise<void>;
  import(file: File): Promise<void>;
  closeTemporary(id: string): Promise<void>;
  /** Rejects where it cannot be done, for the dialog that asked to say why. */
  remove(id: string, backups: boolean): Promise<Erasure>;
  /** Erases one task; the conversation goes with it where nothing else is in it. */
  forget(episode: Episode, backups: boolean): Promise<Erasure>;
  search(query: string, signal: AbortSignal): Promise<FoundMessage[]>;
}

export type ChatStore = StoreApi<ChatState>;

/** Turns that are read at once. */
const TURNS_A_PAGE = 30;

/** What is on the way in a conversation; null stands for the one that is new. */
export function runningIn({ running }: Pick<ChatState, "running">, conversationId: string | null): Running | null {
  return running.find((one) => one.conversationId === conversationId) ?? null;
}

/** Conversations, their turns, and the turns that are running. Leaving a conversation does not stop its turn. */
export function createChatStore(client: Client, page: PageStore): ChatStore {
  const lives = new Map<number, AbortController>();
  /** Conversations of which earlier turns are being read. */
  const earlierOf = new Set<string>();
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

    /** At least as far back as it was read before. What was there first may have been erased meanwhile. */
    async function read(conversationId: string, part: string | null = null): Promise<void> {
      const from = part ?? viewOf(conversationId).turns[0]?.turn.id;
      const newest = { id: conversationId, last: TURNS_A_PAGE };
      const detail = await client.conversations.get(from === undefined ? newest : { ...newest, from }).catch((error: unknown) => {
        if (from === undefined) throw error;
        return client.conversations.get(newest);
      });
      // Another reading went further back meanwhile: what it found is not given up for less.
      const meanwhile = viewOf(conversationId);
      if (part === null && from === undefined && meanwhile.turns.length > 0 && meanwhile.earlier < (detail.earlier ?? 0)) return read(conversationId);
      // Events of a running turn are newer than what was read.
      if (runningIn(get(), conversationId) === null) keep(conversationId, viewConversation(detail));
      const { isTemporary } = detail.conversation;
      if (isTemporary && !get().temporaries.includes(conversationId)) set({ temporaries: [...get().temporaries, conversationId] });
      await readRuns(conversationId);
    }

    /** Sends what waits first, once its conversation is free; after a stop, and where something went wrong, the user says when. */
    async function next(conversationId: string) {
      const [first, ...rest] = get().queued[conversationId] ?? [];
      if (first === undefined || runningIn(get(), conversationId) !== null) return;
      const ended = viewOf(conversationId).turns.at(-1);
      const isWell = ended?.turn.status === "done" && ended.problem === null;
      if (!isWell && !get().held.includes(conversationId)) {
        set({ held: [...get().held, conversationId] });
        page.getState().say("The messages that waited are held. Send them when you like.");
        return;
      }
      set({ queued: { ...get().queued, [conversationId]: rest }, held: get().held.filter((id) => id !== conversationId) });
      await get().send(first);
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
      queued: {},
      held: [],
      folders: [],
      temporaries: [],
      editing: null,
      unsent: null,

      async refreshConversations() {
        try {
          const [conversations, folders] = await Promise.all([client.conversations.list(), client.conversations.folders()]);
          set({ conversations: [...conversations].sort((one, other) => other.updatedAt - one.updatedAt), folders, conversationsProblem: null });
        } catch (error) {
          set({ conversationsProblem: saidError(error) });
        }
      },

      async open(conversationId, part = null) {
        // A turn that runs there is told event by event; nothing newer could be read.
        if (runningIn(get(), conversationId) !== null) return;
        set({ loading: conversationId, problem: null });
        try {
          await read(conversationId, part);
        } catch (error) {
          if (get().loading === conversationId) set({ problem: saidError(error) });
        } finally {
          if (get().loading === conversationId) set({ loading: null });
        }
      },

      async readEarlier(conversationId) {
        const first = viewOf(conversationId).turns[0]?.turn.id;
        if (first === undefined || viewOf(conversationId).earlier === 0 || earlierOf.has(conversationId)) return;
        earlierOf.add(conversationId);
        try {
          await attempt(async () => {
            const detail = await client.conversations.get({ id: conversationId, before: first, last: TURNS_A_PAGE });
            if (viewOf(conversationId).turns[0]?.turn.id === first) keep(conversationId, withEarlier(viewOf(conversationId), detail));
          });
        } finally {
          earlierOf.delete(conversationId);
        }
      },

      forgetProblem: () => set({ problem: null }),

      async send(input) {
        let conversationId = input.conversationId ?? null;
        const origin = input.insteadOf === undefined ? undefined : originOf(input.insteadOf);
        if (conversationId !== null && runningIn(get(), conversationId) !== null) {
          set({ queued: { ...get().queued, [conversationId]: [...(get().queued[conversationId] ?? []), input] } });
          page.getState().say("Your message waits until this is answered.");
          return;
        }
        if (origin === undefined && runningIn(get(), conversationId) !== null) return;
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
              if (origin !== undefined) keep(conversationId, viewAhead(viewOf(origin), input.insteadOf ?? ""));
              if (input.temporary) begun(conversationId, event.message.text);
              const { route } = page.getState();
              const isLookedAt = route.view === "chat" && route.item === (origin ?? null);
              if (input.conversationId === undefined && isLookedAt) page.getState().go("chat", conversationId);
              void get().refreshConversations();
            }
            if (conversationId !== null) keep(conversationId, reduceTurnEvent(viewOf(conversationId), event));
          }
        } catch (error) {
          if (!isAbort(error)) {
            const problem = saidError(error);
            if (turnId === null)
              set({
                problem,
                unsent: { conversationId: origin ?? conversationId, text: input.text, hint: input.hint ?? "", attachments: input.attachments ?? [] },
              });
            else set({ problem: `The connection to this turn was lost: ${problem} What was stored of it is shown as soon as it can be read.` });
          }
        } finally {
          lives.delete(key);
          set({ running: get().running.filter((one) => one.key !== key) });
          void get().refreshConversations();
          if (conversationId !== null && turnId !== null) {
            await settle(conversationId, turnId);
            // Where the other answers are is only known to the host.
            if (origin !== undefined) await read(conversationId).catch(() => undefined);
            await next(conversationId);
          }
        }
      },

      unqueue(conversationId, index) {
        const waiting = get().queued[conversationId] ?? [];
        const taken = waiting[index];
        if (taken === undefined) return;
        set({
          queued: { ...get().queued, [conversationId]: waiting.filter((_one, at) => at !== index) },
          unsent: { conversationId, text: taken.text, hint: taken.hint ?? "", attachments: taken.attachments ?? [] },
        });
      },

      takeUnsent: () => set({ unsent: null }),

      async sendQueued(conversationId) {
        if (!get().held.includes(conversationId)) set({ held: [...get().held, conversationId] });
        await next(conversationId);
      },

      async regenerate(turn) {
        const question = questionOf(viewOf(page.getState().route.item ?? turn.turn.conversationId), turn);
        if (question === null) return;
        const attachments = (question.attachments ?? []).map(({ id }) => ({ id }));
        await get().send({ text: question.text, insteadOf: turn.turn.id, ...(attachments.length === 0 ? {} : { attachments }) });
      },

      edit(turn) {
        const conversationId = page.getState().route.item;
        set({ editing: turn === null || conversationId === null ? null : { conversationId, turnId: turn.turn.id } });
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
          // A branch shows tasks of the conversation that it goes on from.
          for (const [id, view] of Object.entries(get().views)) keep(id, withEpisode(view, judged));
          page.getState().say(worked ? "Noted: that worked." : "Noted: that was wrong.");
        });
      },

      async approve(approvalId, allow, scope) {
        await attempt(async () => {
          const wasOpen = await client.chat.approve({ approvalId, allow, ...(scope === undefined ? {} : { scope }) });
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

      async addFolder(name) {
        const folder = await client.conversations.addFolder({ name });
        await get().refreshConversations();
        return folder;
      },

      async renameFolder(id, name) {
        await client.conversations.renameFolder({ id, name });
        await get().refreshConversations();
      },

      async removeFolder(id) {
        await client.conversations.removeFolder({ id });
        await get().refreshConversations();
      },

      async move(id, folderId) {
        await client.conversations.move({ id, folderId });
        await get().refreshConversations();
      },

      async export(id, form) {
        const { fileName, text } = await client.conversations.export({ id, form });
        saveText(fileName, text, form === "json" ? "application/json" : "text/markdown");
      },

      async import(file) {
        const { id, title } = await client.conversations.import({ text: await file.text() });
        await get().refreshConversations();
        page.getState().go("chat", id);
        page.getState().say(`“${title}” was imported.`);
      },

      async closeTemporary(id) {
        set({ temporaries: get().temporaries.filter((one) => one !== id) });
        await attempt(() => client.conversations.close({ id }));
        const { [id]: _gone, ...views } = get().views;
        const { [id]: _waiting, ...queued } = get().queued;
        set({ views, queued });
        if (page.getState().route.item === id) page.getState().go("chat");
      },

      async remove(id, backups) {
        const erasure = await client.conversations.delete({ id, ...(backups ? { backups } : {}) });
        await leave(id);
        return erasure;
      },

      async forget({ id, conversationId }, backups) {
        const erasure = await client.conversations.eraseEpisode({ id, ...(backups ? { backups } : {}) });
        const isLeft = (await client.conversations.list()).some((one) => one.id === conversationId);
        const { item } = page.getState().route;
        if (item !== null && item !== conversationId) await read(item).catch(() => undefined);
        if (isLeft) {
          await read(conversationId);
          await get().refreshConversations();
        } else await leave(conversationId);
        return erasure;
      },

      search: (query, signal) => client.conversations.search({ query }, { signal }),
    };

    /** The conversation that the page shows a turn in: a branch shows turns of another. */
    function originOf(turnId: string): string | undefined {
      const { item } = page.getState().route;
      const holds = (id: string) => get().views[id]?.turns.some(({ turn }) => turn.id === turnId) === true;
      return item !== null && holds(item) ? item : Object.keys(get().views).find(holds);
    }

    function begun(id: string, title: string) {
      const now = Date.now();
      keep(id, { ...viewOf(id), about: { id, title, createdAt: now, updatedAt: now, isTemporary: true } });
      set({ temporaries: [...get().temporaries, id] });
    }

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
  // A temporary conversation is closed as soon as another one, or a new one, is looked at.
  page.subscribe(({ route }) => {
    if (route.view !== "chat") return;
    for (const id of store.getState().temporaries) if (id !== route.item) void store.getState().closeTemporary(id);
    const { editing } = store.getState();
    if (editing !== null && editing.conversationId !== route.item) store.setState({ editing: null });
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
