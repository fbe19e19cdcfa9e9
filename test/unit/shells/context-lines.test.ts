import { afterEach, expect, it, vi } from "vitest";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { openScreen } from "#shells/cli/screen.ts";
import { showSummary, showTurn } from "#shells/cli/show-turn.ts";

afterEach(() => void vi.restoreAllMocks());

const turn = {
  id: "t",
  conversationId: "c",
  episodeId: "e",
  status: "running",
  skillId: null,
  revision: null,
  mode: null,
  recall: null,
  startedAt: 1,
  endedAt: null,
  tokens: { evaluated: 1, reused: 2, generated: 3 },
} as const;

async function* events(used: number): AsyncGenerator<TurnEvent> {
  yield { type: "turn-started", turn, message: { id: "m", conversationId: "c", turnId: "t", role: "user", text: "Go", status: "complete", createdAt: 1 } };
  yield { type: "turn-waiting", turnId: "t", ahead: 2, behind: { conversationId: "d", title: "The bill" } };
  yield { type: "context-used", turnId: "t", context: { used: 10, size: 8192 } };
  yield { type: "context-used", turnId: "t", context: { used, size: 8192 } };
  yield {
    type: "turn-finished",
    turn: { ...turn, status: "done", endedAt: 2 },
    episode: { id: "e", conversationId: "c", goal: "Go", outcome: "claimed_success", reason: null, open: false, createdAt: 1, closedAt: 2 },
    message: null,
    problem: null,
    mayResume: false,
  };
}

function written(): { readonly err: () => string } {
  let err = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += String(text);
    return true;
  });
  vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  return { err: () => err };
}

it("ask --json ends with what the conversation holds of the context", async () => {
  written();
  const summary = await showTurn(events(3000), openScreen(true), "/downloads");
  expect(summary?.context).toEqual({ used: 3000, size: 8192 });
});

it("a turn that waits says for whom, and one that leaves the context nearly full says what to do", async () => {
  const { err } = written();
  const screen = openScreen(false);
  const summary = await showTurn(events(7000), screen, "/downloads");
  if (summary === null) throw new Error("no summary");
  showSummary(summary, 1000, screen);
  expect(err()).toContain('waits   the model answers "The bill" first, and 1 more');
  expect(err()).toContain("7,000 of 8,192 tokens of context (85 %). The context is nearly full: compact it with: knack conversations compact c");
});

it("says nothing of the context while there is room", async () => {
  const { err } = written();
  const screen = openScreen(false);
  const summary = await showTurn(events(5000), screen, "/downloads");
  if (summary !== null) showSummary(summary, 1000, screen);
  expect(err()).not.toContain("context");
});
