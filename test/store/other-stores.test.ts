import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { migrate } from "#adapters/sqlite/migrate.ts";
import { migrations } from "#adapters/sqlite/migrations/index.ts";
import { connectionOver } from "#adapters/sqlite/open-connection.ts";
import { openStores } from "#adapters/sqlite/open-stores.ts";
import type { Grant } from "#contract/grants/schema.ts";
import type { PassReport, Showing } from "#contract/learning/schema.ts";
import type { Stores } from "#core/ports/stores.ts";
import { alert, conversation, episode, fact, turn } from "./fixtures/records.ts";
import { codeThrown, memoryStores, storePlaces } from "./fixtures/stores.ts";

describe("facts", () => {
  it("come back oldest first and can be changed, searched and removed", () => {
    const { facts } = memoryStores();
    facts.add(fact("b", "Lives in Utrecht", { createdAt: 2 }));
    facts.add(fact("a", "Prefers tea", { createdAt: 1, label: "PREFERENCE" }));
    expect(facts.list().map(({ id }) => id)).toEqual(["a", "b"]);
    facts.update("b", "Lives in Ghent", 9);
    expect(facts.list()[1]).toEqual(fact("b", "Lives in Ghent", { createdAt: 2, updatedAt: 9 }));
    expect([facts.search("utrecht", 5), facts.search("ghent", 5).map(({ id }) => id)]).toEqual([[], ["b"]]);
    facts.remove("b");
    facts.remove("b");
    expect([facts.list().length, facts.search("ghent", 5)]).toEqual([1, []]);
    expect(codeThrown(() => facts.update("b", "text", 1))).toBe("store.missing");
  });
});

describe("facts that a dream found", () => {
  const provenance = { conversationId: "c", messageId: "m", sentence: "By the way, I live in Ghent." };
  const dreamt = (id: string, text: string) => fact(id, text, { source: "agent:dreaming", provenance });

  it("name the message they quote, until the user words them anew: then they are the user's", () => {
    const { facts } = memoryStores();
    facts.add(dreamt("a", "I live in Ghent"));
    expect(facts.list()).toEqual([dreamt("a", "I live in Ghent")]);
    facts.update("a", "I live near Ghent", 9);
    expect(facts.list()).toEqual([fact("a", "I live near Ghent", { source: "user", updatedAt: 9 })]);
    expect(codeThrown(() => facts.renew(dreamt("a", "I live in York")))).toBe("store.missing");
  });

  it("what was forgotten or worded anew is known again by its keys, and none of its words is kept", () => {
    const places = storePlaces();
    const stores = openStores({ ...places, clock: () => 1000, factKeys: (text) => [text.toLowerCase(), "home:ghent"] });
    stores.facts.add(dreamt("a", "I live in Ghent"));
    expect(stores.facts.isForgotten(["home:ghent"])).toBe(false);
    stores.facts.remove("a");
    expect([stores.facts.isForgotten(["home:ghent"]), stores.facts.isForgotten(["i live in ghent"]), stores.facts.isForgotten(["home:york"])]).toEqual([
      true,
      true,
      false,
    ]);
    stores.close();
    expect(readFileSync(places.file).toString("latin1")).not.toMatch(/ghent/iu);
  });

  it("a later word takes the place of one of them, and what an erased conversation said may be found again", () => {
    const { facts } = memoryStores();
    facts.add(dreamt("a", "I live in Ghent"));
    facts.add(fact("b", "I prefer tea"));
    facts.renew(dreamt("a", "I live in York"));
    expect([facts.list()[0]?.text, facts.isForgotten(["I live in Ghent"])]).toEqual(["I live in York", false]);
    facts.loseConversation("c");
    expect([facts.list().map(({ id }) => id), facts.isForgotten(["I live in York"]), facts.search("York", 5)]).toEqual([["b"], false, []]);
  });
});

