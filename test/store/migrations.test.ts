import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { migrate, schemaOf } from "#adapters/sqlite/migrate.ts";
import { migrations } from "#adapters/sqlite/migrations/index.ts";
import { connectionOver } from "#adapters/sqlite/open-connection.ts";
import { openStores } from "#adapters/sqlite/open-stores.ts";
import { actOnAlert } from "#app/alerts.ts";
import { detailOf, reviseSkill, skillNamed, summariesOf, undoChange } from "#app/skills.ts";
import { procedure } from "../fixtures/makers/content.ts";
import { codeThrown, storePlaces, temporaryFolder } from "./fixtures/stores.ts";

/** A store as the Knack of that schema left it, with these messages in it. */
function storeOfSchema(file: string, schema: number, texts: readonly string[]): void {
  mkdirSync(dirname(file), { recursive: true });
  const connection = connectionOver(new Database(file), file);
  migrate(connection, migrations.slice(0, schema), () => {});
  connection.run("INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('c', 'title', 1, 1)");
  for (const [index, text] of texts.entries()) {
    connection.run(
      "INSERT INTO messages (id, conversation_id, turn_id, role, text, status, created_at) VALUES (:id, 'c', 't', 'user', :text, 'complete', :at)",
      { id: `m${index}`, text, at: index },
    );
  }
  connection.close();
}

const schemas = (database: Database.Database): unknown[] => database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all();
const older = migrations.map((_, index) => index + 1).slice(0, -1);

