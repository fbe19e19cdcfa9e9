import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { scriptedEmbedder } from "#adapters/scripted/index.ts";
import { migrate } from "#adapters/sqlite/migrate.ts";
import { migrations } from "#adapters/sqlite/migrations/index.ts";
import { connectionOver } from "#adapters/sqlite/open-connection.ts";
import { storesOver } from "#adapters/sqlite/stores-over.ts";
import { createSkill, detailOf, matchGoal, type SkillWorld, summariesOf } from "#app/skills.ts";
import { procedure } from "../fixtures/makers/content.ts";
import { digest } from "../fixtures/makers/stage.ts";
import { run } from "./fixtures/records.ts";

const { signal } = new AbortController();

/** A store of so many skills, with what it asks of SQLite from then on. */
async function shelf(count: number): Promise<{ world: SkillWorld; asked: string[] }> {
  const asked: string[] = [];
  const database = new Database(":memory:", { verbose: (sql) => asked.push(String(sql)) });
  onTestFinished(() => void database.close());
  const connection = connectionOver(database, ":memory:");
  migrate(connection, migrations, () => {});
  let ids = 0;
  const makeId = (): string => `id-${(ids += 1)}`;
  const embedder = scriptedEmbedder();
  const world: SkillWorld = { stores: storesOver(connection, makeId, null), embedder: async () => embedder, makeId, clock: () => 1000, digest };
  for (let at = 0; at < count; at += 1) {
    const goal = `Fetch document ${String.fromCodePoint(0x4e00 + at)}`;
    const skill = await createSkill(world, { name: `skill-${at}`, content: procedure(goal), author: "human:Kim", evidence: [], reason: "" }, signal);
    for (const number of [1, 2, 3]) world.stores.skills.addRun(run(`${skill.id}-${number}`, skill.id, { outcome: "success", turnId: `${skill.id}-${number}` }));
  }
  return { world, asked };
}

describe("REC-12: what is asked of the store is the same for few skills as for many:", () => {
  it.each<[string, (world: SkillWorld) => unknown]>([
    ["a list", (world) => summariesOf(world, true)],
    ["one skill", (world) => detailOf(world, "skill-3")],
    ["a match", (world) => matchGoal(world, "Fetch document \u4e03", signal)],
    ["a match that finds nothing", (world) => matchGoal(world, "Sing for us", signal)],
    ["a match that names a site", (world) => matchGoal(world, "Fetch document \u4e03 at portal.example", signal)],
  ])("%s", async (_what, work) => {
    const counts: number[] = [];
    for (const size of [10, 80]) {
      const { world, asked } = await shelf(size);
      asked.length = 0;
      await work(world);
      counts.push(asked.length);
    }
    expect(counts[1]).toBe(counts[0]);
    expect(counts[0]).toBeLessThan(25);
  });

  it("a list reads no revision: outlines are enough", async () => {
    const { world, asked } = await shelf(80);
    asked.length = 0;
    summariesOf(world, true);
    expect(asked.filter((sql) => /revisions\.content/u.test(sql))).toEqual([]);
  });

  it("k = 1: of eighty that fit alike one is told, and five are looked at", async () => {
    const { world } = await shelf(80);
    const recall = await matchGoal(world, "Fetch document", signal);
    expect([recall.skillName, recall.candidates.length]).toEqual([expect.any(String), 5]);
  });
});
