/**
 * How the app hands the page its one port: a window message with this data and the port in `ports`.
 * It comes after the page has loaded, and again with a new port whenever the host was started again; the earlier port is dead then.
 */
export interface PortMessage {
  readonly type: "knack-port";
  /** Why there is a new host, for the page to show; null for the first one. */
  readonly restarted: HostEnd | null;
}

/** The end of a host that nobody asked for. */
export interface HostEnd {
  /** One line, e.g. "ended by signal SIGKILL". */
  readonly reason: string;
  /** The last lines the host wrote, oldest first. */
  readonly lines: readonly string[];
  /** Which restart this is, from 1. */
  readonly count: number;
}
