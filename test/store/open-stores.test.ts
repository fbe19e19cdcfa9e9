import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { extensionPath } from "#adapters/sqlite/extension-path.ts";
import { migrations } from "#adapters/sqlite/migrations/index.ts";
import { openConnection, useWriteAheadLog } from "#adapters/sqlite/open-connection.ts";
import { openStores } from "#adapters/sqlite/open-stores.ts";
import { assertSqliteVersion } from "#adapters/sqlite/sqlite-version.ts";
import { conversation, message } from "./fixtures/records.ts";
import { codeThrown, fileStores, knackError, storePlaces } from "./fixtures/stores.ts";

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** A store with a few pages of data, closed. */
function filledStore(): ReturnType<typeof storePlaces> {
  const places = storePlaces();
  const stores = openStores({ ...places, clock: () => 1000 });
  stores.transaction(() => {
    stores.conversations.create(conversation("c"));
    for (let index = 0; index < 200; index += 1)
      stores.conversations.addMessage(message(`m${index}`, "c", { text: `Message ${index} ${"word ".repeat(100)}` }));
  });
  stores.close();
  return places;
}

function rawDatabase(file: string): Database.Database {
  const database = new Database(file);
  onTestFinished(() => {
    database.close();
  });
  return database;
}

describe("a store file", () => {
  it("is made for its user alone, journal included, and holds its data when opened again", () => {
    const places = storePlaces();
    const first = fileStores(places);
    first.conversations.create(conversation("c"));
    expect([mode(dirname(places.file)), mode(places.file), mode(`${places.file}-wal`), mode(`${places.file}-shm`)]).toEqual(["700", "600", "600", "600"]);
    first.close();
    expect(readdirSync(dirname(places.file))).toEqual(["knack.db"]);
    expect(fileStores(places).conversations.list()).toEqual([conversation("c")]);
  });

  it("that others could read is closed to them", () => {
    const places = filledStore();
    chmodSync(places.file, 0o644);
    fileStores(places);
    expect(mode(places.file)).toBe("600");
  });

  it("is set to keep every commit, check its links and overwrite what is erased", () => {
    using connection = openConnection(filledStore().file, 50);
    useWriteAheadLog(connection);
    const settings = ["journal_mode", "synchronous", "foreign_keys", "secure_delete", "busy_timeout"];
    expect(settings.map((name) => [name, connection.pragma(name)])).toEqual([
      ["journal_mode", "wal"],
      ["synchronous", 2],
      ["foreign_keys", 1],
      ["secure_delete", 1],
      ["busy_timeout", 50],
    ]);
  });

  it("can be used by two processes' connections at once", () => {
    const places = storePlaces();
    const [one, two] = [fileStores(places), fileStores(places)];
    one.conversations.create(conversation("c"));
    two.conversations.addMessage(message("m", "c"));
    expect(one.conversations.messages("c")).toHaveLength(1);
  });
});

