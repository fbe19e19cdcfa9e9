import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { type Script, script, scriptedClient, scriptedLink } from "./scripted-client.ts";

const detail = sample.details.c1;
if (detail === undefined) throw new Error("the sample has no conversation c1");

function open(change: Partial<typeof detail> = {}, overrides: Parameters<typeof scriptedClient>[0] = {}) {
  const scripted = scriptedClient({ ...overrides, conversations: { get: () => ({ ...detail, ...change }), ...overrides.conversations } });
  const stores = renderPage(scriptedLink(scripted.client), "#/chat/c1");
  return { ...scripted, stores };
}
const full = { used: 7000, size: 8192 };

describe("what a conversation holds of the context", () => {
  it("is told in words below the message, with what to do once it is nearly full", async () => {
    open({ context: full });
    const line = await screen.findByRole("region", { name: "Context" });
    expect(line.textContent).toContain("7,000 of 8,192 tokens of context (85 %). The context is nearly full: compact it, or go on in a new conversation.");
  });

  it("moves while an answer is written", async () => {
    const { turn, tell } = chat();
    await screen.findByRole("region", { name: "Context" });
    await ask("And June?");
    await tell(turn, started("t7", "c1"), { type: "context-used", turnId: "t7", context: { used: 3100, size: 8192 } });
    expect(screen.getByRole("region", { name: "Context" }).textContent).toContain("3,100 of 8,192 tokens of context (38 %)");
  });

  it("is compacted by a button, which says what came of it, and is undone by another", async () => {
    const { calls } = open({ context: full });
    await press(await screen.findByRole("button", { name: "Compact" }));
    const note = await screen.findByRole("region", { name: "Compaction" });
    expect(note.textContent).toContain("Compacted 1 turn: the prompt went from 6,900 to 640 tokens. Everything that was said is kept.");
    expect(screen.getByRole("region", { name: "Context" }).textContent).toContain("640 of 8,192");
    // What was said is still there.
    expect(screen.getByText("Download the May invoice")).toBeTruthy();
    await press(within(note).getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(screen.getByRole("region", { name: "Compaction" }).textContent).toContain("A compaction of 1 turn was undone"));
    expect(calls.filter(({ path }) => path.startsWith("conversations.") && path.toLowerCase().includes("compact")).map(({ input }) => input)).toEqual([
      { id: "c1" },
      { id: "c1" },
    ]);
  });

  it("says why it cannot be compacted", async () => {
    open(
      {},
      {
        conversations: { get: () => detail, compact: () => Promise.reject(new KnackError("conversation.nothing-to-compact", "There is nothing to compact.")) },
      },
    );
    await press(await screen.findByRole("button", { name: "Compact" }));
    expect((await screen.findByText("There is nothing to compact.")).getAttribute("role")).toBe("alert");
  });
});

describe("a result of which the model read a part", () => {
  const cut = () =>
    open({ steps: [sample.step("x1", "t1", 0, "workspace_read", { path: "report.txt" }, { text: "line 1 … (truncated)", details: { leftOut: 5200 } })] });

  it("is asked for when it is opened, searched and copied whole", async () => {
    const copied = vi.fn(async () => undefined);
    vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText: copied } });
    const { calls } = cut();
    await press(await screen.findByRole("button", { name: /^1 step/u }));
    await press(screen.getByRole("button", { name: /report\.txt/u }));
    expect(screen.getByText("The model read it without the last 5,200 characters.")).toBeTruthy();
    expect(calls.some(({ path }) => path === "conversations.result")).toBe(false);
    await press(screen.getByRole("button", { name: "Open full result" }));
    const dialog = await screen.findByRole("dialog", { name: /^Result of step 1/u });
    await within(dialog).findByText("300 lines");
    fireEvent.change(within(dialog).getByRole("searchbox", { name: "Find in the result" }), { target: { value: "line 29" } });
    expect(within(dialog).getByText("11 of 300 lines")).toBeTruthy();
    expect(within(dialog).getByRole("region", { name: "Full result" }).textContent).not.toContain("line 30 ");
    await press(within(dialog).getByRole("button", { name: "Copy all of it" }));
    expect(copied).toHaveBeenCalledWith(sample.longResult);
    vi.unstubAllGlobals();
  });

  it("has no such button where nothing is left out", async () => {
    open({ steps: [sample.step("x1", "t1", 0, "workspace_read", { path: "report.txt" }, { text: "line 1" })] });
    await press(await screen.findByRole("button", { name: /^1 step/u }));
    await press(screen.getByRole("button", { name: /report\.txt/u }));
    expect(screen.getByText("line 1")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Open full result" })).toBeNull();
  });
});

