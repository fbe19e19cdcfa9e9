import type { ValueKind } from "#contract/skills/schema.ts";

/** A value that stands in a goal, with where it stands (UTF-16 offsets). */
export interface FoundValue {
  readonly kind: ValueKind;
  /** As written in the goal. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Form in which values of this kind are compared and kept: ISO for calendar kinds, plain decimal for numbers, else the text. */
  readonly canonical: string;
}