describe("a store that cannot be trusted is named and left as it is", () => {
  const refusal = (places: { file: string; backupFolder: string }) => {
    const before = existsSync(places.file) ? readFileSync(places.file) : undefined;
    const error = knackError(() => fileStores(places));
    expect(existsSync(places.file) ? readFileSync(places.file) : undefined).toEqual(before);
    expect(error.message).toContain(places.file);
    return error;
  };

  it("when it is no database", () => {
    const places = storePlaces();
    mkdirSync(dirname(places.file));
    writeFileSync(places.file, "these are no database pages\n".repeat(400));
    const error = refusal(places);
    expect(error.code).toBe("store.damaged");
    expect(error.message).toContain("knack restore");
  });

  it("when it is empty", () => {
    const places = filledStore();
    truncateSync(places.file, 0);
    expect(refusal(places).code).toBe("store.damaged");
  });

  it("when it was cut short", () => {
    const places = filledStore();
    truncateSync(places.file, Math.floor(statSync(places.file).size / 2));
    expect(refusal(places).code).toBe("store.damaged");
  });

  it("when pages in its middle were overwritten", () => {
    const places = filledStore();
    const bytes = readFileSync(places.file);
    bytes.fill(0xa5, Math.floor(bytes.length / 8192) * 4096);
    writeFileSync(places.file, bytes);
    expect(refusal(places).code).toBe("store.damaged");
  });

  it("when one page of its messages was overwritten", () => {
    const places = filledStore();
    const raw = new Database(places.file);
    const page = raw.prepare("SELECT max(pageno) FROM dbstat WHERE name = 'messages' AND pagetype = 'leaf'").pluck().get() as number;
    raw.close();
    const bytes = readFileSync(places.file);
    bytes.fill(0xa5, (page - 1) * 4096, page * 4096);
    writeFileSync(places.file, bytes);
    expect(refusal(places).code).toBe("store.damaged");
  });

  it("when it is gone but its journal or a backup is there", () => {
    const withJournal = storePlaces();
    mkdirSync(dirname(withJournal.file));
    writeFileSync(`${withJournal.file}-wal`, "journal");
    expect(refusal(withJournal).code).toBe("store.damaged");

    const withBackup = storePlaces();
    mkdirSync(withBackup.backupFolder, { recursive: true });
    writeFileSync(join(withBackup.backupFolder, "knack-20270214T093000Z-daily.db"), "backup");
    expect(refusal(withBackup).code).toBe("store.damaged");
  });

  it("when it belongs to another program", () => {
    const places = storePlaces();
    mkdirSync(dirname(places.file));
    rawDatabase(places.file).exec("CREATE TABLE bookmarks (url TEXT)");
    expect(refusal(places).code).toBe("store.foreign");
  });

  it("when a newer Knack wrote it, saying what to do", () => {
    const places = filledStore();
    const raw = new Database(places.file);
    // Turning the write-ahead log on would be a change already.
    raw.pragma("journal_mode = DELETE");
    raw.pragma(`user_version = ${migrations.length + 1}`);
    raw.close();
    const error = refusal(places);
    expect(error.code).toBe("store.newer");
    expect(error.fields).toMatchObject({ schema: migrations.length + 1, newest: migrations.length });
    expect(error.message).toMatch(/newer Knack.*knack restore/u);
  });

  it("when another program holds it, on opening and on writing", () => {
    const places = filledStore();
    const stores = fileStores(places);
    const other = rawDatabase(places.file);
    other.exec("BEGIN IMMEDIATE");
    expect(codeThrown(() => stores.conversations.create(conversation("d")))).toBe("store.locked");
    expect(stores.conversations.list()).toHaveLength(1);
    other.exec("COMMIT");
    stores.close();
    other.pragma("locking_mode = EXCLUSIVE");
    other.exec("BEGIN EXCLUSIVE");
    expect(codeThrown(() => fileStores(places))).toBe("store.locked");
  });

  it("when its place is a folder, or below a file", () => {
    const places = storePlaces();
    mkdirSync(places.file, { recursive: true });
    expect(codeThrown(() => fileStores(places))).toBe("store.unwritable");
    const below = storePlaces();
    writeFileSync(join(below.folder, "data"), "a file");
    expect(codeThrown(() => fileStores(below))).toBe("store.unwritable");
    expect(readdirSync(below.folder)).toEqual(["data"]);
  });

  it("when damage shows only while it is read", () => {
    const places = filledStore();
    const stores = fileStores(places);
    const raw = rawDatabase(places.file);
    raw.unsafeMode();
    raw.pragma("writable_schema = ON");
    raw.exec("UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'conversations'");
    raw.pragma("schema_version = 77777");
    expect(codeThrown(() => stores.conversations.list())).toBe("store.damaged");
    expect(stores.integrity()).not.toBe("ok");
  });

  it("and a first start cut short leaves nothing that looks like a store", () => {
    const places = storePlaces();
    mkdirSync(places.backupFolder, { recursive: true });
    fileStores(places).close();
    renameSync(places.file, `${places.file}.new-left-by-a-crash`);
    expect(fileStores(places).conversations.list()).toEqual([]);
    expect(readdirSync(dirname(places.file)).sort()).toEqual(["backups", "knack.db", "knack.db-shm", "knack.db-wal", "knack.db.new-left-by-a-crash"]);
  });
});

describe("a closed store", () => {
  it("says that it is closed", () => {
    const stores = fileStores(storePlaces());
    stores.close();
    expect(codeThrown(() => stores.conversations.list())).toBe("store.closed");
    expect(() => stores.close()).not.toThrow();
  });
});

describe("the SQLite in use", () => {
  it("is at least 3.51.3", () => {
    for (const good of ["3.51.3", "3.51.10", "3.52.0", "4.0.0"]) expect(() => assertSqliteVersion(good)).not.toThrow();
    for (const bad of ["3.51.2", "3.50.9", "2.99.99", "", "x"]) expect(codeThrown(() => assertSqliteVersion(bad))).toBe("store.sqlite-too-old");
  });

  it("loads its vector library from beside the packaged archive", () => {
    expect(extensionPath("/opt/Knack/resources/app.asar/node_modules/sqlite-vec-linux-x64/vec0.so")).toBe(
      "/opt/Knack/resources/app.asar.unpacked/node_modules/sqlite-vec-linux-x64/vec0.so",
    );
    expect(extensionPath("C:\\Knack\\app.asar\\vec0.dll")).toBe("C:\\Knack\\app.asar.unpacked\\vec0.dll");
    expect(extensionPath("/home/app.asar.unpacked/vec0.so")).toBe("/home/app.asar.unpacked/vec0.so");
  });
});