describe("what memory keeps beside its facts", () => {
  const said = (conversationId: string, text: string, id = "a") =>
    fact(id, text, { source: "conversation", provenance: { conversationId, messageId: `${conversationId}-m`, sentence: text } });

  it("what a fact said before, newest first; the user's own word nobody else renews", () => {
    const { facts } = memoryStores();
    facts.add(said("c1", "I live in Ghent"));
    facts.renew({ ...said("c2", "I live in York"), label: "SOUL", updatedAt: 5 });
    facts.renew(fact("a", "I live in Hull", { updatedAt: 6 }));
    expect(facts.history("a").map(({ text, source, updatedAt, replacedAt }) => [text, source, updatedAt, replacedAt])).toEqual([
      ["I live in York", "conversation", 5, 6],
      ["I live in Ghent", "conversation", 1000, 5],
    ]);
    expect(codeThrown(() => facts.renew(said("c3", "I live in Oslo")))).toBe("store.missing");
    facts.update("a", "I live near Hull", 7);
    expect([facts.list().map(({ text }) => text), facts.history("a").length]).toEqual([["I live near Hull"], 2]);
    facts.remove("a");
    expect(facts.history("a")).toEqual([]);
  });

  it("a fact said in an erased conversation says again what it said before elsewhere, or goes; its history forgets that conversation", () => {
    const { facts } = memoryStores();
    facts.add(said("c1", "I live in Ghent"));
    facts.renew(said("c2", "I live in York"));
    facts.renew(said("c2", "I live in Hull"));
    facts.add(said("c2", "I like tea", "b"));
    facts.loseConversation("c2");
    expect([facts.list(), facts.history("a"), facts.search("ghent", 5).length, facts.search("hull", 5)]).toEqual([[said("c1", "I live in Ghent")], [], 1, []]);
    facts.renew(said("c3", "I live in Oslo"));
    facts.loseMessages(["c1-m"]);
    expect([facts.list().map(({ text }) => text), facts.history("a")]).toEqual([["I live in Oslo"], []]);
  });

  it("a fact that was let go of is in no list and known as forgotten, until it is taken back", () => {
    const { facts } = memoryStores();
    facts.add(fact("a", "I like tea"));
    facts.letGo("a", 9);
    expect([facts.list(), facts.search("tea", 5), facts.letGoUntil(8), facts.letGoUntil(9).map(({ id }) => id)]).toEqual([[], [], [], ["a"]]);
    expect([facts.forgottenAt(["I like tea"]), facts.forgottenAt(["I like coffee"])]).toEqual([9, null]);
    for (const work of [() => facts.letGo("a", 10), () => facts.update("a", "x", 1), () => facts.relabel("a", "SOUL", 1), () => facts.renew(fact("a", "x"))])
      expect(codeThrown(work)).toBe("store.missing");
    facts.takeBack("a");
    expect([facts.list().length, facts.isForgotten(["I like tea"]), codeThrown(() => facts.takeBack("a"))]).toEqual([1, false, "store.missing"]);
    facts.relabel("a", "PREFERENCE", 11);
    expect(facts.list()[0]).toMatchObject({ label: "PREFERENCE", source: "user", updatedAt: 11 });
  });

  it("digests of an older store are keyed when it is opened, and say the same", () => {
    const places = storePlaces();
    mkdirSync(dirname(places.file), { recursive: true });
    const older = connectionOver(new Database(places.file), places.file);
    migrate(older, migrations.slice(0, 17), () => {});
    const plain = createHash("sha256").update("home:ghent").digest("hex");
    older.run("INSERT INTO fact_tombstones (hash) VALUES (:plain)", { plain });
    older.close();
    const stores = openStores({ ...places, clock: () => 1000, factKeys: (text) => [text] });
    expect([stores.facts.isForgotten(["home:ghent"]), stores.facts.forgottenAt(["home:ghent"]), stores.facts.isForgotten(["home:york"])]).toEqual([
      true,
      0,
      false,
    ]);
    stores.close();
    expect(readFileSync(places.file, "latin1")).not.toContain(plain);
  });
});

