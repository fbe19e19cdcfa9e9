import { createStore, type StoreApi } from "zustand/vanilla";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { ShowingEvent } from "#contract/learning/routes.ts";
import type { Draft, Showing, ShownAction } from "#contract/learning/schema.ts";
import { fromWireError } from "#contract/wire-error.ts";
import type { Client } from "../client/client.ts";
import { saidError } from "./said-error.ts";

export type TeachPhase =
  | { readonly at: "asking" }
  | { readonly at: "opening" }
  | { readonly at: "recording"; readonly showing: Showing; readonly actions: readonly ShownAction[]; readonly isEnded: boolean }
  | { readonly at: "deriving"; readonly showing: Showing; readonly actions: readonly ShownAction[] }
  /** The newest task of a conversation is being made a draft. */
  | { readonly at: "reading" }
  /** It could not be; `mayVouch` where the user's word that it worked is all that is missing. */
  | { readonly at: "unlearned"; readonly mayVouch: boolean }
  | { readonly at: "draft"; readonly draft: Draft }
  | { readonly at: "kept"; readonly name: string /** Of a skill that was there before. */; readonly isRevision: boolean };

export interface TeachState {
  readonly phase: TeachPhase;
  readonly problem: string | null;
  readonly isBusy: boolean;
  start(goal: string, url: string): Promise<void>;
  /** Shows only a step that stopped working: the window is brought there. */
  startRepair(skill: string, goal: string, step: number): Promise<void>;
  /** Takes up a showing that was left, e.g. by a reload. */
  resume(showing: Showing): Promise<void>;
  /** Of a repair: false says that it was shown to its end. */
  finish(asBefore?: boolean): Promise<void>;
  /** The draft with exactly these edits; true when the host took them. */
  edit(edits: readonly DraftEdit[]): Promise<boolean>;
  /** Aligns it with the showings and good runs of that skill; null makes it one of its own again. */
  align(skill: string | null): Promise<void>;
  /** Forgets a showing that was left. */
  forget(id: string): Promise<boolean>;
  /** The draft from a conversation instead of a showing; with `worked` the user says that its newest task went well. */
  learnFrom(conversation: string, worked: boolean): Promise<void>;
  /** Under this name, or as the next revision of `revised`. */
  confirm(name: string, revised?: string | null): Promise<void>;
  /** Ends and forgets whatever there is; true when nothing is left. */
  drop(): Promise<boolean>;
}

export type TeachStore = StoreApi<TeachState>;

/** One showing, or one conversation, from goal to skill, or to a further revision of `skill`. The recording belongs to the host: closing this page does not lose it. */
export function createTeachStore(client: Client, skill: string | null = null): TeachStore {
  return createStore<TeachState>()((set, get) => {
    async function attempt(work: () => Promise<void>): Promise<boolean> {
      set({ isBusy: true, problem: null });
      try {
        await work();
        return true;
      } catch (error) {
        set({ problem: saidError(error) });
        return false;
      } finally {
        set({ isBusy: false });
      }
    }

    function currentId(): string | null {
      const { phase } = get();
      if (phase.at === "recording" || phase.at === "deriving") return phase.showing.id;
      return phase.at === "draft" ? phase.draft.showingId : null;
    }

    async function follow(open: () => Promise<AsyncIterable<ShowingEvent>>): Promise<void> {
      set({ phase: { at: "opening" }, problem: null });
      try {
        for await (const event of await open()) {
          if (event.type === "showing-started") {
            set({ phase: { at: "recording", showing: event.showing, actions: event.showing.actions, isEnded: false } });
            continue;
          }
          const { phase } = get();
          if (phase.at === "recording") set({ phase: { ...phase, actions: [...phase.actions, event.action] } });
        }
        const { phase } = get();
        if (phase.at === "recording") set({ phase: { ...phase, isEnded: true } });
        if (phase.at === "opening") set({ phase: { at: "asking" }, problem: "The browser window could not be opened." });
      } catch (error) {
        const { phase } = get();
        set({ problem: saidError(error), ...(phase.at === "opening" ? { phase: { at: "asking" } } : {}) });
      }
    }

    return {
      phase: { at: "asking" },
      problem: null,
      isBusy: false,

      start: (goal, url) => follow(() => client.learning.startShowing({ goal, url })),

      startRepair: (name, goal, step) => follow(() => client.learning.startRepair({ skill: name, goal, step })),

      async resume(showing) {
        set({ phase: { at: "recording", showing, actions: showing.actions, isEnded: showing.status !== "recording" }, problem: null });
        if (showing.status === "draft") await get().finish();
      },

      async finish(asBefore) {
        const { phase } = get();
        if (phase.at !== "recording") return;
        const { showing, actions } = phase;
        set({ phase: { at: "deriving", showing, actions } });
        const wish = asBefore === undefined ? {} : { asBefore };
        const done = await attempt(async () => set({ phase: { at: "draft", draft: await client.learning.finishShowing({ id: showing.id, ...wish }) } }));
        if (!done) set({ phase: { ...phase, isEnded: true } });
      },

      async edit(edits) {
        const { phase } = get();
        if (phase.at !== "draft") return false;
        return attempt(async () => set({ phase: { at: "draft", draft: await client.learning.editDraft({ id: phase.draft.showingId, edits: [...edits] }) } }));
      },

      async align(name) {
        const { phase } = get();
        if (phase.at !== "draft") return;
        await attempt(async () => set({ phase: { at: "draft", draft: await client.learning.finishShowing({ id: phase.draft.showingId, together: name }) } }));
      },

      forget: (id) => attempt(async () => void (await client.learning.dropShowing({ id }))),

      async learnFrom(conversation, worked) {
        set({ phase: { at: "reading" }, problem: null });
        try {
          set({ phase: { at: "draft", draft: await client.learning.learnFrom({ conversation, ...(worked ? { worked } : {}) }) } });
        } catch (error) {
          const { code, message } = fromWireError(error);
          set({ phase: { at: "unlearned", mayVouch: code === "learn.unconfirmed" || code === "learn.failed" }, problem: message });
        }
      },

      async confirm(name, revised = skill) {
        const { phase } = get();
        if (phase.at !== "draft") return;
        const { showingId, name: proposed, revises } = phase.draft;
        await attempt(async () => {
          const wish = revises !== null ? {} : revised !== null ? { skill: revised } : name === proposed ? {} : { name };
          const detail = await client.learning.confirmShowing({ id: showingId, ...wish });
          set({ phase: { at: "kept", name: detail.skill.name, isRevision: detail.revision.number > 1 } });
        });
      },

      async drop() {
        const id = currentId();
        if (id === null) return true;
        return attempt(async () => {
          await client.learning.dropShowing({ id });
          set({ phase: { at: "asking" } });
        });
      },
    };
  });
}
