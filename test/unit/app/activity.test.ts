import { describe, expect, it, onTestFinished } from "vitest";
import { openStores } from "#adapters/sqlite/open-stores.ts";
import { makeActivity } from "#app/activity.ts";
import type { Contact } from "#contract/activity/schema.ts";
import type { Destination, Grant } from "#contract/grants/schema.ts";
import { type EgressDecision, silentLog } from "#core/ports/index.ts";

const app: Destination = { scheme: "https", host: "app.test", port: 443, use: "navigate", allowPrivate: false };

function started() {
  let at = 1_000_000;
  let ids = 0;
  const makeId = (): string => `contact-${(ids += 1)}`;
  const stores = openStores({ file: ":memory:", backupFolder: "unused", clock: () => at, makeId, factKeys: () => [] });
  onTestFinished(() => stores.close());
  stores.conversations.create({ id: "c", title: "Hours", createdAt: 1, updatedAt: 1 });
  const grant: Grant = { id: "g", kind: "destination", destination: app, createdAt: 1, by: "user" };
  stores.grants.add(grant);
  const activity = makeActivity({ stores, clock: () => at, makeId, turnOf: () => null, keepDays: () => 30, log: silentLog });
  const decision = (id: number, change: Partial<EgressDecision> = {}): EgressDecision => ({
    id,
    at,
    allowed: true,
    code: "ok",
    scheme: "https",
    host: "app.test",
    port: 443,
    resolved: ["93.184.215.10"],
    address: "93.184.215.10",
    destination: app,
    endedAt: null,
    sent: 0,
    received: 0,
    ...change,
  });
  const refused = (id: number, change: Partial<EgressDecision> = {}): EgressDecision =>
    decision(id, { allowed: false, code: "dest.host", host: "evil.test", address: "", resolved: [], destination: null, endedAt: at, ...change });
  return { stores, activity, decision, refused, wait: (ms: number) => (at += ms), all: (): readonly Contact[] => activity.page({ limit: 200 }).contacts };
}

describe("what anything talked to", () => {
  it("is kept with the grant that allowed it, and with what went through once it is over", () => {
    const { activity, decision, all } = started();
    const listen = activity.listen("browser", "c");
    listen(decision(1));
    expect(all()).toMatchObject([{ means: "browser", conversationId: "c", grant: "https://app.test", grantId: "g", endedAt: null }]);
    listen(decision(1, { endedAt: 1_000_500, sent: 10, received: 20 }));
    expect(all()).toMatchObject([{ endedAt: 1_000_500, sent: 10, received: 20, times: 1 }]);
  });

  it("names a grant that narrows as what it is, and none where it is no longer kept", () => {
    const { activity, decision, all } = started();
    activity.listen("web_fetch", "c")(decision(1, { destination: { ...app, use: "subresource", noQuery: true } }));
    expect(all()).toMatchObject([{ means: "web_fetch", grant: "https://app.test, for parts of other pages only, without queries", grantId: null }]);
  });

  it("equal refusals within a minute are one, of a page that tries ten thousand times", () => {
    const { activity, refused, wait, all } = started();
    const listen = activity.listen("browser", "c");
    for (let id = 1; id <= 10_000; id += 1) listen(refused(id));
    listen(refused(10_001, { port: 8443 }));
    expect(all().map(({ port, times, allowed }) => [port, times, allowed])).toEqual([
      [8443, 1, false],
      [443, 10_000, false],
    ]);
    wait(61_000);
    listen(refused(10_002));
    expect(all().map(({ times }) => times)).toEqual([1, 1, 10_000]);
  });

  it("two browsers whose decisions have the same numbers are kept apart", () => {
    const { activity, decision, all } = started();
    const [one, two] = [activity.listen("browser", "c"), activity.listen("showing", null)];
    one(decision(1));
    two(decision(1));
    two(decision(1, { endedAt: 5, received: 7 }));
    expect(all().map(({ means, received }) => [means, received])).toEqual([
      ["showing", 7],
      ["browser", 0],
    ]);
  });

  it("a model that Knack itself fetches is told of by host, without the path", () => {
    const { activity, all } = started();
    const ended = activity.begin("models", "https://hub.example/repository/secret-name.gguf?token=x");
    activity.begin("models", "package index")(0, false);
    ended(1_000, true);
    expect(all()).toMatchObject([
      { host: "package index", scheme: "", code: "dial.failed" },
      { host: "hub.example", scheme: "https", port: 443, received: 1_000, code: "ok", grant: null },
    ]);
    expect(JSON.stringify(all())).not.toMatch(/secret|token/u);
  });

  it("goes with its conversation, also what is told of it afterwards", () => {
    const { stores, activity, decision, all } = started();
    const listen = activity.listen("browser", "c");
    listen(decision(1));
    activity.flush();
    stores.conversations.delete("c");
    listen(decision(1, { endedAt: 5 }));
    listen(decision(2));
    expect(all()).toEqual([]);
  });

  it("is let go of after as many days as the user keeps it", () => {
    const { activity, decision, wait, all } = started();
    activity.listen("browser", "c")(decision(1));
    activity.flush();
    wait(31 * 86_400_000);
    activity.listen("browser", "c")(decision(1));
    activity.flush();
    expect(activity.prune()).toBe(1);
    expect(all()).toHaveLength(1);
  });

  it("is kept to its bounds while a process goes on, without anybody asking for it", () => {
    const { stores, activity, decision, wait } = started();
    const listen = activity.listen("browser", "c");
    listen(decision(1));
    activity.flush();
    wait(31 * 86_400_000);
    for (let id = 2; id < 2_100; id += 1) listen(decision(id, { at: 1_000_000 + 31 * 86_400_000 }));
    expect(stores.contacts.get("contact-1")).toBeUndefined();
  });

  it("a store that cannot be written loses the log, and nothing else", () => {
    const { stores, activity, decision } = started();
    stores.contacts.put = () => {
      throw new Error("disk full");
    };
    activity.listen("browser", "c")(decision(1));
    expect(() => activity.flush()).not.toThrow();
  });

  it("one that is not there is told of", () => {
    const { activity } = started();
    expect(() => activity.get("x")).toThrow("There is no contact x; see: knack activity list");
  });
});
