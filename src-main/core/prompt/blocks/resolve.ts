import type { BlockLayer, BlockState, DroppedFacts } from "#contract/blocks/schema.ts";
import { KnackError } from "#contract/errors.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../ports/log.ts";
import { BlockGateError } from "./gate-error.ts";
import { makeBlocks } from "./make-blocks.ts";
import { type ReadSource, readSource, type SourceWorld } from "./read-source.ts";
import { type RenderedBlock, renderBlock } from "./render.ts";
import { type BlockScope, mainScope } from "./scope.ts";
import type { PromptBlock, PromptBlockSpec } from "./spec.ts";

export interface ResolvedBlock {
  readonly block: PromptBlock;
  readonly state: BlockState;
  /** Why it failed, is omitted, or stands as it was read before. */
  readonly problem: string | null;
  readonly revision: string | null;
  /** With its heading; "" where it does not stand in the prompt. */
  readonly text: string;
  readonly dropped: DroppedFacts;
}

/** The two regions of the prompt, each "" without a block in it. An unchanged turn is given the very same bytes. */
export type BlockRegions = Readonly<Record<BlockLayer, string>>;

export interface StandingBlocks {
  /** In the order of the prompt. */
  readonly blocks: readonly PromptBlock[];
  /** For a turn. Rejects with a source's KnackError where a block fails closed, and with BlockGateError whatever the policy. */
  regions(scope?: BlockScope): Promise<BlockRegions>;
  /** The same for a person to look at: a block that fails is told of and stops nothing. */
  inspect(scope?: BlockScope): Promise<readonly ResolvedBlock[]>;
}

interface Resolved extends ResolvedBlock {
  /** What the region is kept by; "" for a block without text. */
  readonly seal: string;
  /** What a turn has to fail with; null where it goes on. */
  readonly error: KnackError | null;
}

/**
 * Blocks that are put together anew for each turn and rendered only where a source changed. What was read last and well is kept in this object alone: a
 * process that starts knows of no good text. Throws bad-input for blocks that cannot be made.
 */
export function standingBlocks(specs: readonly PromptBlockSpec[], world: SourceWorld & { readonly log: Log }): StandingBlocks {
  const blocks = makeBlocks(specs, world.facts !== null);
  const rendered = new Map<string, { readonly seal: string; readonly made: RenderedBlock }>();
  const lastGood = new Map<string, ReadSource>();
  const joined = new Map<string, { readonly key: string; readonly text: string }>();
  /** What was logged of a block; it is said again when it changes. */
  const told = new Map<string, string>();

  async function resolve(block: PromptBlock, scope: BlockScope): Promise<Resolved> {
    const nothing = { block, problem: null, revision: null, text: "", dropped: { tooMany: 0, tooLong: 0 }, seal: "", error: null };
    try {
      if (!asked(block, scope)) return { ...nothing, state: "gated" };
    } catch (thrown) {
      const error = new BlockGateError(block.name, thrown);
      return { ...nothing, state: "failed", problem: error.message, error };
    }
    const place = `${scope.agent}:${block.name}`;
    try {
      const read = await readSource(block, scope, world);
      lastGood.set(place, read);
      told.delete(block.name);
      return standing(block, place, read, null);
    } catch (thrown) {
      const error = thrown instanceof KnackError ? thrown : new KnackError("block.source", messageOf(thrown), { cause: thrown });
      const good = block.onSourceFailure === "last_known_good" ? lastGood.get(place) : undefined;
      const isAbsorbed = !(error instanceof BlockGateError) && (good !== undefined || block.onSourceFailure === "omit");
      if (told.get(block.name) !== error.message) world.log.warn("block-source-failed", { block: block.name, code: error.code, policy: block.onSourceFailure });
      told.set(block.name, error.message);
      if (!isAbsorbed) return { ...nothing, state: "failed", problem: error.message, error };
      return good === undefined ? { ...nothing, state: "omitted", problem: error.message } : standing(block, place, good, error.message);
    }
  }

  function standing(block: PromptBlock, place: string, read: ReadSource, problem: string | null): Resolved {
    const kept = rendered.get(place);
    const made = kept?.seal === read.seal ? kept.made : renderBlock(block.name, read.body);
    rendered.set(place, { seal: read.seal, made });
    const state = made.text === "" ? "empty" : "rendered";
    return { block, state, problem, revision: read.revision, ...made, seal: made.text === "" ? "" : read.seal, error: null };
  }

  /** A region is joined anew only where one of its texts is another one. */
  function join(layer: BlockLayer, scope: BlockScope, resolved: readonly Resolved[]): string {
    const here = resolved.filter(({ block, text }) => block.layer === layer && text !== "");
    const key = JSON.stringify(here.map(({ block, seal }) => [block.name, seal]));
    const place = `${scope.agent}:${layer}`;
    const kept = joined.get(place);
    if (kept?.key === key) return kept.text;
    const text = here.map((one) => one.text).join("\n");
    joined.set(place, { key, text });
    return text;
  }

  async function all(scope: BlockScope, isStopping: boolean): Promise<Resolved[]> {
    const resolved: Resolved[] = [];
    for (const block of blocks) {
      const one = await resolve(block, scope);
      if (isStopping && one.error !== null) throw one.error;
      resolved.push(one);
    }
    return resolved;
  }

  return {
    blocks,
    async regions(scope = mainScope) {
      const resolved = await all(scope, true);
      return { L1: join("L1", scope, resolved), L2: join("L2", scope, resolved) };
    },
    async inspect(scope = mainScope) {
      return (await all(scope, false)).map(({ seal: _seal, error: _error, ...one }) => one);
    },
  };
}

/** The gate comes before the source: a block that is gated costs no reading at all. */
function asked({ name, renderWhen }: PromptBlock, scope: BlockScope): boolean {
  if (renderWhen === null) return true;
  const answer: unknown = renderWhen(scope, name);
  if (typeof answer !== "boolean") throw new Error("it has to answer at once with true or false");
  return answer;
}
