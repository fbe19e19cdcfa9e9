import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStores } from "#adapters/sqlite/open-stores.ts";
import { ledgerEntry, revision, run, skill } from "./fixtures/records.ts";
import { storePlaces } from "./fixtures/stores.ts";

/** A bare connection to a store with one skill: what the schema itself refuses, whoever writes. */
function bareConnection(): Database.Database {
  const places = storePlaces();
  const stores = openStores({ ...places, clock: () => 1000 });
  stores.skills.create(skill("s", "download-bill"), revision("s", 1), ledgerEntry("l", "s"));
  stores.skills.addRun(run("r", "s"));
  stores.close();
  const database = new Database(places.file);
  onTestFinished(() => {
    database.close();
  });
  return database;
}

describe("the schema refuses", () => {
  it.each([
    ["a change of a revision", "UPDATE revisions SET body = 'other'", /never changed/u],
    ["a revision put in another's place", "INSERT OR REPLACE INTO revisions SELECT * FROM revisions", /next number/u],
    ["a revision taken away", "DELETE FROM revisions", /erased/u],
    ["a change of the ledger", "UPDATE ledger SET actor = 'nobody'", /never changed/u],
    ["a ledger row put in another's place", "INSERT OR REPLACE INTO ledger SELECT * FROM ledger", /written once/u],
    ["a ledger row taken away", "DELETE FROM ledger", /erased/u],
    ["a skill taken away under its revisions", "DELETE FROM skills", /FOREIGN KEY/u],
    [
      "a vector of another dimension",
      "INSERT INTO embedders VALUES (1, 'k', 3); INSERT INTO texts VALUES (1, 'phrasing', 's', 't'); INSERT INTO vectors VALUES (1, 1, 'phrasing', 1, x'00000000')",
      /dimension/u,
    ],
    ["text where a number belongs", "UPDATE skills SET updated_at = 'yesterday'", /cannot store TEXT/u],
    ["broken JSON", "UPDATE runs SET inputs = '{'", /CHECK/u],
  ])("%s", (_name, sql, message) => {
    expect(() => bareConnection().exec(sql)).toThrow(message);
  });

  it("the erasing of another skill's revisions while one is erased", () => {
    const database = bareConnection();
    database.exec("INSERT INTO erasures VALUES ('t')");
    expect(() => database.exec("DELETE FROM revisions")).toThrow(/erased/u);
  });
});
