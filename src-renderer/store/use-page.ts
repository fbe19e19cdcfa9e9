import { useStore } from "zustand";
import type { ChatState } from "./chat-store.ts";
import type { HostState } from "./host-store.ts";
import type { ModelsState } from "./models-store.ts";
import type { PageState } from "./page-store.ts";
import { useStores } from "./stores.ts";

export function usePage<T>(select: (state: PageState) => T): T {
  return useStore(useStores().page, select);
}

export function useChat<T>(select: (state: ChatState) => T): T {
  return useStore(useStores().chat, select);
}

export function useModels<T>(select: (state: ModelsState) => T): T {
  return useStore(useStores().models, select);
}

export function useHost<T>(select: (state: HostState) => T): T {
  return useStore(useStores().host, select);
}

/** Whether the host can be asked right now. */
export function useIsConnected(): boolean {
  return useStore(useStores().connection, (state) => state.phase === "open");
}