describe("a turn that was interrupted", () => {
  it("offers to go on where it is the last one, and asks for exactly that", async () => {
    const { calls } = open({ turns: [sample.turn("t0", "c1", { status: "interrupted" })], episodes: [sample.episode("t0", "c1")], steps: [] });
    await press(await screen.findByRole("button", { name: "Continue" }));
    expect(calls.find(({ path }) => path === "chat.send")?.input).toEqual({ conversationId: "c1", text: "Continue", resume: true });
  });

  it("offers nothing once something else was asked", async () => {
    open();
    await screen.findByText("Interrupted");
    expect(screen.queryByRole("button", { name: "Continue" })).toBeNull();
  });
});

describe("two conversations at once", () => {
  it("are both sent; the one that waits says for whom, and only it is stopped", async () => {
    const { calls, scripts, stores, tell } = chat();
    await screen.findByRole("region", { name: "Context" });
    await ask("One");
    await tell(scripts[0], started("t7", "c1"));
    await act(async () => stores.page.getState().go("chat", "c2"));
    expect((await screen.findByText(/at work in/u)).textContent).toContain("this one comes after it");
    await ask("Two");
    await tell(scripts[1], started("t8", "c2"), { type: "turn-waiting", turnId: "t8", ahead: 1, behind: { conversationId: "c1", title: "May invoice" } });
    expect(screen.getByText("“May invoice”").getAttribute("href")).toBe("#/chat/c1");
    await press(screen.getByRole("button", { name: "Stop" }));
    expect(calls.filter(({ path }) => path === "chat.stop").map(({ input }) => input)).toEqual([{ turnId: "t8" }]);
    await act(async () => stores.page.getState().go("chat", "c1"));
    expect(await screen.findByRole("button", { name: "Stop" })).toBeTruthy();
  });

  it("says no more that it waits once its turn has come", async () => {
    const { scripts, tell } = chat();
    await screen.findByRole("region", { name: "Context" });
    await ask("One");
    await tell(
      scripts[0],
      started("t7", "c1"),
      { type: "turn-waiting", turnId: "t7", ahead: 2, behind: { conversationId: "c2", title: "Other" } },
      { type: "turn-waiting", turnId: "t7", ahead: 0, behind: null },
    );
    expect(screen.queryByText(/Waits: /u)).toBeNull();
    expect(screen.getByText("Thinking …")).toBeTruthy();
  });
});

describe("a model whose context is smaller than usual", () => {
  it("is told of in Models and in the status bar", async () => {
    const status = { ...sample.status, model: { ...sample.status.model, id: "qwen2.5-coder-1.5b", contextSize: 4096, contextAsked: 8192 } };
    const models = sample.models.map((model, index) =>
      index === 0 ? { ...model, id: "qwen2.5-coder-1.5b", role: "chat" as const, inUse: true } : { ...model, inUse: false },
    );
    const { client } = scriptedClient({ status: () => status, models: { list: () => models } });
    renderPage(scriptedLink(client), "#/models");
    expect(await screen.findByText(/Its context holds 4,096 tokens instead of 8,192/u)).toBeTruthy();
    expect((await screen.findByText(/4,096 tokens of context, 8,192 tokens wanted/u)).textContent).toBeTruthy();
  });
});

function started(turnId: string, conversationId: string): TurnEvent {
  return {
    type: "turn-started",
    turn: sample.turn(turnId, conversationId, { status: "running", endedAt: null }),
    message: sample.message(turnId, conversationId, "user", "asked"),
  };
}

function chat() {
  const scripts: Script<TurnEvent>[] = [];
  const made = open(
    {},
    {
      conversations: { get: ({ id }: { id: string }) => sample.details[id] },
      chat: {
        send: (_input: never, options?: { signal?: AbortSignal }) => {
          const one = script<TurnEvent>(options?.signal);
          scripts.push(one);
          return one.events;
        },
      },
    },
  );
  return {
    ...made,
    scripts,
    get turn() {
      return scripts[0];
    },
    tell: async (to: Script<TurnEvent> | undefined, ...events: TurnEvent[]) =>
      act(async () => {
        for (const event of events) (to ?? scripts[0])?.push(event);
      }),
  };
}

async function ask(text: string) {
  const box = screen.getByRole("textbox", { name: "Message" });
  fireEvent.change(box, { target: { value: text } });
  await act(async () => {
    fireEvent.keyDown(box, { key: "Enter" });
  });
}
