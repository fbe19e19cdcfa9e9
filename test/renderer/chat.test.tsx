import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { type Script, script, scriptedClient, scriptedLink } from "./scripted-client.ts";

const QUESTION = "Download the June 2026 invoice";
const running = sample.turn("t7", "c7", { status: "running", endedAt: null });
const started: TurnEvent = { type: "turn-started", turn: running, message: sample.message("t7", "c7", "user", QUESTION) };
const finished: TurnEvent = {
  type: "turn-finished",
  turn: { ...running, status: "done", endedAt: running.startedAt + 4200 },
  episode: sample.episode("t7", "c7"),
  message: sample.message("t7", "c7", "assistant", "It is **downloaded**."),
  problem: null,
  mayResume: false,
};

function openChat(overrides: Parameters<typeof scriptedClient>[0] = {}) {
  const turn: { current: Script<TurnEvent> } = { current: script<TurnEvent>() };
  const scripted = scriptedClient({
    ...overrides,
    chat: {
      send: (_input: never, options?: { signal?: AbortSignal }) => {
        turn.current = script<TurnEvent>(options?.signal);
        return turn.current.events;
      },
    },
  });
  const stores = renderPage(scriptedLink(scripted.client));
  return {
    ...scripted,
    stores,
    tell: async (...events: TurnEvent[]) =>
      act(async () => {
        for (const event of events) turn.current.push(event);
      }),
    end: async () => act(async () => turn.current.end()),
    turn,
  };
}

async function ask(text: string) {
  const box = screen.getByRole("textbox", { name: "Message" });
  fireEvent.change(box, { target: { value: text } });
  await act(async () => {
    fireEvent.keyDown(box, { key: "Enter" });
  });
}

