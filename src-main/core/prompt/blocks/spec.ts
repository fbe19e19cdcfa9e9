import type { BlockLayer, BlockPermission, BlockTier, FailurePolicy } from "#contract/blocks/schema.ts";
import type { BlockScope } from "./scope.ts";
import type { BlockSource } from "./sources.ts";

/** Asked before the source of a block is read, and answered from memory alone: what needs input or output is a source, not a gate. */
export type RenderWhen = (scope: BlockScope, blockId: string) => boolean;

/** A durable, named region of standing context as it is declared (SPEC 5). What a name of the matrix leaves out, it inherits from there. */
export interface PromptBlockSpec {
  /** Capitals, digits and underscores; its heading in the prompt. */
  readonly name: string;
  readonly source: BlockSource;
  readonly tier?: BlockTier;
  readonly layer?: BlockLayer;
  /** Place among the blocks of its layer; smaller comes first. */
  readonly order?: number;
  readonly permissions?: readonly string[];
  /** Of a memory source: which facts it renders, such as "SOUL:". */
  readonly labelPrefix?: string;
  /** Of a memory source: what a profile is asked to hold. */
  readonly profileFields?: readonly string[];
  /** Absent: always. */
  readonly renderWhen?: RenderWhen;
  /** Whether a child agent's snapshot has it; default yes. */
  readonly inherit?: boolean;
  /** Default by tier: authored fails closed, learned is omitted. */
  readonly onSourceFailure?: FailurePolicy;
}

/** A block that was checked: nothing is left open. */
export interface PromptBlock {
  readonly name: string;
  readonly source: BlockSource;
  readonly tier: BlockTier;
  readonly layer: BlockLayer;
  readonly order: number;
  readonly permissions: readonly BlockPermission[];
  /** "" for sources other than memory. */
  readonly labelPrefix: string;
  readonly profileFields: readonly string[];
  readonly renderWhen: RenderWhen | null;
  readonly inherit: boolean;
  readonly onSourceFailure: FailurePolicy;
}

/** Learned text is aggregated from facts and never stands in the shape of an instruction. */
export function isLearned(tier: BlockTier): boolean {
  return tier === "profile" || tier === "session";
}
