import type { Diagnostic, FileText } from "#contract/skills/schema.ts";

/** A file that was looked for: its text, or why it was not read. */
export type FoundFile = FileText | { readonly path: string; readonly problem: Diagnostic };

/** One folder of packs. Paths begin with its name. */
export interface FoundPack {
  readonly name: string;
  readonly skills: readonly FoundFile[];
  readonly contributions: readonly FoundFile[];
  /** Why the folder as a whole could not be read; null where it could. */
  readonly problem: Diagnostic | null;
}

/** SKILL.md files on disk. Links are never followed, and nothing is read that is no text of at most 1 MB. */
export interface SkillFiles {
  /**
   * Every pack, by name, or null when nothing changed since the look that gave `known`. Waits a moment for a file that is
   * being written. Rejects when the folder of packs is there and cannot be read.
   */
  packs(known: string | null, signal: AbortSignal): Promise<{ readonly mark: string; readonly packs: readonly FoundPack[] } | null>;
  /** The files a path names: itself, or every SKILL.md below it. Rejects with bad-input where there is none. */
  find(path: string, signal: AbortSignal): Promise<FoundFile[]>;
  /** Writes `<folder>/<name>/SKILL.md` for this user alone and returns its path. An existing file is refused unless `overwrite`. */
  write(folder: string, name: string, text: string, overwrite: boolean, signal: AbortSignal): Promise<string>;
}