describe("a turn in the chat", () => {
  it("sends on Enter and keeps a line break on Shift+Enter", async () => {
    const { calls } = openChat();
    const box = screen.getByRole("textbox", { name: "Message" });
    fireEvent.change(box, { target: { value: "one" } });
    fireEvent.keyDown(box, { key: "Enter", shiftKey: true });
    expect(calls.some(({ path }) => path === "chat.send")).toBe(false);
    await ask("one");
    expect(calls.find(({ path }) => path === "chat.send")?.input).toEqual({ text: "one" });
    expect((box as HTMLTextAreaElement).value).toBe("");
  });

  it("sends the hint only when it was asked for", async () => {
    const { calls } = openChat();
    fireEvent.click(screen.getByRole("button", { name: "Say how" }));
    fireEvent.change(screen.getByRole("textbox", { name: "How to do it" }), { target: { value: "Go to Billing." } });
    await ask(QUESTION);
    expect(calls.find(({ path }) => path === "chat.send")?.input).toEqual({ text: QUESTION, hint: "Go to Billing." });
  });

  it("shows text, steps and the place in the procedure while they happen, and says the reply once at the end", async () => {
    const { tell, end } = openChat();
    await ask(QUESTION);
    await tell(
      started,
      { type: "skill-taken", turnId: "t7", skillId: "s1", name: "portal-invoice", revision: 2, mode: "advisory", inputs: { month: "June 2026" } },
      {
        type: "step-started",
        step: sample.step("x1", "t7", 0, "browser_click", { target: { role: "link", name: "Billing" } }, { status: "running", durationMs: null }),
      },
      { type: "place-moved", turnId: "t7", at: 3, of: 6, next: "Open Billing" },
      { type: "text-delta", turnId: "t7", text: "It is " },
    );
    expect(screen.getByText("Step 3 of 6: Open Billing")).toBeTruthy();
    expect(screen.getByText("link “Billing”", { exact: false })).toBeTruthy();
    expect(screen.getByText("June 2026").tagName).toBe("B");
    expect(screen.getByText("It is")).toBeTruthy();
    expect(screen.getByTestId("said").textContent).toBe("");

    await tell(finished);
    await end();
    await waitFor(() => expect(screen.getByTestId("said").textContent).toBe("Knack says: It is **downloaded**."));
    expect(screen.getByText("downloaded").tagName).toBe("STRONG");
    expect(screen.getByText(/1,204 tokens read · 3,410 tokens reused · 186 tokens written/u)).toBeTruthy();
  });

  it("stops on Esc, once", async () => {
    const { calls, tell } = openChat();
    await ask(QUESTION);
    await tell(started);
    await act(async () => {
      fireEvent.keyDown(window, { key: "Escape" });
      fireEvent.keyDown(window, { key: "Escape" });
    });
    expect(calls.filter(({ path }) => path === "chat.stop").map(({ input }) => input)).toEqual([{ turnId: "t7" }]);
    expect(screen.getByRole("button", { name: "Stopping …" }).hasAttribute("disabled")).toBe(true);
  });

  it("tells the host what the user says of the outcome, and shows it", async () => {
    const { calls, tell, end } = openChat();
    await ask(QUESTION);
    await tell(started, finished);
    await end();
    await press(screen.getByRole("button", { name: "That worked" }));
    expect(calls.find(({ path }) => path === "chat.judge")?.input).toEqual({ episodeId: "e-t7", worked: true });
  });

  it("asks with the exact action and hands over the answer", async () => {
    const { calls, tell } = openChat();
    await ask(QUESTION);
    await tell(started, {
      type: "approval-requested",
      turnId: "t7",
      approvalId: "q1",
      tool: "browser_download",
      args: { url: "https://portal.example/june.pdf" },
      reason: "You asked to be asked.",
    });
    const card = screen.getByRole("region", { name: "Knack asks for permission" });
    expect(within(card).getByText("https://portal.example/june.pdf")).toBeTruthy();
    await press(within(card).getByRole("button", { name: "Do not allow" }));
    expect(calls.find(({ path }) => path === "chat.approve")?.input).toEqual({ approvalId: "q1", allow: false });
  });

  it("offers a yes for always only where there is one, with what it covers in words", async () => {
    const { calls, tell } = openChat();
    await ask(QUESTION);
    const asked = {
      type: "approval-requested",
      turnId: "t7",
      tool: "workspace_exec",
      args: { command: "wc -w notes.txt" },
      reason: "This runs a program.",
    } as const;
    await tell(started, { ...asked, approvalId: "q1" });
    expect(screen.queryByRole("button", { name: "Always allow" })).toBeNull();
    await tell({ ...asked, approvalId: "q2", always: "wc -w (with any other words)" });
    const card = screen.getByRole("region", { name: "Knack asks for permission" });
    expect(within(card).getByText("wc -w (with any other words)")).toBeTruthy();
    await press(within(card).getByRole("button", { name: "Always allow" }));
    expect(calls.find(({ path }) => path === "chat.approve")?.input).toEqual({ approvalId: "q2", allow: true, always: true });
  });

  it("gives the text back when the message could not be sent", async () => {
    const { client } = scriptedClient({
      chat: {
        send: () => {
          throw new KnackError("model-missing", "There is no model to answer with. Download one under Models.");
        },
      },
    });
    renderPage(scriptedLink(client));
    await ask(QUESTION);
    expect(await screen.findByText(/There is no model to answer with/u)).toBeTruthy();
    expect((screen.getByRole("textbox", { name: "Message" }) as HTMLTextAreaElement).value).toBe(QUESTION);
  });

  it("reads the stored turn when the connection is lost in the middle of it", async () => {
    const stored = {
      ...sample.details.c1!,
      turns: [{ ...running, status: "interrupted" as const }],
      messages: [sample.message("t7", "c7", "user", QUESTION)],
      steps: [],
      episodes: [],
    };
    const turn = script<TurnEvent>();
    const { client } = scriptedClient({
      chat: { send: () => turn.events },
      conversations: { get: () => ({ ...stored, conversation: { ...stored.conversation, id: "c7" } }) },
    });
    renderPage(scriptedLink(client));
    await ask(QUESTION);
    await act(async () => turn.push(started));
    await act(async () => turn.fail(new Error("the socket closed")));
    expect(await screen.findByText("Interrupted")).toBeTruthy();
    expect(screen.getByText(/The connection to this turn was lost: the socket closed/u)).toBeTruthy();
  });
});

