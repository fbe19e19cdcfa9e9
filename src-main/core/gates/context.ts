import type { z } from "zod";
import type { Step } from "#contract/chat/schema.ts";
import type { Primitive } from "#contract/grants/schema.ts";
import type { Settings } from "#contract/settings/schema.ts";
import type { Call, Precondition, Revision } from "#contract/skills/schema.ts";
import type { AddressKind, Envelope } from "../envelope/index.ts";
import type { PageView } from "../ports/index.ts";
import type { Facts, State } from "../skills/index.ts";
import type { Sources } from "./sources.ts";
import type { Verdict } from "./verdict.ts";

/** A tool that exists in this process, by its name without "tool:". */
export interface KnownTool {
  readonly schema: z.ZodType;
  /** Class of reach it needs; null for tools that reach nothing and for tools of MCP servers. */
  readonly primitive: Primitive | null;
  /** It looks and changes nothing, so a rule about another tool does not hold it back. */
  readonly readOnly?: boolean;
}

/** Rules of an active skill that is not in charge; they guard only the tools named. */
export interface StandingRules {
  readonly skillName: string;
  readonly preconditions: readonly Precondition[];
  readonly guards: readonly string[];
  /** Origins the skill declares. Where there are any, calls of the browser are guarded only there: a rule about one site says nothing of another. */
  readonly destinations?: readonly string[];
}

/** A code rule. It returns null, returns or throws what it objects to (GovernanceRefused names its rules); any other error refuses too. */
export interface Objector {
  readonly name: string;
  /** Only calls of this tool are shown to it; absent means all. */
  readonly tool?: string;
  check(call: Call, subject: { readonly properties: Facts; readonly turnId: string }): string | null | undefined;
}

export interface GateContext {
  readonly turnId: string;
  readonly tools: ReadonlyMap<string, KnownTool>;
  readonly envelope: Envelope;
  /** Tells addresses of private networks apart; without it the egress proxy alone does. */
  readonly classify?: (address: string) => AddressKind;
  /** The pinned revision while a skill is in charge. */
  readonly skillInCharge: Revision | null;
  /** Steps of this episode so far, oldest first. A function that throws refuses every call a rule guards. */
  readonly earlierSteps: readonly Step[] | (() => readonly Step[]);
  readonly state: State;
  readonly objectors: readonly Objector[];
  readonly page: PageView | null;
  readonly settings: Settings;
  /** Refusals of this tool under this skill in this turn so far. */
  readonly refusalCount: number;
  /** Milliseconds since the epoch; needed by rules with a time ("within 10 min"), which are unmet without it. */
  readonly now?: number;
  readonly standingRules?: readonly StandingRules[] | (() => readonly StandingRules[]);
  /** What the user would have forgotten by a call of `forget` with this argument; nothing where it would be refused. */
  readonly forgets?: (which: string) => readonly string[];
  /** Where words of a call can have come from, looked up only where a gate asks. Without it nothing was given by anybody. */
  readonly sources?: Sources | (() => Sources);
  /** Real path of the folder that programs of this turn work in; null or absent where there is none. */
  readonly folder?: string | null;
  /** Whether a text holds a value of the vault. */
  readonly isSecret?: (text: string) => boolean;
  /** Origins each vault entry is bound to. An entry that is not listed is never filled in. */
  readonly vaultBindings?: ReadonlyMap<string, readonly string[]>;
  /** Nobody can tell what the entries are bound to. */
  readonly isVaultLocked?: boolean;
}

export type Gate = (call: Call, context: GateContext) => Verdict;
