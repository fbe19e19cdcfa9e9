import { longestBlock } from "#contract/blocks/schema.ts";
import { KnackError } from "#contract/errors.ts";
import { messageOf } from "../../errors.ts";
import type { Digest } from "../../ports/digest.ts";
import type { FactStore } from "../../ports/stores.ts";
import { BlockGateError } from "./gate-error.ts";
import type { BlockBody } from "./render.ts";
import type { BlockScope } from "./scope.ts";
import type { ComputedSource } from "./sources.ts";
import type { PromptBlock } from "./spec.ts";

/** What sources are read with. */
export interface SourceWorld {
  /** Null where there is no store; then no block has facts for a source. */
  readonly facts: Pick<FactStore, "list"> | null;
  readonly digest: Digest;
}

export interface ReadSource {
  readonly body: BlockBody;
  /** Durable: another process that reads the same has the same. `sha256:<hash>` of a text, `mem:<count>:<newest>` of facts, what a computed source says. */
  readonly revision: string;
  /** What the render is kept by: equal means equal bytes. More than the revision for facts, whose newest change may lie before one a clock set back has dated. */
  readonly seal: string;
}

/** Reads the source of a block. Rejects with a KnackError that names the block and the way on. */
export async function readSource(block: PromptBlock, scope: BlockScope, world: SourceWorld): Promise<ReadSource> {
  try {
    return await read(block, scope, world);
  } catch (thrown) {
    if (thrown instanceof BlockGateError) throw thrown;
    const why = messageOf(thrown);
    throw new KnackError(
      thrown instanceof KnackError ? thrown.code : "block.source",
      thrown instanceof KnackError
        ? `${why} (block ${block.name})`
        : `The source of the block ${block.name} failed (${why}). Mend it, or let the block be omitted where it fails.`,
      { fields: { ...(thrown instanceof KnackError ? thrown.fields : {}), block: block.name }, cause: thrown },
    );
  }
}

async function read({ name, source, labelPrefix }: PromptBlock, scope: BlockScope, { facts, digest }: SourceWorld): Promise<ReadSource> {
  if (source === "memory") {
    const found = (facts?.list() ?? []).filter(({ label }) => `${label}:` === labelPrefix);
    const revision = `mem:${found.length}:${found.reduce((newest, { updatedAt }) => Math.max(newest, updatedAt), 0)}`;
    const seal = JSON.stringify(found.map(({ text, source: from, updatedAt }) => [text, from, updatedAt]));
    return { body: { kind: "learned", facts: found }, revision, seal };
  }
  if (source.kind === "computed") {
    const { content, revision } = computed(source.compute(scope, name));
    return { body: { kind: "authored", text: content }, revision, seal: revision };
  }
  const text = source.kind === "static" ? source.text : ((await source.file.read()) ?? source.whenMissing);
  const revision = `sha256:${digest(text)}`;
  return { body: { kind: "authored", text }, revision, seal: revision };
}

function computed(value: ReturnType<ComputedSource["compute"]>): ReturnType<ComputedSource["compute"]> {
  const { content, revision } = (value ?? {}) as Partial<typeof value>;
  if (typeof content !== "string" || typeof revision !== "string" || revision === "")
    throw new Error("it has to answer at once with a content and a revision, both texts, the revision not empty");
  if (content.length > longestBlock) throw new Error(`its content has ${content.length} characters; at most ${longestBlock} go into the prompt`);
  return value;
}
