import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { SkillFile } from "#contract/skills/schema.ts";
import type { Stores } from "#core/ports/stores.ts";
import { ledgerEntry, revision, skill } from "./fixtures/records.ts";
import { fileStores, memoryStores, storePlaces } from "./fixtures/stores.ts";

const file = (skillId: string, number: number, change: Partial<SkillFile> = {}): SkillFile => ({
  skillId,
  revision: number,
  path: `office/${skillId}/SKILL.md`,
  digest: "d1",
  extra: { model: "big" },
  diagnostics: [{ code: "crlf", severity: "note", message: "Windows line ends" }],
  ...change,
});
const add = (stores: Stores, id: string, author: string): void =>
  stores.skills.create(skill(id, `name-${id}`), revision(id, 1, { author }), ledgerEntry(`l-${id}`, id));

describe("the file of a revision", () => {
  it("is kept with what was wrong with it, and said anew when it was read again", () => {
    const stores = memoryStores();
    add(stores, "a", "authored:office");
    stores.skillFiles.put(file("a", 1));
    expect([stores.skillFiles.of("a", 1), stores.skillFiles.of("a", 2)]).toEqual([file("a", 1), undefined]);
    stores.skillFiles.put(file("a", 1, { digest: "d2", diagnostics: [] }));
    expect(stores.skillFiles.of("a", 1)).toEqual(file("a", 1, { digest: "d2", diagnostics: [] }));
  });

  it("of a skill of a pack is found by its newest revision; imported ones are no pack's", () => {
    const stores = memoryStores();
    add(stores, "a", "authored:office");
    add(stores, "b", "imported");
    stores.skillFiles.put(file("a", 1));
    stores.skillFiles.put(file("b", 1));
    stores.skills.addRevision(revision("a", 2, { author: "authored:office" }), ledgerEntry("l2", "a"), 2);
    expect(stores.skillFiles.authored()).toEqual([]);
    stores.skillFiles.put(file("a", 2, { path: "office/other/SKILL.md" }));
    expect(stores.skillFiles.authored()).toEqual([file("a", 2, { path: "office/other/SKILL.md" })]);
  });

  it("goes with its skill", () => {
    const stores = memoryStores();
    add(stores, "a", "authored:office");
    stores.skillFiles.put(file("a", 1));
    stores.skills.erase("a", 5);
    expect([stores.skillFiles.of("a", 1), stores.skillFiles.authored()]).toEqual([undefined, []]);
  });

  it("of a revision that is not there is refused", () => expect(() => memoryStores().skillFiles.put(file("a", 1))).toThrow());
});

describe("PRE-11: the schema refuses, whoever writes,", () => {
  const bare = (): Database.Database => {
    const places = storePlaces();
    const stores = fileStores(places);
    add(stores, "pack", "authored:office");
    add(stores, "learned", "agent:synthesis");
    return new Database(places.file);
  };
  const insert = (id: string, author: string): string => `INSERT INTO revisions (skill_id, number, content, body, author, evidence, created_at, content_hash)
    VALUES ('${id}', 2, '{}', '', '${author}', '[]', 2, 'h')`;
  it.each([
    ["a learned revision of a skill of a pack", insert("pack", "agent:synthesis"), /its pack alone/u],
    ["a person's revision of a skill of a pack", insert("pack", "human:Kim"), /its pack alone/u],
    ["another pack's revision", insert("pack", "authored:home"), /its pack alone/u],
    ["an authored revision of a learned skill", insert("learned", "authored:office"), /its pack alone/u],
    ["a skill of a pack merged into another", "UPDATE skills SET superseded_by = 'learned' WHERE id = 'pack'", /never merged/u],
    ["a skill merged into one of a pack", "UPDATE skills SET superseded_by = 'pack' WHERE id = 'learned'", /never merged/u],
  ])("%s", (_name, sql, message) => {
    const database = bare();
    expect(() => database.exec(sql)).toThrow(message);
    database.close();
  });
  it("and takes the pack's own next revision", () => {
    const database = bare();
    expect(() => database.exec(insert("pack", "authored:office"))).not.toThrow();
    database.close();
  });
});

it("owners of whom no text is kept are told apart from those under another embedder", () => {
  const { vectors } = memoryStores();
  vectors.replace({ modelHash: "aa", quantisation: "", dimension: 2, prefixes: "" }, "phrasing", "a", [{ text: "a", vector: new Float32Array([1, 0]) }]);
  expect(vectors.unknown("phrasing", ["b", "a", "c"])).toEqual(["b", "c"]);
  vectors.remove("a");
  expect(vectors.unknown("phrasing", ["a"])).toEqual(["a"]);
});
