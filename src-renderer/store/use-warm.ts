import { useRef } from "react";
import { useStores } from "./stores.ts";
import { useHost, useIsConnected } from "./use-page.ts";

/** The host unloads a model after minutes without use; asking again sooner than this would only be noise. */
const AGAIN_AFTER = 60_000;

/** Has the model and the beginning of the next prompt brought into memory while the user writes; does nothing when that was just done. */
export function useWarm(conversationId: string | null): () => void {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const refresh = useHost((state) => state.refresh);
  const last = useRef<{ readonly of: string | null; readonly at: number } | null>(null);
  return () => {
    const now = Date.now();
    if (!isConnected || (last.current?.of === conversationId && now - last.current.at < AGAIN_AFTER)) return;
    last.current = { of: conversationId, at: now };
    // What stands in the way is shown when the message is sent, and by the status.
    client.models.warm(conversationId === null ? {} : { conversationId }).then(
      () => void refresh(),
      () => undefined,
    );
  };
}
