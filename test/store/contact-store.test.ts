import { describe, expect, it } from "vitest";
import type { Contact } from "#contract/activity/schema.ts";
import { conversation, turn } from "./fixtures/records.ts";
import { memoryStores } from "./fixtures/stores.ts";

const contact = (id: string, change: Partial<Contact> = {}): Contact => ({
  id,
  at: 1000,
  endedAt: null,
  means: "browser",
  allowed: true,
  code: "ok",
  scheme: "https",
  host: "app.test",
  port: 443,
  resolved: ["93.184.215.10"],
  address: "93.184.215.10",
  grant: "https://app.test",
  grantId: "g",
  conversationId: null,
  turnId: null,
  sent: 0,
  received: 0,
  times: 1,
  ...change,
});

function withConversation() {
  const stores = memoryStores();
  stores.conversations.create(conversation("c"));
  stores.trace.addTurn(turn("t", "c"));
  return stores;
}

const ids = (contacts: readonly Contact[]): string[] => contacts.map(({ id }) => id);

describe("contacts", () => {
  it("come back whole, newest first, page by page", () => {
    const { contacts } = withConversation();
    const all = [
      contact("a", { conversationId: "c", turnId: "t" }),
      contact("b", { allowed: false, code: "dest.host", grant: null, grantId: null }),
      contact("d"),
    ];
    contacts.put(all);
    const first = contacts.page({ limit: 2 });
    expect(first.contacts).toEqual([all[2], all[1]]);
    const second = contacts.page({ limit: 2, before: first.next ?? 0 });
    expect([second.contacts, second.next]).toEqual([[all[0]], null]);
    expect([contacts.get("a"), contacts.get("x")]).toEqual([all[0], undefined]);
  });

  it("are found by a part of the host, by conversation and by refusal, all of it together", () => {
    const { contacts } = withConversation();
    contacts.put([
      contact("a", { conversationId: "c" }),
      contact("b", { conversationId: "c", allowed: false, code: "dest.host", host: "evil.test" }),
      contact("d", { allowed: false, code: "dest.host", host: "evil.test" }),
      contact("e", { host: "100%_sure.test" }),
    ]);
    expect(ids(contacts.page({ limit: 9, host: "EVIL" }).contacts)).toEqual(["d", "b"]);
    expect(ids(contacts.page({ limit: 9, refused: true, conversationId: "c" }).contacts)).toEqual(["b"]);
    expect(ids(contacts.page({ limit: 9, refused: false }).contacts)).toEqual(["e", "a"]);
    expect(ids(contacts.page({ limit: 9, host: "%" }).contacts)).toEqual(["e"]);
  });

  it("are brought up to date by their id, and stay where they stand", () => {
    const { contacts } = withConversation();
    contacts.put([contact("a"), contact("b")]);
    contacts.put([contact("a", { endedAt: 2000, sent: 5, received: 7, code: "dial.failed", times: 3 })]);
    expect(ids(contacts.page({ limit: 9 }).contacts)).toEqual(["b", "a"]);
    expect(contacts.get("a")).toMatchObject({ endedAt: 2000, sent: 5, received: 7, code: "dial.failed", times: 3 });
  });

  it("go with their conversation and their turn, and one that comes late is not taken in", () => {
    const stores = withConversation();
    const { contacts } = stores;
    contacts.put([contact("a", { conversationId: "c", turnId: "t" }), contact("b", { conversationId: "c" }), contact("d")]);
    stores.conversations.delete("c");
    contacts.put([contact("a", { conversationId: "c", turnId: "t", endedAt: 1 }), contact("e", { turnId: "t" })]);
    expect(ids(contacts.page({ limit: 9 }).contacts)).toEqual(["d"]);
  });

  it("are kept up to an age and a number", () => {
    const { contacts } = withConversation();
    contacts.put([contact("a", { at: 1 }), contact("b", { at: 10 }), contact("d", { at: 11 }), contact("e", { at: 12 })]);
    expect(contacts.prune(10, 2)).toBe(2);
    expect(ids(contacts.page({ limit: 9 }).contacts)).toEqual(["e", "d"]);
  });
});
