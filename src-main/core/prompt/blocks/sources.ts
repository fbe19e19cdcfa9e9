import type { BlockSourceKind } from "#contract/blocks/schema.ts";
import { badInput } from "#contract/errors.ts";
import type { BlockFile } from "../../ports/block-file.ts";
import type { BlockScope } from "./scope.ts";

/** Text that is known when the block is made. */
export interface StaticSource {
  readonly kind: "static";
  readonly text: string;
}

/** A file that a person writes, read at each resolve. Where there is none, `whenMissing` stands in its place. */
export interface FileSource {
  readonly kind: "file";
  readonly file: BlockFile;
  readonly whenMissing: string;
}

export interface Computed {
  readonly content: string;
  /** Equal for equal content: it is what the render is kept by, so one that changes each time has the prefix evaluated each time. */
  readonly revision: string;
}

/** What is true at run time. `offlineSafe` claims that nothing remote is touched; Knack makes a prompt without network. */
export interface ComputedSource {
  readonly kind: "computed";
  readonly compute: (scope: BlockScope, blockId: string) => Computed;
  readonly offlineSafe: boolean;
}

/** Of "memory" nothing is given: the block's label prefix says which facts. */
export type BlockSource = StaticSource | FileSource | ComputedSource | "memory";

/** Throws bad-input for a text that is none. */
export function staticSource(text: string): StaticSource {
  if (typeof text !== "string" || text.trim() === "")
    throw badInput("A static source has no text. Give it the text itself; a block that has none yet is a file source, which may be missing.");
  return { kind: "static", text };
}

export function fileSource(file: BlockFile, whenMissing = ""): FileSource {
  return { kind: "file", file, whenMissing };
}

export function computedSource(compute: ComputedSource["compute"], { offlineSafe }: { readonly offlineSafe: boolean }): ComputedSource {
  return { kind: "computed", compute, offlineSafe };
}

export function kindOf(source: BlockSource): BlockSourceKind {
  return source === "memory" ? "memory" : source.kind;
}
