import { createContext, useContext } from "react";
import type { StoreApi } from "zustand/vanilla";
import type { Client } from "../client/client.ts";
import type { ConnectionState } from "../client/connection.ts";
import { type ChatStore, createChatStore } from "./chat-store.ts";
import { createHostStore, type HostStore } from "./host-store.ts";
import { createModelsStore, type ModelsStore } from "./models-store.ts";
import { createPageStore, type PageStore } from "./page-store.ts";

export interface Stores {
  readonly client: Client;
  readonly connection: StoreApi<ConnectionState>;
  readonly retryNow: () => void;
  readonly page: PageStore;
  readonly chat: ChatStore;
  readonly models: ModelsStore;
  readonly host: HostStore;
}

export interface Link {
  readonly client: Client;
  readonly state: StoreApi<ConnectionState>;
  retryNow(): void;
}

export function createStores(link: Link, page: Window): Stores {
  const pageStore = createPageStore(page);
  return {
    client: link.client,
    connection: link.state,
    retryNow: () => link.retryNow(),
    page: pageStore,
    chat: createChatStore(link.client, pageStore),
    models: createModelsStore(link.client, pageStore),
    host: createHostStore(link.client),
  };
}

export const StoresContext = createContext<Stores | null>(null);

export function useStores(): Stores {
  const stores = useContext(StoresContext);
  if (stores === null) throw new Error("a view stands outside the page: StoresContext has no value");
  return stores;
}