describe("a stored conversation", () => {
  it("marks what was interrupted and folds finished steps", async () => {
    renderPage(scriptedLink(scriptedClient().client), "#/chat/c1");
    expect(await screen.findByText("Interrupted")).toBeTruthy();
    expect(screen.getByRole("button", { name: /5 steps · 6.7 s · 1 did not work/u }).getAttribute("aria-expanded")).toBe("false");
  });

  it("takes a suggestion with one press: the answer is kept and the goal goes on under the skill", async () => {
    const { client, calls } = scriptedClient();
    renderPage(scriptedLink(client), "#/chat/c2");
    await press(await screen.findByRole("button", { name: "Use “visitor-permit”" }));
    expect(calls.filter(({ path }) => path.startsWith("chat."))).toEqual([
      { path: "chat.answerSuggestion", input: { turnId: "t2", take: true } },
      { path: "chat.send", input: { text: "Get a parking permit for my guest", conversationId: "c2", skill: "visitor-permit" } },
    ]);
  });

  it("is deleted only after a question", async () => {
    const { client, calls } = scriptedClient();
    renderPage(scriptedLink(client));
    fireEvent.click(await screen.findByRole("button", { name: "More for “Where is my parcel?”" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
    const question = await screen.findByRole("alertdialog", { name: "Delete this conversation?" });
    expect(calls.some(({ path }) => path === "conversations.delete")).toBe(false);
    await press(within(question).getByRole("button", { name: "Delete" }));
    expect(calls.find(({ path }) => path === "conversations.delete")?.input).toEqual({ id: "c4" });
  });
});

describe("a turn under a skill", () => {
  const taken: TurnEvent = { type: "skill-taken", turnId: "t7", skillId: "s1", name: "portal-invoice", revision: 2, mode: "strict", inputs: {} };
  const halts: TurnEvent = {
    type: "turn-finished",
    turn: { ...running, status: "failed", skillId: "s1", revision: 2, mode: "strict", endedAt: running.startedAt + 4200 },
    episode: sample.episode("t7", "c7", { outcome: "failure" }),
    message: sample.message("t7", "c7", "assistant", "Step 3 did not do what it should."),
    problem: null,
    mayResume: true,
  };
  const runs = sample.skillDetail.runs.map((run) => ({ ...run, turnId: run.outcome === "failure" ? "t7" : run.turnId }));

  it("STR-02: that halted shows where and why and what the step says of failing, and the model goes on from there", async () => {
    const { calls, tell, end } = openChat({ skills: { get: () => ({ ...sample.skillDetail, runs }) } });
    await ask(QUESTION);
    await tell(started, taken, halts);
    await end();
    const card = within(await screen.findByRole("region", { name: "The run was halted" }));
    expect(card.getByRole("heading", { name: "Halted at step 3 of 4" })).toBeTruthy();
    expect(card.getByText("expected heading 'Billing', saw 'Sign in'")).toBeTruthy();
    expect(card.getByText("stop and report")).toBeTruthy();
    await press(card.getByRole("button", { name: "Go on with the model" }));
    expect(calls.findLast(({ path }) => path === "chat.send")?.input).toEqual({ conversationId: "c7", text: "Go on with the model", resume: true });
  });

  it("that halted and is read again later can only be begun anew with the model", async () => {
    const { client, calls } = scriptedClient();
    renderPage(scriptedLink(client), "#/chat/c9");
    await press(await screen.findByRole("button", { name: "Begin anew with the model" }));
    expect(screen.queryByRole("button", { name: "Go on with the model" })).toBeNull();
    expect(calls.find(({ path }) => path === "chat.send")?.input).toEqual({
      conversationId: "c9",
      text: "Download the March 2026 invoice",
      skill: "portal-invoice",
      mode: "advisory",
    });
  });

  it("says in which mode it ran, by its name and with its values, also when it is read again later", async () => {
    renderPage(scriptedLink(scriptedClient().client), "#/chat/c9");
    await screen.findByText("March 2026");
    expect(screen.getByRole("link", { name: "portal-invoice" }).parentElement?.textContent).toBe(
      "Using portal-invoice, revision 1, strict, with month = March 2026",
    );
  });

  it("that failed with the model in charge is not said to be halted", async () => {
    const { c9 } = sample.details;
    const get = () => ({ ...c9!, turns: c9!.turns.map((turn) => ({ ...turn, mode: "advisory" as const })) });
    renderPage(scriptedLink(scriptedClient({ conversations: { get } }).client), "#/chat/c9");
    await screen.findByText("March 2026");
    expect(screen.queryByRole("region", { name: "The run was halted" })).toBeNull();
  });

  it("says its mode while it runs", async () => {
    const { tell } = openChat();
    await ask(QUESTION);
    await tell(started, taken);
    expect((await screen.findByRole("link", { name: "portal-invoice" })).parentElement?.textContent).toBe("Using portal-invoice, revision 2, strict");
  });

  it("leads to the change that was proposed because of it", async () => {
    renderPage(scriptedLink(scriptedClient().client), "#/chat/c1");
    expect((await screen.findByRole("link", { name: "Review the proposal" })).getAttribute("href")).toBe("#/skills/s1/q1");
    expect(screen.getByText(/found the invoice two pages on/u)).toBeTruthy();
  });

  it("stays readable where its skill is gone", async () => {
    const get = () => {
      throw new KnackError("bad-input", "There is no skill s1.");
    };
    renderPage(scriptedLink(scriptedClient({ skills: { get } }).client), "#/chat/c1");
    expect(await screen.findByRole("link", { name: "portal-invoice" })).toBeTruthy();
    expect(screen.queryByText("There is no skill s1.")).toBeNull();
  });
});
