import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import { dream } from "#app/dream.ts";
import type { Outcome, Step } from "#contract/chat/schema.ts";
import { silentLog } from "#core/ports/index.ts";
import { expectOneLine, jsonIn, knackIn } from "./cli-process.ts";

let folder: string;
const knack = (...args: string[]) => knackIn(folder, args);
const json = (...args: string[]) => jsonIn(folder, args);
const long = Date.now() - 3_600_000;
const tokens = { evaluated: 0, reused: 0, generated: 0 };

const made = [
  ["browser_open", { url: "https://portal.example/" }, "Welcome"],
  ["browser_click", { target: { role: "link", name: "Billing" } }, "Billing"],
  ["browser_click", { target: { role: "button", name: "Download April 2026 invoice" } }, "Billing"],
] as const;

/** A conversation an hour ago in which a task was done. */
function task({ world }: HostedAgent, id: string, goal: string, outcome: Outcome | null, steps: typeof made | readonly [] = made): void {
  const { conversations, trace } = world.stores;
  conversations.create({ id, title: goal, createdAt: long, updatedAt: long });
  conversations.addMessage({ id: `${id}-m`, conversationId: id, turnId: `${id}-t`, role: "user", text: goal, status: "complete", createdAt: long });
  trace.addEpisode({ id: `${id}-e`, conversationId: id, goal, outcome, reason: null, open: false, createdAt: long, closedAt: long });
  trace.addTurn({
    id: `${id}-t`,
    conversationId: id,
    episodeId: `${id}-e`,
    status: "done",
    skillId: null,
    revision: null,
    mode: null,
    recall: null,
    startedAt: long,
    endedAt: long,
    tokens,
  });
  for (const [index, [tool, args, heading]] of steps.entries()) {
    const after = { url: "https://portal.example/", title: heading, heading, text: heading };
    const step: Step = {
      id: `${id}-${index}`,
      turnId: `${id}-t`,
      episodeId: `${id}-e`,
      index,
      tool,
      args,
      status: "ok",
      text: "",
      details: { after },
      startedAt: long,
      durationMs: 1,
      tokens,
    };
    trace.addStep(step);
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-cli-"));
  const agent = await createAgent({ dataFolder: join(folder, "home"), cacheFolder: join(folder, "cache"), env: {} });
  task(agent, "talk", "By the way, I prefer aisle seats; book nothing.", null, []);
  task(agent, "done", "Download the April 2026 invoice from https://portal.example/", "success");
  task(agent, "unsure", "Download the April 2026 invoice from https://portal.example/", "claimed_success");
  await dream({ ...agent.world, model: () => Promise.reject(new Error("no model here")), log: silentLog }, new AbortController().signal);
  await agent.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the report of a dream says what was read, what was found and where, and how it is taken back", async () => {
  const { out } = await knack("skills", "report");
  expect(out).toMatch(/dream: 3 conversations, 3 messages and 0 episodes read/u);
  expect(out).toMatch(/added +"I prefer aisle seats": in your own words\n +from conversation talk, message talk-m\n +take it back with: knack memory forget /u);
  const [report] = await json("skills", "report");
  expect(report.entries[0]).toMatchObject({ decision: "added", now: { fact: { provenance: { conversationId: "talk", messageId: "talk-m" } } } });
  await knack("memory", "forget", report.entries[0].now.fact.id, "--yes");
  expect((await knack("skills", "report")).out).toMatch(/added +a fact that is forgotten/u);
});

test("a conversation is learned from once its draft is confirmed", async () => {
  const unconfirmed = await knack("skills", "learn", "done");
  expect([unconfirmed.code, unconfirmed.err]).toEqual([1, expect.stringContaining("say --yes")]);
  expect(await json("skills", "list")).toEqual([]);
  const { code, out } = await knack("skills", "learn", "done", "--yes", "--name", "april-invoice");
  expect([code, out]).toEqual([0, expect.stringMatching(/Draft "april-invoice"[\s\S]*learned "april-invoice"/u)]);
  expect(await json("skills", "list")).toMatchObject([{ name: "april-invoice", status: "provisional", author: "human:user" }]);
});

test("what means the same is offered as the next revision, and what says the same is refused", async () => {
  const refused = await knack("skills", "learn", "done", "--yes");
  expectOneLine(refused, 2, '"april-invoice" (provisional) does the same', "--skill april-invoice", "--name");
  expectOneLineAtEnd(await knack("skills", "learn", "done", "--skill", "april-invoice", "--yes"), 3, 'says the same as revision 1 of "april-invoice"');
});

test("what cannot be learned is said with the way on", async () => {
  expectOneLine(await knack("skills", "learn", "unsure"), 3, "Nobody has confirmed", "knack skills learn unsure --worked");
  expectOneLine(await knack("skills", "learn", "talk"), 3, "Nothing was done in this conversation");
  expectOneLine(await knack("skills", "learn", "nowhere"), 2, "There is no conversation nowhere");
  expectOneLine(await knack("skills", "learn", "done", "--name", "a", "--skill", "b"), 2, "give one of them");
});

/** The draft is shown before the line that refuses it. */
function expectOneLineAtEnd({ code, out, err }: Awaited<ReturnType<typeof knack>>, expected: number, says: string): void {
  expect([code, out]).toEqual([expected, expect.stringContaining("does the same; this would be its next revision")]);
  expect(err).toMatch(/^knack: [^\n]+\n$/u);
  expect(err).toContain(says);
}
