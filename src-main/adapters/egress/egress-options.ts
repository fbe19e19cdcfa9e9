import type { Socket } from "node:net";

/** Where a host of a test or an evaluation really is. */
export interface HostSeat {
  readonly ip: string;
  readonly port: number;
}

/** How much one boundary lets through before it stops. */
export interface Caps {
  readonly requests: number;
  /** Open at the same time. */
  readonly connections: number;
  /** Over all connections. */
  readonly bytesReceived: number;
  readonly bytesSent: number;
  /** Of one connection. */
  readonly openMs: number;
  /** Without a byte in either direction. */
  readonly silentMs: number;
}

export const usualCaps: Caps = {
  requests: 20_000,
  connections: 512,
  bytesReceived: 4 * 1024 ** 3,
  bytesSent: 1024 ** 3,
  openMs: 3 * 3_600_000,
  silentMs: 5 * 60_000,
};

export interface EgressOptions {
  /** All addresses of a host. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Opens a connection to an address that was checked. */
  readonly dial?: (ip: string, port: number) => Socket;
  /** Hosts served by this machine for tests and evaluation: neither resolved nor checked, and still only reached under a grant. */
  readonly hosts?: ReadonlyMap<string, HostSeat>;
  /** Ports of our own on this machine, which no grant reaches. */
  readonly ownPorts?: () => Iterable<number>;
  readonly resolveTimeoutMs?: number;
  readonly dialTimeoutMs?: number;
  readonly caps?: Partial<Caps>;
}
