import type { Send, TokenCount, Turn } from "#contract/chat/schema.ts";
import type { Fact } from "#contract/memory/schema.ts";
import type { Follower } from "../replay/index.ts";
import type { State } from "../skills/index.ts";
import type { CutOff } from "./cut-off.ts";
import type { Charge } from "./take-skill.ts";
import type { Desk, TurnWorld } from "./world.ts";

/** What one turn acts on. */
export interface Scene {
  readonly world: TurnWorld;
  readonly desk: Desk;
  readonly turn: Turn;
  readonly input: Send;
  /** The goal as skills see it: with what was answered to our questions. */
  readonly goal: string;
  readonly charge: Charge | null;
  /** The place of the run that is gone on with; null for one that begins. */
  readonly resumed: Follower | null;
  /** The turn that was interrupted and is gone on with. */
  readonly cutOff: CutOff | null;
  /** What was kept of the message about the user, before anything was done. */
  readonly kept: readonly Fact[];
  readonly state: State;
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

/** How acting ended. */
export type Ended =
  | {
      readonly kind: "said";
      readonly says: string;
      readonly acted: boolean;
      /** What verified it; null when only the model says so. */
      readonly verified: string | null;
      readonly tokens: TokenCount;
    }
  | { readonly kind: "asked"; readonly says: string; readonly tokens: TokenCount }
  | { readonly kind: "failed"; readonly says: string | null; readonly reason: string; readonly tokens: TokenCount }
  /** What was asked for is not there, as the reason says: it speaks neither for nor against what was done. */
  | { readonly kind: "absent"; readonly says: string; readonly reason: string; readonly tokens: TokenCount }
  | { readonly kind: "stopped"; readonly says: string | null; readonly reason: string; readonly tokens: TokenCount };

export const noTokens: TokenCount = { evaluated: 0, reused: 0, generated: 0 };
