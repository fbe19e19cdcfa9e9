import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAgent } from "#app/create-agent.ts";
import { expectOneLine, jsonIn, knackIn } from "./cli-process.ts";

let folder: string;
const knack = (...args: string[]) => knackIn(folder, args);
const json = (...args: string[]) => jsonIn(folder, args);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-cli-"));
  const agent = await createAgent({ dataFolder: join(folder, "home"), cacheFolder: join(folder, "cache"), env: {}, maintenance: false });
  const contact = {
    at: Date.now(),
    endedAt: Date.now(),
    means: "browser",
    allowed: true,
    code: "ok",
    scheme: "https",
    host: "app.test",
    port: 443,
    resolved: ["93.184.215.10"],
    address: "93.184.215.10",
    grant: "https://app.test",
    grantId: null,
    conversationId: null,
    turnId: null,
    sent: 100,
    received: 2_000,
    times: 1,
  } as const;
  const refused = { ...contact, allowed: false, code: "dest.host", host: "evil.test", address: "", resolved: [], grant: null, times: 3 };
  agent.world.stores.contacts.put([
    { ...contact, id: "k1" },
    { ...refused, id: "k2" },
    { ...contact, id: "k3", host: "other.test" },
  ]);
  await agent.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("what was talked to is listed, filtered and shown", async () => {
  expect((await knack("activity", "list")).out).toMatch(/k2 .*refused: dest\.host ×3 +https:\/\/evil\.test:443/u);
  expect((await json("activity", "list", "--refused")).contacts.map(({ id }: { id: string }) => id)).toEqual(["k2"]);
  expect((await json("activity", "list", "--host", "app")).contacts.map(({ id }: { id: string }) => id)).toEqual(["k1"]);
  const first = await json("activity", "list", "--limit", "2");
  expect((await json("activity", "list", "--before", String(first.next))).contacts.map(({ id }: { id: string }) => id)).toEqual(["k1"]);
  const shown = (await knack("activity", "show", "k1")).out;
  for (const text of ["granted: https://app.test (no longer)", "dialled: 93.184.215.10", "received 2.0 kB"]) expect(shown).toContain(text);
});

test("a contact or a filter that is none is refused in one line", async () => {
  expectOneLine(await knack("activity", "show", "k9"), 2, "There is no contact k9");
  expectOneLine(await knack("activity", "list", "--limit", "0"), 2, "whole number from 1 to 200");
});

test("NET-13, URL-12: an address is granted with its limits, and one with foreign letters with a warning", async () => {
  expect((await knack("grants", "add", "https://cdn.test.example", "--parts-only", "--without-queries", "--most-sent", "64000")).out).toContain(
    "(parts of pages only) (without queries) (at most 64.0 kB sent)",
  );
  expect((await json("grants", "list")).at(-1).destination).toMatchObject({ use: "subresource", noQuery: true, mostSent: 64_000 });
  const foreign = await knack("grants", "add", "https://\u0430pp.example");
  expect(foreign.out).toContain("granted https://xn--pp-6kc.example");
  expect(foreign.err).toContain("mixes Latin and Cyrillic letters");
  expectOneLine(await knack("grants", "add", "memory", "--parts-only"), 2, "Only an address can be granted");
  expectOneLine(await knack("grants", "add", "*.github.io"), 2, "is a suffix that many sites share");
  expectOneLine(await knack("grants", "add", "http://169.254.169.254"), 2, "is never opened");
});
