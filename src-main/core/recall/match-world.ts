import type { Envelope } from "../envelope/index.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { CalibrationStore, SkillStore, VectorStore } from "../ports/stores.ts";
import type { State } from "../skills/index.ts";

/** What recall looks at. */
export interface MatchWorld {
  readonly skills: SkillStore;
  readonly vectors: VectorStore;
  readonly calibrations: CalibrationStore;
  readonly embedder: Embedder;
  /** For prose conditions only; null means they are unknown, which is "not met". */
  readonly model: (() => Promise<LanguageModel>) | null;
  /** What state predicates are asked about; the same that the gates read. */
  readonly state: State | Readonly<Record<string, unknown>>;
  /** Whether there is a tool of this id, without the prefix "tool:". */
  readonly hasTool: (id: string) => boolean;
  /** What the user granted. */
  readonly envelope: Envelope;
  /** Whether a file is in the folder that is open; null where none is. */
  readonly fileExists: ((path: string) => Promise<boolean>) | null;
  readonly now: number;
}
