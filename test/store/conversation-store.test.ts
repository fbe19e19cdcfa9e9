import { describe, expect, it } from "vitest";
import { conversation, episode, message, step, turn } from "./fixtures/records.ts";
import { codeThrown, memoryStores } from "./fixtures/stores.ts";

describe("conversations", () => {
  it("come back as they were stored, the one used last first", () => {
    const { conversations } = memoryStores();
    const older = conversation("older", { updatedAt: 5 });
    const newer = conversation("newer", { updatedAt: 9 });
    conversations.create(newer);
    conversations.create(older);
    expect(conversations.list()).toEqual([newer, older]);
    expect(conversations.list(1)).toEqual([newer]);
    conversations.touch("older", 10);
    conversations.rename("newer", "Bills", 11);
    expect(conversations.list()).toEqual([
      { ...newer, title: "Bills", updatedAt: 11 },
      { ...older, updatedAt: 10 },
    ]);
    expect(conversations.get("newer")).toEqual({ ...newer, title: "Bills", updatedAt: 11 });
    expect(conversations.get("none")).toBeUndefined();
  });

  it("take their messages, turns, steps and episodes along, and leave those of others", () => {
    const { conversations, trace } = memoryStores();
    for (const id of ["gone", "kept"]) {
      conversations.create(conversation(id));
      conversations.addMessage(message(`message-${id}`, id));
      trace.addTurn(turn(`turn-${id}`, id));
      trace.addStep(step(`step-${id}`, `turn-${id}`));
      trace.addEpisode(episode(`episode-${id}`, id));
    }
    conversations.delete("gone");
    const left = (id: string) => [
      conversations.get(id) !== undefined,
      conversations.messages(id).length,
      trace.turns(id).length,
      trace.stepsOfTurn(`turn-${id}`).length,
      trace.episodesOf(id).length,
    ];
    expect(left("gone")).toEqual([false, 0, 0, 0, 0]);
    expect(left("kept")).toEqual([true, 1, 1, 1, 1]);
  });
});

describe("messages", () => {
  it("come back oldest first, those of the same moment as they were written", () => {
    const { conversations } = memoryStores();
    conversations.create(conversation("c"));
    const written = [message("z", "c", { createdAt: 2 }), message("a", "c", { createdAt: 2, role: "assistant" }), message("m", "c", { createdAt: 1 })];
    for (const one of written) conversations.addMessage(one);
    expect(conversations.messages("c").map(({ id }) => id)).toEqual(["m", "z", "a"]);
    expect(conversations.message("a")).toEqual(written[1]);
  });

  it("keep any text as it is", () => {
    const { conversations } = memoryStores();
    conversations.create(conversation("c"));
    const text = "Zeile 1\r\nZeile 2\t\u0000 'quoted' \"; DROP TABLE messages; -- 👩‍👩‍👧 \u202e";
    conversations.addMessage(message("m", "c", { text }));
    expect(conversations.message("m")?.text).toBe(text);
  });

  it("grow while an answer streams", () => {
    const { conversations } = memoryStores();
    conversations.create(conversation("c"));
    conversations.addMessage(message("m", "c", { text: "", status: "streaming" }));
    conversations.updateMessage("m", "Here is", "streaming");
    conversations.updateMessage("m", "Here is your bill.", "complete");
    expect(conversations.message("m")).toMatchObject({ text: "Here is your bill.", status: "complete" });
  });

  it("say so when what is changed is gone", () => {
    const { conversations } = memoryStores();
    expect(codeThrown(() => conversations.updateMessage("none", "text", "complete"))).toBe("store.missing");
    expect(codeThrown(() => conversations.rename("none", "title", 1))).toBe("store.missing");
  });

  it("belong to a conversation that exists", () => {
    const { conversations } = memoryStores();
    expect(() => conversations.addMessage(message("m", "nowhere"))).toThrow(/FOREIGN KEY/u);
  });
});

describe("message search", () => {
  const found = (texts: Record<string, string>, query: string, limit = 10): string[] => {
    const { conversations } = memoryStores();
    conversations.create(conversation("c"));
    for (const [id, text] of Object.entries(texts)) conversations.addMessage(message(id, "c", { text }));
    return conversations.search(query, limit).map(({ id }) => id);
  };

  it("finds every word, in any case, form, accent and order", () => {
    expect(found({ yes: "My électricité BILLS for June", no: "My water bill" }, "electricite bill")).toEqual(["yes"]);
  });
  it("takes the last word as a beginning", () => {
    expect(found({ yes: "The visitor permit" }, "visitor perm")).toEqual(["yes"]);
  });
  it("falls back to any word, best match first", () => {
    expect(found({ one: "a bill and a great many other things to talk about", both: "bill permit", none: "weather" }, "bill permit unicorn")).toEqual([
      "both",
      "one",
    ]);
  });
  it("finds nothing without words, and takes no operators", () => {
    expect(found({ a: "NEAR text" }, ' "*() - ')).toEqual([]);
    expect(found({ a: "bill", b: "permit" }, 'text:bill NOT "permit" OR col*')).toEqual(["a", "b"]);
  });
  it("returns at most as many as asked", () => {
    expect(found({ a: "bill", b: "bill", c: "bill" }, "bill", 2)).toHaveLength(2);
  });
  it("follows changes, and leaves out an answer that still streams", () => {
    const { conversations } = memoryStores();
    conversations.create(conversation("c"));
    conversations.addMessage(message("m", "c", { text: "june", status: "streaming" }));
    const hits = (query: string): number => conversations.search(query, 5).length;
    expect(hits("june")).toBe(0);
    conversations.updateMessage("m", "july", "complete");
    expect([hits("june"), hits("july")]).toEqual([0, 1]);
    conversations.updateMessage("m", "august", "complete");
    expect([hits("july"), hits("august")]).toEqual([0, 1]);
    conversations.delete("c");
    expect(hits("august")).toBe(0);
  });
});
