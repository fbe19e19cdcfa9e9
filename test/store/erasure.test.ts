import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Stores } from "#core/ports/stores.ts";
import { alert, conversation, episode, fact, ledgerEntry, message, revision, run, skill, step, turn } from "./fixtures/records.ts";
import { codeThrown, fileStores, storePlaces } from "./fixtures/stores.ts";

const key = { modelHash: "aa", quantisation: "", dimension: 4, prefixes: "" };
/** A word and numbers found nowhere else, so their bytes can be looked for in the files; stemming and prefix compression leave the word as it is. */
const secretWord = "zyxqwvk";
const secretVector = new Float32Array([0.123_456_7, 0.765_432_1, 0.135_792_4, 0.246_801_3]);

/** With it, SQLite copies cells from page to page so that overwriting what is deleted, alone, would leave some of it behind. */
const residueSeed = 6;

function filesHold(file: string, needle: string | Uint8Array): boolean {
  const folder = dirname(file);
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.some(({ name }) => readFileSync(join(folder, name)).includes(Buffer.from(needle as Uint8Array)));
}

function addSkill(stores: Stores, id: string, word: string): void {
  stores.skills.create(
    skill(id, `name-${word}`),
    revision(id, 1, { body: word, evidence: [`evidence-${word}`] }),
    ledgerEntry(`l-${id}`, id, { reason: word }),
  );
  stores.skills.addRun(run(`r-${id}`, id, { inputs: { month: word }, turnId: `turn-${id}` }));
  stores.skills.addPhrasing(id, `please ${word}`, false, 1);
  stores.alerts.add(alert(`a-${id}`, { skillId: id, detail: word }));
  stores.vectors.replace(key, "phrasing", id, [{ text: `find ${word}`, vector: secretVector.map((value) => (word === secretWord ? value : value + 1)) }]);
}

describe("erasing a skill", () => {
  it("takes everything of it, leaves a wordless tombstone, and leaves other skills whole", () => {
    const stores = fileStores(storePlaces());
    addSkill(stores, "gone", secretWord);
    addSkill(stores, "kept", "carpenter");
    stores.skills.setStatus("kept", "retired", ledgerEntry("l2", "kept"), 2, "gone");
    stores.skills.erase("gone", 5000);

    const { skills, vectors, alerts } = stores;
    expect([
      skills.get("gone"),
      skills.revisions("gone"),
      skills.runs("gone"),
      skills.runOfTurn("turn-gone"),
      skills.phrasings("gone"),
      alerts.get("a-gone"),
    ]).toEqual([undefined, [], [], undefined, [], undefined]);
    expect([vectors.vectorsOf(key, "phrasing", "gone"), vectors.searchText("phrasing", secretWord, 5)]).toEqual([[], []]);
    expect(skills.ledger("gone")).toEqual([
      { id: expect.any(String), skillId: "gone", action: "erased", actor: "user", reason: "", before: null, after: null, at: 5000 },
    ]);

    expect(skills.get("kept")).toMatchObject({ name: "name-carpenter", supersededBy: null });
    expect(
      [skills.revisions("kept"), skills.runs("kept"), skills.phrasings("kept"), skills.ledger("kept"), vectors.vectorsOf(key, "phrasing", "kept")].map(
        (rows) => rows.length,
      ),
    ).toEqual([1, 1, 1, 2, 1]);
    expect(stores.integrity()).toBe("ok");
    expect(codeThrown(() => skills.erase("gone", 6000))).toBe("store.missing");
    expect(skills.ledger("gone")).toHaveLength(1);
  });

  it("leaves no byte of it in any file, also when it is part of a larger transaction", () => {
    for (const within of [(_stores: Stores, work: () => void) => work(), (stores: Stores, work: () => void) => stores.transaction(work)]) {
      const places = storePlaces();
      const stores = fileStores(places);
      addSkill(stores, "gone", secretWord);
      expect([filesHold(places.file, secretWord), filesHold(places.file, new Uint8Array(secretVector.buffer))]).toEqual([true, true]);
      within(stores, () => stores.skills.erase("gone", 5000));
      expect([filesHold(places.file, secretWord), filesHold(places.file, new Uint8Array(secretVector.buffer))]).toEqual([false, false]);
    }
  });
});

describe("deleting a conversation or a fact", () => {
  it("leaves no byte of their text in any file, the vectors and words of its episodes included", () => {
    const places = storePlaces();
    const stores = fileStores(places);
    stores.conversations.create(conversation("c", { title: secretWord }));
    stores.conversations.addMessage(message("m", "c", { text: `Where is the ${secretWord}?` }));
    stores.trace.addTurn(turn("t", "c"));
    stores.trace.addStep(step("s", "t", { text: secretWord }));
    stores.trace.addEpisode(episode("e", "c", { goal: secretWord }));
    stores.vectors.replace(key, "episode", "e", [{ text: secretWord, vector: secretVector }]);
    stores.facts.add(fact("f", `Works as a ${secretWord}`));
    expect(filesHold(places.file, secretWord)).toBe(true);
    stores.conversations.delete("c");
    stores.facts.remove("f");
    expect(stores.vectors.vectorsOf(key, "episode", "e")).toEqual([]);
    expect([filesHold(places.file, secretWord), filesHold(places.file, new Uint8Array(secretVector.buffer))]).toEqual([false, false]);
    expect(stores.integrity()).toBe("ok");
  });

  it("leaves none in pages that were shared out anew while it was written, once the file is rebuilt", () => {
    const places = storePlaces();
    const stores = fileStores(places);
    let seed = residueSeed;
    const random = (): number => {
      seed = (Math.imul(seed ^ (seed >>> 15), 2246822519) + 3266489917) >>> 0;
      return seed / 2 ** 32;
    };
    stores.transaction(() => {
      for (let c = 0; c < 30; c++) {
        const isSecret = c % 3 === 0;
        stores.conversations.create(conversation(`c${c}`, { title: isSecret ? secretWord : "title" }));
        for (let m = 0; m < 20; m++) {
          const text = `${isSecret ? secretWord : "plain"} `.repeat(Math.floor(random() * 400) + 1);
          const id = `c${c}-${m}`;
          stores.conversations.addMessage(message(id, `c${c}`, { text: "", status: "streaming", createdAt: m }));
          stores.conversations.updateMessage(id, text.slice(0, text.length / 2), "streaming");
          stores.conversations.updateMessage(id, text, "complete");
        }
      }
    });
    for (let c = 0; c < 30; c += 3) stores.conversations.delete(`c${c}`);
    stores.rebuild();
    expect([filesHold(places.file, secretWord), stores.integrity()]).toEqual([false, "ok"]);
    expect(stores.conversations.search("plain", 500)).toHaveLength(400);
  });
});