describe("conversations that rest", () => {
  const resting = (stores: Stores): string[] => stores.learning.quietConversations(100, 10).map(({ id }) => id);

  it("are those nothing was said in since the hour, where nothing runs, longest first, each once per state", () => {
    const stores = memoryStores();
    for (const [id, at] of [
      ["new", 101],
      ["later", 90],
      ["first", 50],
      ["runs", 10],
    ] as const)
      stores.conversations.create(conversation(id, { updatedAt: at }));
    stores.trace.addTurn(turn("t", "runs", { status: "running" }));
    expect(resting(stores)).toEqual(["first", "later"]);
    const [first] = stores.learning.quietConversations(100, 1);
    stores.learning.markDreamt("first", { messages: 3, state: null }, 1);
    expect(stores.learning.quietConversations(100, 1)).toEqual([{ ...first, messagesRead: 3 }]);
    stores.learning.markDreamt("first", { messages: 3, state: first?.state ?? "" }, 2);
    expect(resting(stores)).toEqual(["later"]);
    stores.conversations.touch("first", 95);
    expect(resting(stores)).toEqual(["later", "first"]);
  });

  it("a judgement is a new state; a conversation that is gone meanwhile is no error", () => {
    const stores = memoryStores();
    stores.conversations.create(conversation("c", { updatedAt: 50 }));
    stores.trace.addEpisode(episode("e", "c"));
    const mark = () => stores.learning.markDreamt("c", { messages: 0, state: stores.learning.quietConversations(100, 1)[0]?.state ?? "" }, 1);
    mark();
    expect(resting(stores)).toEqual([]);
    stores.trace.judge("e", "success", "confirmed", 60);
    expect(resting(stores)).toEqual(["c"]);
    mark();
    stores.trace.judge("e", "failure", "it was wrong", 61);
    expect(resting(stores)).toEqual(["c"]);
    stores.conversations.delete("c");
    stores.learning.markDreamt("c", { messages: 0, state: "x" }, 2);
    expect(resting(stores)).toEqual([]);
  });
});

describe("grants", () => {
  it("of every kind come back as they were given, oldest first, until removed", () => {
    const { grants } = memoryStores();
    const given: Grant[] = [
      { id: "3", kind: "primitive", primitive: "browser", createdAt: 1, by: "Kim" },
      {
        id: "1",
        kind: "destination",
        destination: { scheme: "https", host: "a.example", port: 443, use: "navigate", allowPrivate: false },
        createdAt: 2,
        by: "Kim",
      },
      { id: "2", kind: "workspace", folder: "/home/kim/papers", createdAt: 3, by: "Kim" },
      { id: "0", kind: "vault", entry: "portal", createdAt: 4, by: "Kim" },
    ];
    for (const grant of [...given].reverse()) grants.add(grant);
    expect(grants.list()).toEqual(given);
    grants.remove("1");
    expect(grants.list().map(({ id }) => id)).toEqual(["3", "2", "0"]);
  });
});

describe("alerts", () => {
  it("are listed newest first until a person resolved them", () => {
    const { alerts } = memoryStores();
    alerts.add(alert("old", { createdAt: 1 }));
    alerts.add(alert("new", { createdAt: 2, skillId: "s" }));
    expect(alerts.list().map(({ id }) => id)).toEqual(["new", "old"]);
    alerts.resolve("new", "reverted to revision 1", 5);
    expect(alerts.list().map(({ id }) => id)).toEqual(["old"]);
    expect(alerts.list({ all: true }).map(({ id }) => id)).toEqual(["new", "old"]);
    expect(alerts.get("new")).toEqual(alert("new", { createdAt: 2, skillId: "s", resolvedAt: 5, resolution: "reverted to revision 1" }));
    expect(codeThrown(() => alerts.resolve("none", "", 1))).toBe("store.missing");
  });
});

