import { createStore, type StoreApi } from "zustand/vanilla";
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
  | { readonly at: "kept"; readonly name: string; readonly isNew: boolean };

export interface TeachState {
  readonly phase: TeachPhase;
  readonly problem: string | null;
  readonly isBusy: boolean;
  start(goal: string, url: string): Promise<void>;
  /** Takes up a recording that was left, e.g. by a reload. */
  resume(showing: Showing): void;
  finish(): Promise<void>;
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

    return {
      phase: { at: "asking" },
      problem: null,
      isBusy: false,

      async start(goal, url) {
        set({ phase: { at: "opening" }, problem: null });
        try {
          for await (const event of await client.learning.startShowing({ goal, url })) {
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
      },

      resume: (showing) => set({ phase: { at: "recording", showing, actions: showing.actions, isEnded: showing.status !== "recording" }, problem: null }),

      async finish() {
        const { phase } = get();
        if (phase.at !== "recording") return;
        set({ phase: { at: "deriving", showing: phase.showing, actions: phase.actions } });
        const done = await attempt(async () => set({ phase: { at: "draft", draft: await client.learning.finishShowing({ id: phase.showing.id }) } }));
        if (!done) set({ phase: { ...phase, isEnded: true } });
      },

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
        const { showingId, name: proposed } = phase.draft;
        await attempt(async () => {
          const wish = revised !== null ? { skill: revised } : name === proposed ? {} : { name };
          const detail = await client.learning.confirmShowing({ id: showingId, ...wish });
          set({ phase: { at: "kept", name: detail.skill.name, isNew: revised === null } });
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
