import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { backupDaily, listBackups, restoreBackup } from "#adapters/sqlite/index.ts";
import { KnackError } from "#contract/errors.ts";
import type { Stores } from "#core/ports/stores.ts";
import { conversation } from "./fixtures/records.ts";
import { codeThrown, fileStores, memoryStores, storePlaces, temporaryFolder } from "./fixtures/stores.ts";

const day = (number: number, hour = 9): number => Date.UTC(2027, 1, number, hour);
const titles = (stores: Stores): string[] => stores.conversations.list().map(({ id }) => id);

describe("a backup", () => {
  it("is one private file that opens as a store, whatever was there before", async () => {
    const places = storePlaces();
    const stores = fileStores(places);
    stores.conversations.create(conversation("c"));
    const file = join(places.folder, "copies", "copy.db");
    await stores.backup(file);
    stores.conversations.create(conversation("later"));
    await stores.backup(file);
    expect(readdirSync(dirname(file))).toEqual(["copy.db"]);
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    expect(titles(fileStores({ file, backupFolder: "none" }))).toEqual(["later", "c"]);
  });

  it("is taken while the store is written, and is whole", async () => {
    const stores = fileStores(storePlaces());
    stores.transaction(() => {
      for (let index = 0; index < 300; index += 1) stores.conversations.create(conversation(`c${index}`, { title: "t".repeat(2000) }));
    });
    const file = join(temporaryFolder(), "copy.db");
    const copying = stores.backup(file);
    stores.conversations.create(conversation("meanwhile"));
    await copying;
    const copy = fileStores({ file, backupFolder: "none" });
    expect(copy.integrity()).toBe("ok");
    expect(copy.conversations.list().length).toBeGreaterThanOrEqual(300);
  });

  it("that cannot be written says so and leaves the earlier one", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "in the way");
    const failure = memoryStores().backup(join(folder, "file", "copy.db"));
    await expect(failure).rejects.toMatchObject({ code: "store.unwritable" });
    await expect(failure).rejects.toBeInstanceOf(KnackError);
    expect(readdirSync(folder)).toEqual(["file"]);
  });
});

describe("daily backups", () => {
  it("are made once a day, and the newest seven stay, others' files untouched", async () => {
    const folder = join(temporaryFolder(), "backups");
    const stores = memoryStores();
    const made: (string | null)[] = [];
    for (let number = 1; number <= 9; number += 1) {
      made.push(await backupDaily(stores, folder, () => day(number)));
      made.push(await backupDaily(stores, folder, () => day(number, 21)));
      if (number === 1) writeFileSync(join(folder, "mine.db"), "kept");
      if (number === 2) writeFileSync(join(folder, "knack-20270201T120000Z-daily.db.part"), "left by a crash");
    }
    expect(made.filter((file) => file === null)).toHaveLength(9);
    expect(readdirSync(folder)).toEqual([3, 4, 5, 6, 7, 8, 9].map((number) => `knack-2027020${number}T090000Z-daily.db`).concat("mine.db"));
    expect((statSync(folder).mode & 0o777).toString(8)).toBe("700");
  });

  it("that fail push no older one out", async () => {
    const folder = temporaryFolder();
    const stores = memoryStores();
    for (let number = 1; number <= 7; number += 1) await backupDaily(stores, folder, () => day(number));
    stores.close();
    await expect(backupDaily(stores, folder, () => day(8))).rejects.toThrow();
    expect(listBackups(folder)).toHaveLength(7);
  });
});

