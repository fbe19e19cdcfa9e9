import type { Destination } from "#contract/grants/schema.ts";
import type { Refusal } from "./browser.ts";

/** One decision of the proxy about one connection or request. */
export interface EgressDecision {
  readonly at: number;
  readonly allowed: boolean;
  /** "ok", or the typed reason of the refusal. */
  readonly code: string;
  readonly host: string;
  readonly port: number;
  /** The checked address that was dialled, "" when none. */
  readonly address: string;
}

/** The boundary of one browser session: a loopback proxy that reaches granted destinations only. */
export interface Egress {
  readonly port: number;
  /** Made anew for each start; without it the proxy answers 407. */
  readonly username: string;
  readonly password: string;
  /** The decision on an address without contacting anything: null where it is granted. Names are resolved only when they are contacted. */
  check(url: string, use: Destination["use"]): Refusal | null;
  /** Applies to the next request; connections that are no longer covered are closed. */
  setDestinations(destinations: readonly Destination[]): void;
  destinations(): readonly Destination[];
  /** Refusals so far, in order; a position in it marks a moment. */
  readonly refusals: readonly Refusal[];
  readonly decisions: readonly EgressDecision[];
  readonly counts: { readonly requests: number; readonly resolved: number; readonly dialled: number; readonly refused: number };
  close(): Promise<void>;
}

export type StartEgress = (destinations: readonly Destination[]) => Promise<Egress>;