describe("learning", () => {
  const report = (id: string, startedAt: number, note = ""): PassReport => ({ id, startedAt, endedAt: null, dryRun: true, episodesRead: 4, entries: [], note });
  const showing = (id: string, createdAt: number): Showing => ({
    id,
    goal: "Download the June bill",
    url: "https://portal.example/",
    status: "recording",
    actions: [],
    createdAt,
    aim: { kind: "new" },
    base: null,
    edits: [],
    skillId: null,
  });

  it("keeps reports, newest first, each in its last state", () => {
    const { learning } = memoryStores();
    for (const one of [report("b", 1), report("a", 2), report("c", 3)]) learning.addReport(one);
    learning.addReport(report("a", 2, "nothing recurs yet"));
    expect(learning.reports(2)).toEqual([report("c", 3), report("a", 2, "nothing recurs yet")]);
  });

  it("keeps the showings of a skill apart, oldest first", () => {
    const { learning } = memoryStores();
    for (const [id, at, skillId] of [
      ["a", 2, "s"],
      ["b", 1, "s"],
      ["c", 3, null],
    ] as const)
      learning.putShowing({ ...showing(id, at), status: "confirmed", skillId });
    expect(learning.showingsOf("s").map(({ id }) => id)).toEqual(["b", "a"]);
  });

  it("SHO-07: calls the recordings of hosts that are not alive broken, and no others", () => {
    const { learning } = memoryStores();
    learning.putShowing(showing("mine", 1));
    learning.putShowing({ ...showing("done", 2), status: "draft" });
    expect(learning.markBroken(() => true)).toBe(0);
    expect(learning.showing("mine")?.status).toBe("recording");
    expect(learning.markBroken(() => false)).toBe(1);
    expect([learning.showing("mine")?.status, learning.showing("done")?.status]).toEqual(["broken", "draft"]);
    expect(learning.markBroken(() => false)).toBe(0);
  });

  it("keeps showings, newest first, each in its last state", () => {
    const { learning } = memoryStores();
    for (const one of [showing("b", 1), showing("a", 2)]) learning.putShowing(one);
    learning.putShowing({ ...showing("b", 1), status: "draft" });
    expect(learning.showings()).toEqual([showing("a", 2), { ...showing("b", 1), status: "draft" }]);
    expect([learning.showing("a"), learning.showing("none")]).toEqual([showing("a", 2), undefined]);
  });

  it("remembers how far it has read", () => {
    const { learning } = memoryStores();
    expect(learning.watermark()).toBe(0);
    learning.setWatermark(17);
    expect(learning.watermark()).toBe(17);
  });
});

describe("settings", () => {
  it("keep any value under any key", () => {
    const { settings } = memoryStores();
    settings.set("theme", "dark");
    settings.set("theme", "light");
    settings.set("chatModel", null);
    settings.set("__proto__", { of: [1, true] });
    settings.set("gone", 1);
    settings.set("gone", undefined);
    expect(Object.entries(settings.all())).toEqual([
      ["__proto__", { of: [1, true] }],
      ["chatModel", null],
      ["theme", "light"],
    ]);
    expect([settings.get("chatModel"), settings.get("theme"), settings.get("gone")]).toEqual([null, "light", undefined]);
  });
});

describe("a transaction", () => {
  it("keeps all or nothing", () => {
    const stores = memoryStores();
    const boom = new Error("boom");
    expect(() =>
      stores.transaction(() => {
        stores.conversations.create(conversation("c"));
        throw boom;
      }),
    ).toThrow(boom);
    expect(stores.conversations.list()).toEqual([]);
    expect(stores.transaction(() => stores.conversations.create(conversation("c")) ?? "done")).toBe("done");
    expect(stores.conversations.list()).toHaveLength(1);
  });

  it("inside another undoes only itself when it fails", () => {
    const stores = memoryStores();
    stores.transaction(() => {
      stores.conversations.create(conversation("outer"));
      expect(() =>
        stores.transaction(() => {
          stores.conversations.create(conversation("inner"));
          throw new Error("boom");
        }),
      ).toThrow("boom");
    });
    expect(stores.conversations.list().map(({ id }) => id)).toEqual(["outer"]);
  });

  it("cannot wait for something, for it would hold the store meanwhile", () => {
    const stores = memoryStores();
    expect(() => stores.transaction(async () => stores.conversations.create(conversation("c")))).toThrow(/promise/u);
    expect(stores.conversations.list()).toEqual([]);
  });
});
