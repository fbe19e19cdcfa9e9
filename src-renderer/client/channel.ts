import type { ClientContext, ClientLink } from "@orpc/client";

/** One open way to the host. It ends once; a new one is opened for the next life. */
export interface Channel {
  readonly link: ClientLink<ClientContext>;
  /** Settles, with one line saying why, when the other side is gone. */
  readonly ended: Promise<string>;
  close(): void;
}

/** Opens a channel, or throws an Error whose message a person can read. An aborted signal undoes a late channel. */
export type OpenChannel = (signal: AbortSignal) => Promise<Channel>;
