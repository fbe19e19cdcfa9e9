import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded, seedOf } from "#base/seeded.ts";
import type { Recall, RevisionContent } from "#contract/skills/schema.ts";
import type { Embedder } from "#core/ports/index.ts";
import { indexSkill } from "#core/recall/index.ts";
import { emptyContent, freeSkillName, makeRevision, makeSkillName, newSkill } from "#core/skills/index.ts";
import { takeShippedCalibration } from "../../calibration.ts";
import { createAgent } from "../../create-agent.ts";
import { matchGoal, type SkillWorld } from "../../skills.ts";
import type { RecallData } from "./data-sets.ts";

/** A store with the skills of a data set, asked as a turn asks it. */
export interface RecallStand {
  readonly world: SkillWorld;
  /** Name of the skill in the data by the id it has here. */
  readonly nameOf: (skillId: string | null) => string | null;
  ask(goal: string, signal: AbortSignal): Promise<Recall>;
  close(): Promise<void>;
}

/**
 * Opens a store of its own in a temporary folder.
 * @param phrasings how many of its examples each skill was asked with; a choice of them that is the same each time
 */
export async function openRecallStand(
  skills: RecallData["skills"],
  phrasings: number,
  embedder: Embedder,
  calibratedAs: Embedder,
  signal: AbortSignal,
): Promise<RecallStand> {
  const folder = mkdtempSync(join(tmpdir(), "knack-eval-recall-"));
  const discard = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const agent = await createAgent({ dataFolder: join(folder, "data"), cacheFolder: join(folder, "cache"), env: {}, maintenance: false });
    const { world } = agent;
    const names = new Map<string, string>();
    takeShippedCalibration(world.stores.calibrations, calibratedAs);
    for (const { name, whenToUse, examples } of skills) {
      signal.throwIfAborted();
      const id = world.makeId();
      names.set(id, name);
      addSkill(world, id, name, whenToUse, chosen(examples, phrasings, name));
      await indexSkill(id, { skills: world.stores.skills, vectors: world.stores.vectors, embedder, now: world.clock() }, signal);
    }
    return {
      world,
      nameOf: (skillId) => (skillId === null ? null : (names.get(skillId) ?? null)),
      ask: (goal, inner) => matchGoal({ ...world, embedder: async () => embedder }, goal, inner),
      async close() {
        await agent.close();
        discard();
      },
    };
  } catch (error) {
    discard();
    throw error;
  }
}

function chosen(examples: readonly string[], count: number, name: string): string[] {
  const pick = seeded(seedOf(name));
  return examples
    .map((text) => ({ text, place: pick() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ text }) => text);
}

function addSkill({ stores, makeId, clock, digest }: SkillWorld, id: string, name: string, whenToUse: string, phrasings: readonly string[]): void {
  const at = clock();
  const content: RevisionContent = { ...emptyContent, whenToUse, goal: phrasings[0] ?? "", phrasings: [...phrasings] };
  const revision = makeRevision(content, { skillId: id, number: 1, author: "human:eval", evidence: [], createdAt: at }, digest);
  const entry = { id: makeId(), skillId: id, action: "create", actor: "human:eval", reason: "of a data set", before: null, after: revision.contentHash, at };
  const shown = freeSkillName(makeSkillName(name), (taken) => stores.skills.byName(taken) !== undefined);
  stores.skills.create(newSkill(id, shown, "active", at), revision, entry);
}
