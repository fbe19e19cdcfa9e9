import { createStore, type StoreApi } from "zustand/vanilla";
import type { FetchEvent } from "#contract/models/schema.ts";
import type { Client } from "../client/client.ts";
import type { PageStore } from "./page-store.ts";
import { isAbort, saidError } from "./said-error.ts";

export interface Download {
  readonly event: FetchEvent | null;
  /** Bytes a second over the last few seconds; null until there is something to measure. */
  readonly speed: number | null;
  readonly problem: string | null;
  readonly isStopped: boolean;
}

export interface ModelsState {
  readonly downloads: Readonly<Record<string, Download>>;
  /** Grows whenever a list of models that was read before is out of date. */
  readonly changes: number;
  fetch(id: string): Promise<void>;
  stop(id: string): void;
}

export type ModelsStore = StoreApi<ModelsState>;

const MEASURED_OVER = 4000;

/** Downloads go on while other views are open. What arrived is kept by the host, so stopping loses nothing. */
export function createModelsStore(client: Client, page: PageStore, now: () => number = Date.now): ModelsStore {
  const running = new Map<string, AbortController>();
  return createStore<ModelsState>()((set, get) => {
    function change(id: string, part: Partial<Download>) {
      const before = get().downloads[id] ?? { event: null, speed: null, problem: null, isStopped: false };
      set({ downloads: { ...get().downloads, [id]: { ...before, ...part } } });
    }
    return {
      downloads: {},
      changes: 0,
      async fetch(id) {
        if (running.has(id)) return;
        const controller = new AbortController();
        running.set(id, controller);
        change(id, { event: null, speed: null, problem: null, isStopped: false });
        const marks: { readonly at: number; readonly bytes: number }[] = [];
        try {
          for await (const event of await client.models.fetch({ id }, { signal: controller.signal })) {
            if (event.phase === "failed") {
              change(id, { event, problem: event.message });
              page.getState().say(`Download failed: ${event.message}`);
              continue;
            }
            const at = now();
            marks.push({ at, bytes: event.bytes });
            while (marks.length > 2 && at - (marks[0]?.at ?? at) > MEASURED_OVER) marks.shift();
            change(id, { event, speed: event.phase === "downloading" ? speedOf(marks) : null });
            if (event.phase === "done") page.getState().say("The model is here and verified.");
          }
        } catch (error) {
          if (controller.signal.aborted || isAbort(error)) change(id, { isStopped: true });
          else change(id, { problem: saidError(error) });
        } finally {
          running.delete(id);
          const { [id]: last, ...others } = get().downloads;
          const isOver = last !== undefined && last.problem === null && !last.isStopped;
          set({ downloads: isOver ? others : get().downloads, changes: get().changes + 1 });
        }
      },
      stop: (id) => running.get(id)?.abort(),
    };
  });
}

/** Bytes a second between the oldest and the newest mark. */
export function speedOf(marks: readonly { readonly at: number; readonly bytes: number }[]): number | null {
  const first = marks[0];
  const last = marks.at(-1);
  if (first === undefined || last === undefined || last.at <= first.at || last.bytes < first.bytes) return null;
  return ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
}