describe("upgrading", () => {
  it.each(older)("from schema %i keeps every message, makes it searchable, and ends in the schema of a new store", (schema) => {
    const places = storePlaces();
    storeOfSchema(places.file, schema, ["Download the June bill", "visitor permit"]);
    const stores = openStores({ ...places, clock: () => Date.UTC(2027, 1, 14, 9, 30) });
    expect(stores.conversations.messages("c").map(({ text }) => text)).toEqual(["Download the June bill", "visitor permit"]);
    expect(stores.conversations.search("bill", 5).map(({ id }) => id)).toEqual(["m0"]);
    expect(stores.integrity()).toBe("ok");
    stores.close();

    const fresh = storePlaces();
    openStores({ ...fresh, clock: () => 1 }).close();
    const [upgraded, made] = [new Database(places.file), new Database(fresh.file)];
    expect(schemas(upgraded)).toEqual(schemas(made));
    expect(upgraded.pragma("user_version", { simple: true })).toBe(migrations.length);
    upgraded.close();
    made.close();
  });

  it("keeps any text, from any schema", () => {
    fc.assert(
      fc.property(fc.constantFrom(...older), fc.array(fc.string({ unit: "binary" }), { maxLength: 5 }), (schema, texts) => {
        const places = storePlaces();
        storeOfSchema(places.file, schema, texts);
        const stores = openStores({ ...places, clock: () => 1000 });
        expect(stores.conversations.messages("c").map(({ text }) => text)).toEqual(texts);
        expect(stores.integrity()).toBe("ok");
        stores.close();
      }),
      { numRuns: 15 },
    );
  });

  it.each(older.filter((schema) => schema >= 5))(
    "from schema %i keeps skills, runs, ledger and alerts, which can be worked with as any other",
    async (schema) => {
      const places = storePlaces();
      storeOfSchema(places.file, schema, []);
      const connection = connectionOver(new Database(places.file), places.file);
      const content = JSON.stringify(procedure("Show my bills"));
      connection.transaction(() => {
        for (const [id, name] of [
          ["s", "bills"],
          ["t", "letters"],
        ] as const) {
          connection.run("INSERT INTO skills (id, name, status, active_revision, pinned, created_at, updated_at) VALUES (:id, :name, 'disabled', 1, 0, 1, 1)", {
            id,
            name,
          });
          connection.run(
            "INSERT INTO revisions (skill_id, number, content, body, author, evidence, created_at, content_hash) VALUES (:id, 1, :content, 'body', 'agent:synthesis', '[\"e\"]', 1, 'hash')",
            { id, content },
          );
          for (const [row, action, before, after, at] of [
            ["1", "create", null, "hash", 1],
            ["2", "disable", "provisional", "disabled", 9],
          ] as const)
            connection.run(
              "INSERT INTO ledger (id, skill_id, action, actor, reason, before, after, at) VALUES (:row, :id, :action, 'knack', '', :before, :after, :at)",
              { row: id + row, id, action, before, after, at },
            );
          connection.run("INSERT INTO runs VALUES (NULL, :run, :id, 1, 'e', 't', 'advisory', '{}', 'failure', 'Step 1: expected x, saw y', 5, 6)", {
            run: `run-${id}`,
            id,
          });
          connection.run("INSERT INTO alerts (id, kind, title, detail, skill_id, created_at) VALUES (:alert, 'drift', 'off', 'why', :id, 7)", {
            alert: `alert-${id}`,
            id,
          });
        }
      });
      connection.close();
      const stores = openStores({ ...places, clock: () => 1000 });
      let ids = 0;
      const world = { stores, embedder: async () => null, makeId: () => `new-${(ids += 1)}`, clock: () => 1000, digest: (text: string) => text };
      expect(summariesOf(world, true).map((one) => [one.name, one.status, one.trust.runs, one.summary])).toEqual([
        ["bills", "disabled", 1, "Show my bills"],
        ["letters", "disabled", 1, "Show my bills"],
      ]);
      await undoChange(world, "s2", "human:Kim");
      await actOnAlert(world, "alert-t", "learn-again", "human:Kim");
      await reviseSkill(
        world,
        skillNamed(world, "bills"),
        { content: procedure("Show all bills"), author: "human:Kim", evidence: [], reason: "" },
        AbortSignal.any([]),
      );
      expect([detailOf(world, "bills").ledger.map(({ action }) => action), stores.alerts.list()]).toEqual([["create", "disable", "undo", "modify"], []]);
      stores.skills.erase("s", 1000);
      expect([stores.skills.list({ all: true }).map(({ name }) => name), stores.integrity()]).toEqual([["letters"], "ok"]);
      stores.close();
    },
  );

  it("keeps a showing of before, which can be taken up as any other; one that was recording is broken", () => {
    const before = migrations.findIndex((sql) => sql.includes("showings ADD COLUMN"));
    const places = storePlaces();
    storeOfSchema(places.file, before, []);
    const connection = connectionOver(new Database(places.file), places.file);
    for (const status of ["recording", "draft"]) {
      const showing = { id: status, goal: "Download the June bill", url: "https://portal.example/", status, actions: [], createdAt: 1 };
      connection.run("INSERT INTO showings (id, created_at, showing) VALUES (:id, 1, :showing)", { id: status, showing: JSON.stringify(showing) });
    }
    connection.close();
    const stores = openStores({ ...places, clock: () => 1000 });
    expect(stores.learning.markBroken(() => false)).toBe(1);
    const kept = { goal: "Download the June bill", aim: { kind: "new" }, base: null, edits: [], skillId: null };
    expect(stores.learning.showings()).toEqual([
      expect.objectContaining({ ...kept, id: "recording", status: "broken" }),
      expect.objectContaining({ ...kept, id: "draft", status: "draft" }),
    ]);
    stores.close();
  });

  it("makes a backup of the old store first, and none when there is nothing to upgrade", () => {
    const places = storePlaces();
    storeOfSchema(places.file, 1, ["kept"]);
    openStores({ ...places, clock: () => Date.UTC(2027, 1, 14, 9, 30) }).close();
    openStores({ ...places, clock: () => Date.UTC(2027, 1, 15, 9, 30) }).close();
    expect(readdirSync(places.backupFolder)).toEqual([`knack-20270214T093000Z-before-${migrations.length}.db`]);
    const backup = new Database(join(places.backupFolder, readdirSync(places.backupFolder)[0] ?? ""));
    expect([backup.pragma("user_version", { simple: true }), backup.prepare("SELECT text FROM messages").pluck().all()]).toEqual([1, ["kept"]]);
    backup.close();
  });

  it("does not happen when the backup fails", () => {
    const places = storePlaces();
    storeOfSchema(places.file, 1, ["kept"]);
    writeFileSync(places.backupFolder, "a file where the folder should be");
    expect(codeThrown(() => openStores({ ...places, clock: () => 1 }))).toBe("store.unwritable");
    const raw = new Database(places.file);
    expect(raw.pragma("user_version", { simple: true })).toBe(1);
    raw.close();
  });

  it("that fails half-way leaves the old schema whole", () => {
    const file = join(temporaryFolder(), "knack.db");
    storeOfSchema(file, 2, ["kept"]);
    const before = readFileSync(file);
    const connection = connectionOver(new Database(file), file);
    const broken = [...migrations.slice(0, 2), "CREATE TABLE later (id TEXT) STRICT; DELETE FROM messages;", "SELECT no_such_function();"];
    expect(() => migrate(connection, broken, () => {})).toThrow(/no_such_function/u);
    expect(schemaOf(connection)).toBe(2);
    connection.close();
    expect(readFileSync(file)).toEqual(before);
  });

  it("runs each step once, in order, only those that are missing", () => {
    const connection = connectionOver(new Database(":memory:"), ":memory:");
    const steps = ["CREATE TABLE log (step TEXT)", "INSERT INTO log VALUES ('two')", "INSERT INTO log VALUES ('three')"];
    const backups: number[] = [];
    migrate(connection, steps.slice(0, 2), (from) => backups.push(from));
    migrate(connection, steps, (from) => backups.push(from));
    migrate(connection, steps, (from) => backups.push(from));
    expect(connection.all("SELECT step FROM log")).toEqual([{ step: "two" }, { step: "three" }]);
    expect(backups).toEqual([2]);
    expect(codeThrown(() => migrate(connection, steps.slice(0, 1), () => {}))).toBe("store.newer");
    connection.close();
  });
});
