import type { ContributionPosition } from "#contract/skills/schema.ts";

/** Text of a pack for the prompt (SPEC 3.3 d). `kernel` is reserved: such a text is accepted, has no effect and is logged. */
export interface Contribution {
  /** `authored:<pack>`. */
  readonly source: `authored:${string}`;
  readonly position: ContributionPosition;
  readonly text: string;
}
