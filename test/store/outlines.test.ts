import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrate } from "#adapters/sqlite/migrate.ts";
import { migrations } from "#adapters/sqlite/migrations/index.ts";
import { connectionOver } from "#adapters/sqlite/open-connection.ts";
import { skillStore } from "#adapters/sqlite/skill-store.ts";
import { storesOver } from "#adapters/sqlite/stores-over.ts";
import type { SkillStep } from "#contract/skills/schema.ts";
import { fullyMechanical } from "#core/skills/index.ts";
import { ledgerEntry, revision, run, skill } from "./fixtures/records.ts";
import { memoryStores } from "./fixtures/stores.ts";

const key = { modelHash: "aa", quantisation: "", dimension: 2, prefixes: "" };
const call = { tool: "tool:browser_click", args: { target: { role: "link", name: "Bills" } } };
const steps: SkillStep[] = [
  { do: "Look", onFail: "stop" },
  { do: "Press", call, check: { page: { heading: "Bills" } }, onFail: "stop" },
  { do: "Fetch", call, check: { file: { exists: "bill-*.pdf" } }, onFail: "stop" },
  { do: "Count", call, check: { result: { equals: "3" } }, onFail: "stop" },
  { do: "Judge", call, check: { prose: "it looks right" }, onFail: "stop" },
];

describe("an outline", () => {
  it("tells of the revision in use what a list shows, and of its steps the tool and the kind of check", () => {
    const { skills } = memoryStores();
    skills.create(skill("s", "bills"), revision("s", 1), ledgerEntry("l1", "s"));
    skills.addRevision(revision("s", 2, { summary: "Second", whenToUse: "later", author: "agent:inline", steps }), ledgerEntry("l2", "s"), 2000);
    skills.addRun(run("r1", "s", { startedAt: 5000 }));
    skills.addRun(run("r2", "s", { startedAt: 4000, revision: 2 }));
    const empty = { tool: "tool:browser_click", args: {} };
    expect(skills.outlines()).toEqual([
      {
        skill: skills.get("s"),
        summary: "Second",
        whenToUse: "later",
        author: "agent:inline",
        destinations: ["https://portal.example"],
        steps: [
          {},
          { call: empty, check: { page: {} } },
          { call: empty, check: { file: { exists: "" } } },
          { call: empty, check: { result: {} } },
          { call: empty, check: { prose: "" } },
        ],
        revisions: 2,
        lastUsedAt: 5000,
      },
    ]);
  });

  it.each(steps.map((step) => [step.do, step] as const))("decides like the revision itself whether a step is mechanical: %s", (_what, step) => {
    const { skills } = memoryStores();
    skills.create(skill("s", "bills"), revision("s", 1, { steps: [step] }), ledgerEntry("l1", "s"));
    const [outline] = skills.outlines();
    expect(outline && fullyMechanical(outline)).toBe(fullyMechanical({ steps: [step] }));
  });

  it("is listed by name: those in use, all, some, or those that name a host", () => {
    const { skills } = memoryStores();
    for (const [id, name, status] of [
      ["1", "c", "active"],
      ["2", "a", "disabled"],
      ["3", "b", "provisional"],
    ] as const)
      skills.create(
        skill(id, name, { status }),
        revision(id, 1, { capabilities: { primitives: [], vault: [], destinations: [`https://${name}.example`] } }),
        ledgerEntry(`l${id}`, id),
      );
    const names = (options?: Parameters<typeof skills.outlines>[0]) => skills.outlines(options).map((one) => one.skill.name);
    expect([
      names(),
      names({ all: true }),
      names({ all: true, ids: ["2", "none"] }),
      names({ ids: ["2"] }),
      names({ hosts: ["c.example", "d.example"] }),
    ]).toEqual([["b", "c"], ["a", "b", "c"], ["a"], [], ["c"]]);
  });

  it("goes with its skill", () => {
    const database = new Database(":memory:");
    onTestFinished(() => void database.close());
    const connection = connectionOver(database, ":memory:");
    migrate(connection, migrations, () => {});
    const { skills } = storesOver(connection, () => "id", null);
    skills.create(skill("s", "bills"), revision("s", 1), ledgerEntry("l1", "s"));
    skills.erase("s", 1);
    expect(database.prepare("SELECT count(*) FROM outlines").pluck().get()).toBe(0);
  });

  it("is made for the revisions of an older store", () => {
    const database = new Database(":memory:");
    onTestFinished(() => void database.close());
    const connection = connectionOver(database, ":memory:");
    const older = migrations.findIndex((sql) => sql.includes("CREATE TABLE outlines"));
    migrate(connection, migrations.slice(0, older), () => {});
    skillStore(connection, () => "id").create(skill("s", "bills"), revision("s", 1, { steps }), ledgerEntry("l1", "s"));
    migrate(connection, migrations, () => {});
    const [outline] = storesOver(connection, () => "id", null).skills.outlines();
    expect([outline?.summary, outline?.steps.length]).toEqual(["Downloads a bill", 5]);
  });
});

