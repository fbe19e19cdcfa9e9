import type { Destination } from "#contract/grants/schema.ts";
import type { Refusal } from "./browser.ts";

/** One decision about one connection or request, and what came of it. */
export interface EgressDecision {
  /** Rises with every decision of one boundary. */
  readonly id: number;
  readonly at: number;
  readonly allowed: boolean;
  /** "ok", "dial.failed" where an allowed place could not be reached or said nothing, or the typed reason of the refusal. */
  readonly code: string;
  /** "" where what was asked for could not be read. */
  readonly scheme: Destination["scheme"] | "";
  readonly host: string;
  readonly port: number;
  /** Every address the name led to, in the order of the answer. */
  readonly resolved: readonly string[];
  /** The checked address that was dialled, "" when none. */
  readonly address: string;
  /** The grant that allowed it. */
  readonly destination: Destination | null;
  /** When the connection was over; null while it is open. */
  readonly endedAt: number | null;
  /** Bytes of the connection so far; of a tunnel with what encrypts them. */
  readonly sent: number;
  readonly received: number;
}

/** Told of a decision when it is made, and once more, by the same id, when its connection is over. */
export type OnDecision = (decision: EgressDecision) => void;

/** The boundary of one browser session: a loopback proxy that reaches granted destinations only. */
export interface Egress {
  readonly port: number;
  /** Made anew for each start; without it the proxy answers 407. */
  readonly username: string;
  readonly password: string;
  /**
   * The decision on an address without contacting anything: null where it is granted. A tunnel hides scheme, path and kind of use from the proxy, so
   * whoever sees them asks here, by the same policy. A refusal is taken down; names are resolved only when they are contacted.
   */
  check(url: string, use: Destination["use"]): Refusal | null;
  /** Applies to the next request; connections that are no longer covered are closed. */
  setDestinations(destinations: readonly Destination[]): void;
  destinations(): readonly Destination[];
  /** Refusals so far, in order; a position in it marks a moment. */
  readonly refusals: readonly Refusal[];
  readonly decisions: readonly EgressDecision[];
  /** `unknown` are those without our credential. */
  readonly counts: { readonly requests: number; readonly resolved: number; readonly dialled: number; readonly refused: number; readonly unknown: number };
  close(): Promise<void>;
}

export type StartEgress = (destinations: readonly Destination[], onDecision?: OnDecision) => Promise<Egress>;
