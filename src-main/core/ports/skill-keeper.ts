import type { Capabilities, Revision, Skill } from "#contract/skills/schema.ts";

/** What the model says of a skill it makes: prose only. Its author is `agent:inline`, its evidence the episode it was made in. */
export interface InlineSkill {
  /** As given; mapped to a name of a skill. Made from the purpose when absent. */
  readonly name?: string;
  /** What it is for, in a line: what recall compares goals with. */
  readonly purpose: string;
  readonly steps: readonly string[];
  readonly capabilities: Capabilities;
}

/**
 * Skills as the model may keep them in a turn (SPEC 3): within what is granted, never those of a pack, removal is retirement. Each change throws
 * KnackError with what to do where it is refused.
 */
export interface SkillKeeper {
  /** Those in use, by name. */
  list(): readonly { readonly skill: Skill; readonly revision: Revision }[];
  /** By name, whatever its status. */
  show(name: string): { readonly skill: Skill; readonly revision: Revision };
  create(made: InlineSkill, signal: AbortSignal): Promise<Skill>;
  /** A further revision with one more thing to mind; the rest stays as it is. */
  modify(name: string, change: string, signal: AbortSignal): Promise<Revision>;
  retire(name: string, reason: string): Skill;
}