describe("the record of a skill", () => {
  it("has the runs of the revision in use and the rows that switched it on, oldest first", () => {
    const { skills } = memoryStores();
    skills.create(skill("s", "bills"), revision("s", 1), ledgerEntry("l1", "s"));
    skills.addRevision(revision("s", 2), ledgerEntry("l2", "s"), 2000);
    skills.addRun(run("of 1", "s"));
    skills.addRun(run("late", "s", { revision: 2, startedAt: 9000, outcome: "failure", endedAt: 9500 }));
    skills.addRun(run("early", "s", { revision: 2, startedAt: 8000 }));
    skills.setStatus("s", "retired", ledgerEntry("l3", "s", { action: "remove", before: "active", after: "retired", at: 3000 }), 3000);
    skills.setStatus("s", "active", ledgerEntry("l4", "s", { action: "revive", before: "retired", after: "active", at: 4000 }), 4000);
    expect([...skills.records(["s", "none"])]).toEqual([
      [
        "s",
        {
          runs: [
            { outcome: null, startedAt: 8000, endedAt: null },
            { outcome: "failure", startedAt: 9000, endedAt: 9500 },
          ],
          switchedOn: [{ action: "revive", before: "retired", after: "active", at: 4000 }],
        },
      ],
      ["none", { runs: [], switchedOn: [] }],
    ]);
  });
});

describe("the revisions in use", () => {
  it("come as they were stored, without those of skills that are no more", () => {
    const { skills } = memoryStores();
    for (const id of ["a", "b"]) {
      skills.create(skill(id, id), revision(id, 1), ledgerEntry(`l${id}`, id));
      skills.addRevision(revision(id, 2, { summary: `Second of ${id}` }), ledgerEntry(`m${id}`, id), 2000);
    }
    expect([...skills.activeRevisions(["b", "none", "a"]).values()].sort((one, other) => one.skillId.localeCompare(other.skillId))).toEqual([
      skills.revision("a", 2),
      skills.revision("b", 2),
    ]);
  });
});

describe("the nearest text of some owners", () => {
  it("is the one a search over all would find first of each, and none of another embedder", () => {
    const { vectors } = memoryStores();
    const at = (degrees: number): Float32Array => new Float32Array([Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]);
    vectors.replace(key, "phrasing", "a", [
      { text: "a far", vector: at(80) },
      { text: "a near", vector: at(20) },
    ]);
    vectors.replace(key, "phrasing", "b", [{ text: "b", vector: at(10) }]);
    vectors.replace(key, "phrasing", "c", [{ text: "c", vector: at(0) }]);
    vectors.replace({ ...key, modelHash: "bb" }, "phrasing", "d", [{ text: "d", vector: at(0) }]);
    const found = vectors.nearestOf(key, "phrasing", at(0), ["a", "b", "d", "none"]);
    expect(found.map(({ text }) => text)).toEqual(["b", "a near"]);
    expect(found.map(({ of }) => of)).toEqual([1, 2]);
    expect(found.map(({ of: _of, ...hit }) => hit)).toEqual(vectors.search(key, "phrasing", at(0), 10).filter(({ text }) => text === "b" || text === "a near"));
  });
});