describe("restoring", () => {
  it("brings the backup back and moves the damaged store aside", async () => {
    const places = storePlaces();
    const stores = fileStores(places);
    stores.conversations.create(conversation("c"));
    await backupDaily(stores, places.backupFolder, () => day(1));
    stores.close();
    truncateSync(places.file, 5000);
    expect(codeThrown(() => fileStores(places))).toBe("store.damaged");

    const backup = listBackups(places.backupFolder)[0]?.file ?? "";
    const aside = restoreBackup({ backup, file: places.file, clock: () => day(2) });
    expect(statSync(aside ?? "").size).toBe(5000);
    expect(titles(fileStores(places))).toEqual(["c"]);
    expect((statSync(places.file).mode & 0o777).toString(8)).toBe("600");
    expect(existsSync(backup)).toBe(true);
  });

  it("takes the old journal away with the store it belongs to", async () => {
    const places = storePlaces();
    const stores = fileStores(places);
    await backupDaily(stores, places.backupFolder, () => day(1));
    stores.close();
    writeFileSync(`${places.file}-wal`, "old journal");
    const aside = restoreBackup({ backup: listBackups(places.backupFolder)[0]?.file ?? "", file: places.file, clock: () => day(2) });
    expect(readFileSync(`${aside}-wal`, "utf8")).toBe("old journal");
    expect(existsSync(`${places.file}-wal`)).toBe(false);
  });

  it("brings what stands in the journal beside a backup along", () => {
    const places = storePlaces();
    const stores = fileStores(places);
    stores.conversations.create(conversation("in the journal"));
    const killed = join(places.folder, "killed.db");
    // As a process leaves them that was killed: the store, and its journal beside it.
    for (const suffix of ["", "-wal"]) copyFileSync(places.file + suffix, killed + suffix);
    const other = { file: join(places.folder, "other", "knack.db"), backupFolder: places.backupFolder };
    fileStores(other).close();
    restoreBackup({ backup: killed, file: other.file, clock: () => day(2) });
    expect(titles(fileStores(other))).toEqual(["in the journal"]);
  });

  it("that is cut off keeps the store from being opened, until it is done again", async () => {
    const places = storePlaces();
    const stores = fileStores(places);
    stores.conversations.create(conversation("c"));
    await backupDaily(stores, places.backupFolder, () => day(1));
    stores.close();
    writeFileSync(`${places.file}.restoring`, "a backup");
    writeFileSync(`${places.file}.new-cut-off`, "half");
    renameSync(places.file, `${places.file}.aside-before`);
    expect(codeThrown(() => fileStores(places))).toBe("store.half-restored");
    restoreBackup({ backup: listBackups(places.backupFolder)[0]?.file ?? "", file: places.file, clock: () => day(2) });
    expect(titles(fileStores(places))).toEqual(["c"]);
    expect(readdirSync(dirname(places.file)).filter((name) => /restoring|new-/u.test(name))).toEqual([]);
  });

  it("may be made from a copy that a cut-off restore left", async () => {
    const places = storePlaces();
    const stores = fileStores(places);
    stores.conversations.create(conversation("c"));
    const left = `${places.file}.new-left`;
    await stores.backup(left);
    stores.close();
    restoreBackup({ backup: left, file: places.file, clock: () => day(2) });
    expect([titles(fileStores(places)), existsSync(left)]).toEqual([["c"], true]);
  });

  it("takes a folder, a pipe and a dangling link for no backup", () => {
    const places = storePlaces();
    fileStores(places).close();
    mkdirSync(places.backupFolder);
    symlinkSync(join(places.folder, "nowhere"), join(places.backupFolder, "knack-20270214T093000Z-daily.db"));
    execFileSync("mkfifo", [join(places.folder, "pipe")]);
    for (const none of [places.folder, join(places.folder, "pipe")])
      expect(codeThrown(() => restoreBackup({ backup: none, file: places.file, clock: () => day(2) }))).toBe("store.no-backup");
    expect(listBackups(places.backupFolder)).toEqual([]);
  });

  it("made by a person leaves a part of another copy beside it alone", async () => {
    const places = storePlaces();
    const stores = fileStores(places);
    const file = join(places.folder, "mine.db");
    writeFileSync(`${file}.part`, "precious");
    await stores.backup(file);
    expect(readFileSync(`${file}.part`, "utf8")).toBe("precious");
    expect(readdirSync(places.folder).sort()).toEqual(["data", "mine.db", "mine.db.part"]);
  });

  it("of something that is no sound backup changes nothing", () => {
    const places = storePlaces();
    fileStores(places).close();
    mkdirSync(places.backupFolder);
    const bad = join(places.backupFolder, "knack-20270214T093000Z-daily.db");
    writeFileSync(bad, "no database ".repeat(1000));
    const before = readFileSync(places.file);
    expect(codeThrown(() => restoreBackup({ backup: bad, file: places.file, clock: () => day(2) }))).toBe("store.bad-backup");
    expect(codeThrown(() => restoreBackup({ backup: `${bad}x`, file: places.file, clock: () => day(2) }))).toBe("store.no-backup");
    expect(readFileSync(places.file)).toEqual(before);
    expect(readdirSync(dirname(places.file)).sort()).toEqual(["backups", "knack.db"]);
  });
});
