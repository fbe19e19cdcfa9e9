import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openStores } from "#adapters/sqlite/index.ts";
import { migrate, schemaOf } from "#adapters/sqlite/migrate.ts";
import { migrations } from "#adapters/sqlite/migrations/index.ts";
import { connectionOver } from "#adapters/sqlite/open-connection.ts";
import { codeThrown, storePlaces, temporaryFolder } from "./fixtures/stores.ts";

/** A store as the Knack of that schema left it, with these messages in it. */
function storeOfSchema(file: string, schema: number, texts: readonly string[]): void {
  mkdirSync(dirname(file), { recursive: true });
  const connection = connectionOver(new Database(file), file);
  migrate(connection, migrations.slice(0, schema), () => {});
  connection.run("INSERT INTO conversations VALUES ('c', 'title', 1, 1)");
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
