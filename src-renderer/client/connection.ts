import { type ClientContext, createORPCClient, DynamicLink } from "@orpc/client";
import { createStore, type StoreApi } from "zustand/vanilla";
import { KnackError } from "#contract/errors.ts";
import { PROTOCOL_VERSION } from "#contract/version.ts";
import type { Channel, OpenChannel } from "./channel.ts";
import type { Client } from "./client.ts";

export type ConnectionState =
  | { readonly phase: "connecting" }
  /** `life` counts connections; what was loaded in an earlier life is asked for again. */
  | { readonly phase: "open"; readonly life: number }
  | { readonly phase: "waiting"; readonly reason: string; readonly retryAt: number }
  /** Nothing a retry would mend: another protocol. */
  | { readonly phase: "refused"; readonly reason: string };

export interface Connection {
  readonly client: Client;
  readonly state: StoreApi<ConnectionState>;
  retryNow(): void;
  /** Ends it for good. */
  close(): void;
}

const FIRST_DELAY = 500;
const LONGEST_DELAY = 15_000;

/**
 * Keeps one channel to the host open and says honestly how it stands. Calls made while the first channel opens wait for it;
 * calls made while there is none fail at once, so that a view can say so instead of turning for ever.
 */
export function connect(open: OpenChannel, now: () => number = Date.now): Connection {
  const state = createStore<ConnectionState>(() => ({ phase: "connecting" }));
  const life = new AbortController();
  let channel: Channel | null = null;
  let opened = Promise.withResolvers<void>();
  opened.promise.catch(() => undefined);
  let wake: (() => void) | null = null;

  const link = new DynamicLink<ClientContext>(async () => {
    if (channel === null && state.getState().phase === "connecting") await opened.promise;
    if (channel === null) throw new KnackError("connection", "Knack's host cannot be reached right now.");
    return channel.link;
  });
  const client: Client = createORPCClient(link);

  function wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, milliseconds);
      function done() {
        clearTimeout(timer);
        wake = null;
        resolve();
      }
      wake = done;
    });
  }

  async function agree(candidate: Channel): Promise<string | null> {
    const { protocol } = await createORPCClient<Client>(candidate.link).version(undefined, {
      signal: AbortSignal.any([life.signal, AbortSignal.timeout(10_000)]),
    });
    return protocol === PROTOCOL_VERSION
      ? null
      : `This page speaks version ${PROTOCOL_VERSION} of Knack's protocol, the host speaks ${protocol}. Reload the page; if that does not help, start Knack again.`;
  }

  async function keepOpen(): Promise<void> {
    let delay = FIRST_DELAY;
    for (let count = 1; !life.signal.aborted; ) {
      let reason: string;
      try {
        const candidate = await open(life.signal);
        const mismatch = await Promise.race([agree(candidate), candidate.ended.then((why) => Promise.reject(new Error(why)))]);
        if (mismatch !== null) {
          candidate.close();
          opened.reject(new KnackError("protocol", mismatch));
          state.setState({ phase: "refused", reason: mismatch }, true);
          return;
        }
        channel = candidate;
        state.setState({ phase: "open", life: count++ }, true);
        opened.resolve();
        delay = FIRST_DELAY;
        reason = await candidate.ended;
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
      channel = null;
      if (life.signal.aborted) return;
      opened.reject(new KnackError("connection", reason));
      state.setState({ phase: "waiting", reason, retryAt: now() + delay }, true);
      await wait(delay);
      delay = Math.min(delay * 2, LONGEST_DELAY);
      opened = Promise.withResolvers<void>();
      opened.promise.catch(() => undefined);
      if (!life.signal.aborted) state.setState({ phase: "connecting" }, true);
    }
  }

  void keepOpen();

  return {
    client,
    state,
    retryNow: () => wake?.(),
    close() {
      life.abort();
      channel?.close();
      wake?.();
    },
  };
}
