import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { slowModel } from "../fixtures/makers/slow-model.ts";
import { expectOneLine, knackIn } from "./cli-process.ts";

const reply = "A lighthouse is a tower with a lamp. ".repeat(12).trim();
/** An answer is stored every 200 ms while it streams; the rest is for a slow machine. */
const storedWithinMs = 900;

/** A host killed with no warning in the middle of its answer; what it had shown by a second before. */
async function killed(folder: string): Promise<{ readonly conversationId: string; readonly shown: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "killed-writer.ts"), join(folder, "home"), join(folder, "cache"), reply], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once("close", (_code, signal) => resolve(signal)));
  let [conversationId, text, shown] = ["", "", ""];
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as TurnEvent;
    if (event.type === "turn-started") conversationId = event.turn.conversationId;
    if (event.type === "text-delta") text += event.text;
    if (shown === "" && text.length > 40) {
      shown = text;
      void sleep(storedWithinMs).then(() => child.kill("SIGKILL"));
    }
  }
  expect(await ended).toBe("SIGKILL");
  return { conversationId, shown };
}

async function agentIn(folder: string): Promise<HostedAgent> {
  return createAgent({
    dataFolder: join(folder, "home"),
    cacheFolder: join(folder, "cache"),
    env: {},
    maintenance: false,
    models: { chat: async () => slowModel(reply, 0), embedder: async () => null },
  });
}

describe("a host killed while it writes an answer", () => {
  it("leaves the answer as far as it was written, marked, and another host writes it to its end as the same task", { timeout: 90_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "knack-continue-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    const { conversationId, shown } = await killed(folder);

    const first = await agentIn(folder);
    const before = first.conversation(conversationId);
    const partial = before.messages.find(({ role }) => role === "assistant");
    expect(before.turns).toMatchObject([{ status: "interrupted" }]);
    expect(partial?.status).toBe("interrupted");
    expect(partial?.text.startsWith(shown)).toBe(true);
    expect(reply.startsWith(partial?.text ?? "-")).toBe(true);
    expect(partial?.text.length).toBeLessThan(reply.length);
    await first.close();

    const { out } = await knackIn(folder, ["conversations", "show", conversationId]);
    expect(out).toContain("[cut off]");
    expect(out).toContain(`Go on with: knack conversations continue ${conversationId}`);

    const second = await agentIn(folder);
    const events: TurnEvent[] = [];
    for await (const event of second.send({ text: "Continue", conversationId, resume: true }, new AbortController().signal)) events.push(event);
    const after = second.conversation(conversationId);
    expect(after.episodes.map(({ id }) => id)).toEqual(before.episodes.map(({ id }) => id));
    expect(events.at(-1)).toMatchObject({ type: "turn-finished", turn: { status: "done" }, message: { text: reply, status: "complete" } });
    expect(after.messages.map(({ status }) => status)).toEqual(["complete", "interrupted", "complete", "complete"]);
    await second.close();

    expectOneLine(
      await knackIn(folder, ["conversations", "continue", conversationId]),
      1,
      "The last turn of this conversation was neither interrupted nor stopped",
    );
    expect((await knackIn(folder, ["conversations", "show", conversationId])).out).toMatch(/tokens of context \(\d+ %\)/u);
    expectOneLine(await knackIn(folder, ["conversations", "show", conversationId, "--step", "9"]), 2, "No turn of this conversation has a step 9");
    expectOneLine(await knackIn(folder, ["conversations", "show", conversationId, "--turn", "x"]), 2, "--turn goes with --step");
    expect((await knackIn(folder, ["conversations", "show", conversationId, "--step", "1"])).out).toBe(`${reply}\n`);
    expectOneLine(await knackIn(folder, ["conversations", "compact", conversationId, "--undo"]), 1, "not compacted");
    expectOneLine(await knackIn(folder, ["conversations", "compact", "none"]), 2, "There is no conversation none");
  });
});
