import type { BlockLayer, BlockTier } from "#contract/blocks/schema.ts";
import { badInput } from "#contract/errors.ts";
import type { StandingBlocks } from "./resolve.ts";
import { childScope } from "./scope.ts";

/** A block as a child agent has it: text, and nothing to change it by. */
export interface SnapshotBlock {
  readonly name: string;
  readonly tier: BlockTier;
  readonly layer: BlockLayer;
  readonly revision: string | null;
  readonly text: string;
}

/**
 * What a child agent is given of the blocks: those that are inherited, as they stand now, frozen. Rejects as a turn of the parent would, and with bad-input
 * where one of the child's tools would edit blocks.
 */
export async function childSnapshot(standing: StandingBlocks, toolIds: Iterable<string>): Promise<readonly SnapshotBlock[]> {
  const tool = [...toolIds].find(editsBlocks);
  if (tool !== undefined) throw badInput(`A child agent cannot have the tool "${tool}": blocks are the user's to edit. Leave it out.`, { tool });
  await standing.regions(childScope);
  const resolved = await standing.inspect(childScope);
  return Object.freeze(
    resolved
      .filter(({ block, text }) => block.inherit && text !== "")
      .map(({ block: { name, tier, layer }, revision, text }) => Object.freeze({ name, tier, layer, revision, text })),
  );
}

const edits = "edit|set|write|append|insert|replace|update|change|delete|remove|reset|clear";
const editing = new RegExp(`^(?:tool:)?(?:(?:prompt|memory)_)?(?:blocks?_(?:${edits})|(?:${edits})_(?:(?:prompt|memory)_)?blocks?)$`, "iu");

/** Ids of tools that would edit blocks; none is built in, and none may be added. */
export function editsBlocks(toolId: string): boolean {
  return editing.test(toolId);
}
