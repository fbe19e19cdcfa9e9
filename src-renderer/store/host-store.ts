import { createStore, type StoreApi } from "zustand/vanilla";
import type { Alert } from "#contract/alerts/schema.ts";
import type { Settings } from "#contract/settings/schema.ts";
import type { Proposal } from "#contract/skills/schema.ts";
import type { Status } from "#contract/status/routes.ts";
import type { Client } from "../client/client.ts";

/** What the frame around every view shows of the host. */
export interface HostState {
  readonly status: Status | null;
  readonly openAlerts: readonly Alert[];
  readonly openProposals: readonly Proposal[];
  readonly settings: Settings | null;
  /** Asks for all of it again; what cannot be had stays as it was. */
  refresh(): Promise<void>;
  changeSettings(change: Partial<Settings>): Promise<void>;
}

export type HostStore = StoreApi<HostState>;

export function createHostStore(client: Client): HostStore {
  return createStore<HostState>()((set) => ({
    status: null,
    openAlerts: [],
    openProposals: [],
    settings: null,
    async refresh() {
      await Promise.allSettled([
        client.status().then((status) => set({ status })),
        client.alerts.list({ all: false }).then((openAlerts) => set({ openAlerts })),
        client.skills.proposals({ all: false }).then((openProposals) => set({ openProposals })),
        client.settings.get().then((settings) => set({ settings })),
      ]);
    },
    async changeSettings(change) {
      set({ settings: await client.settings.change(change) });
    },
  }));
}
