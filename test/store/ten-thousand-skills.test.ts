import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "#adapters/sqlite/migrate.ts";
import { migrations } from "#adapters/sqlite/migrations/index.ts";
import { connectionOver } from "#adapters/sqlite/open-connection.ts";
import { storesOver } from "#adapters/sqlite/stores-over.ts";
import { madeEmbedder } from "#app/bench/made-embedder.ts";
import { phrasingsOf, topicOf } from "#app/bench/made-skills.ts";
import { matchGoal, type SkillWorld, summariesOf } from "#app/skills.ts";
import { makeRevision, newSkill } from "#core/skills/index.ts";
import { procedure } from "../fixtures/makers/content.ts";
import { digest } from "../fixtures/makers/stage.ts";

const { signal } = new AbortController();
const size = 10_000;
const goalOf = (n: number): string => phrasingsOf(topicOf(n))[0] ?? "";

interface Shelf {
  readonly world: SkillWorld;
  /** What this asks of SQLite, and what comes of it. */
  asking<T>(work: () => Promise<T> | T): Promise<{ asked: string[]; came: T }>;
  close(): void;
}

/** A store of so many skills of one revision and one phrasing. */
async function shelf(skills: number): Promise<Shelf> {
  let asked: string[] | null = null;
  const database = new Database(":memory:", { verbose: (sql) => asked?.push(String(sql)) });
  const connection = connectionOver(database, ":memory:");
  migrate(connection, migrations, () => {});
  let ids = 0;
  const makeId = (): string => `id-${String((ids += 1)).padStart(6, "0")}`;
  const embedder = madeEmbedder(64);
  const stores = storesOver(connection, makeId, null);
  const world: SkillWorld = { stores, embedder: async () => embedder, makeId, clock: () => Date.UTC(2027, 0, 10), digest };
  const goals = Array.from({ length: skills }, (_, n) => goalOf(n));
  const vectors = await embedder.embed(goals, "document", signal);
  stores.transaction(() => {
    for (const [n, goal] of goals.entries()) {
      const [id, vector] = [makeId(), vectors[n]];
      const content = procedure(goal, { steps: [], toolsRequired: [], capabilities: { primitives: [], vault: [], destinations: [] } });
      const revision = makeRevision(content, { skillId: id, number: 1, author: "human:Kim", evidence: [], createdAt: n }, digest);
      const entry = { id: makeId(), skillId: id, action: "create", actor: "human:Kim", reason: "", before: null, after: revision.contentHash, at: n };
      stores.skills.create(newSkill(id, topicOf(n).name, "active", n), revision, entry);
      if (vector) stores.vectors.replace(embedder.key, "phrasing", id, [{ text: goal, vector }]);
    }
  });
  return {
    world,
    async asking(work) {
      const heard: string[] = [];
      asked = heard;
      const came = await work();
      asked = null;
      return { asked: heard, came };
    },
    close: () => void database.close(),
  };
}

describe("REC-12: ten thousand skills", () => {
  let large: Shelf;
  let small: Shelf;
  beforeAll(async () => {
    [large, small] = [await shelf(size), await shelf(size / 10)];
  }, 120_000);
  afterAll(() => {
    large.close();
    small.close();
  });
  const match = (on: Shelf, goal: string) => on.asking(() => matchGoal(on.world, goal, signal));

  it.each([0, 123, 999, 4321, 9999])("k = 1: of all of them the one that is meant is recalled, and no more than five are looked at (%i)", async (n) => {
    const { came } = await match(large, goalOf(n));
    expect([came.verdict, came.skillName]).toEqual(["matched", topicOf(n).name]);
    expect(came.candidates.length).toBeLessThanOrEqual(5);
  });

  it.each([
    ["one that is there", goalOf(17)],
    ["one with a site in it", `${goalOf(17)} at portal.example`],
  ])("asks the store as often as among a thousand: %s", async (_what, goal) => {
    const [many, few] = [await match(large, goal), await match(small, goal)];
    expect(many.asked.length).toBe(few.asked.length);
    expect(many.asked.length).toBeLessThan(30);
  });

  it("reads revisions in one go where one fits, and never more than some dozens of them where none does", async () => {
    const reads = async (goal: string): Promise<number> => (await match(large, goal)).asked.filter((sql) => sql.includes("revisions.content")).length;
    expect([await reads(goalOf(17)), await reads("Tell me a long story about dragons")]).toEqual([1, expect.toSatisfy((count: number) => count <= 6)]);
  });

  it("tells of all of them in a list with the statements that a thousand take", async () => {
    const [many, few] = [await large.asking(() => summariesOf(large.world, true)), await small.asking(() => summariesOf(small.world, true))];
    expect([many.came.length, many.asked.length]).toEqual([size, few.asked.length]);
  });

  it("takes time that grows no faster than the skills do", async () => {
    const times = { large: [] as number[], small: [] as number[] };
    for (let time = 0; time < 15; time += 1)
      for (const [name, on] of [
        ["large", large],
        ["small", small],
      ] as const) {
        const start = process.cpuUsage();
        await match(on, goalOf(37 * time));
        const { user, system } = process.cpuUsage(start);
        times[name].push((user + system) / 1000);
      }
    const median = (some: number[]): number => some.sort((a, b) => a - b)[Math.floor(some.length / 2)] ?? 0;
    expect(median(times.large)).toBeLessThan(10 * median(times.small));
  });
});
