import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { type Script, script, scriptedClient, scriptedLink } from "./scripted-client.ts";

type Overrides = NonNullable<Parameters<typeof scriptedClient>[0]>;

function openAt(hash: string, overrides: Overrides = {}) {
  const streams: Script<TurnEvent>[] = [];
  const { client, calls } = scriptedClient({
    ...overrides,
    chat: {
      ...overrides.chat,
      send: (_input: never, options?: { signal?: AbortSignal }) => {
        const made = script<TurnEvent>(options?.signal);
        streams.push(made);
        return made.events;
      },
    },
  });
  const stores = renderPage(scriptedLink(client), hash);
  const sent = () => calls.filter(({ path }) => path === "chat.send").map(({ input }) => input);
  const tell = (at: number, ...events: TurnEvent[]) =>
    act(async () => {
      for (const event of events) streams[at]?.push(event);
    });
  return { calls, stores, sent, tell, end: (at: number) => act(async () => streams[at]?.end()) };
}

const box = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });

async function write(text: string) {
  fireEvent.change(box(), { target: { value: text } });
  await act(async () => {
    fireEvent.keyDown(box(), { key: "Enter" });
  });
}

const running = sample.turn("t7", "c7", { status: "running", endedAt: null });
const started: TurnEvent = { type: "turn-started", turn: running, message: sample.message("t7", "c7", "user", "One") };
const finishedAs = (status: "done" | "stopped"): TurnEvent => ({
  type: "turn-finished",
  turn: { ...running, status, endedAt: running.startedAt + 10 },
  episode: sample.episode("t7", "c7"),
  message: sample.message("t7", "c7", "assistant", "1"),
  problem: null,
  mayResume: false,
});

describe("a message of one's own", () => {
  it("is taken up again with Up in an empty box, and sent in its place; Esc leaves it", async () => {
    const { sent } = openAt("#/chat/c1");
    await screen.findAllByRole("article");
    fireEvent.keyDown(box(), { key: "ArrowUp" });
    const last = sample.details["c1"]?.messages.findLast(({ role }) => role === "user");
    await waitFor(() => expect(box().value).toBe(last?.text));
    fireEvent.keyDown(box(), { key: "Escape" });
    await waitFor(() => expect(box().value).toBe(""));
    expect(screen.queryByText(/You write this message anew/u)).toBeNull();
    fireEvent.keyDown(box(), { key: "ArrowUp" });
    await waitFor(() => expect(box().value).toBe(last?.text));
    await write("Another one");
    expect(sent()).toEqual([{ text: "Another one", insteadOf: last?.turnId }]);
  });

  it("is not taken up where something is written already", async () => {
    openAt("#/chat/c1");
    await screen.findAllByRole("article");
    fireEvent.change(box(), { target: { value: "Half a" } });
    fireEvent.keyDown(box(), { key: "ArrowUp" });
    expect(box().value).toBe("Half a");
  });

  it("is answered again in a branch, which is looked at at once", async () => {
    const { sent, tell, stores } = openAt("#/chat/c1");
    const [button] = (await screen.findAllByRole("button", { name: "Answer this again" })).slice(-1);
    await press(button as Element);
    const last = sample.details["c1"]?.messages.findLast(({ role }) => role === "user");
    expect(sent()).toEqual([{ text: last?.text, insteadOf: last?.turnId }]);
    await tell(0, started);
    expect(stores.page.getState().route.item).toBe("c7");
  });
});

describe("what is sent while Knack answers", () => {
  it("waits, and is sent next", async () => {
    const { sent, tell, end } = openAt("#/chat");
    await write("One");
    await tell(0, started);
    await write("Two");
    expect(sent()).toHaveLength(1);
    expect(within(screen.getByRole("region", { name: "Waiting messages" })).getByText("Two")).toBeTruthy();
    await tell(0, finishedAs("done"));
    await end(0);
    await waitFor(() => expect(sent()).toEqual([{ text: "One" }, { text: "Two", conversationId: "c7" }]));
  });

  it("is held after a stop until the user sends it, and can be taken back", async () => {
    const { sent, tell, end } = openAt("#/chat");
    await write("One");
    await tell(0, started);
    await write("Two");
    await write("Three");
    await tell(0, finishedAs("stopped"));
    await end(0);
    await screen.findByRole("button", { name: "Send now" });
    expect(sent()).toHaveLength(1);
    await press(screen.getAllByRole("button", { name: "Take it back and change it" })[1] as Element);
    expect(box().value).toBe("Three");
    await press(screen.getByRole("button", { name: "Send now" }));
    await waitFor(() => expect(sent()[1]).toEqual({ text: "Two", conversationId: "c7" }));
  });
});

describe("a file", () => {
  const add = async (name: string, content: BlobPart) => {
    await act(async () => {
      fireEvent.change(screen.getByTestId("attach"), { target: { files: [new File([content], name)] } });
    });
  };

  it("goes with the message, and one of another kind is refused with the reason", async () => {
    const { sent } = openAt("#/chat");
    await add("photo.png", new Uint8Array([0x89, 0x50, 0, 1]));
    expect(await screen.findByText(/“photo.png” is no text file/u)).toBeTruthy();
    await add("notes.txt", "some notes");
    expect(await screen.findByText("10 characters")).toBeTruthy();
    await write("Read it");
    expect(sent()).toEqual([{ text: "Read it", attachments: [{ name: "notes.txt", text: "some notes" }] }]);
  });

  it("that came with a message tells how much of it was read", async () => {
    const { tell } = openAt("#/chat");
    await write("One");
    await tell(0, started, {
      type: "files-read",
      turnId: "t7",
      attachments: [{ id: "a1", name: "long.txt", characters: 48_000, read: 6120, isSearched: true }],
    });
    expect(screen.getByText("first 6,120 of 48,000 characters, the rest searched")).toBeTruthy();
    await press(screen.getByRole("button", { name: "long.txt" }));
    expect(await screen.findByText("twelve chars")).toBeTruthy();
  });
});

describe("a question before a step", () => {
  const asks = (): TurnEvent => ({
    type: "approval-requested",
    turnId: "t7",
    approvalId: "p1",
    tool: "workspace_write",
    args: { path: "notes.txt", text: "two" },
    reason: "This changes a file.",
    target: "notes.txt in /notes",
    diff: "--- notes.txt\n+++ notes.txt\n@@ -1 +1 @@\n-one\n+two\n",
    family: "write notes.txt in /notes",
    expiresAt: Date.now() + 99_000,
  });

  it.each([
    ["Allow once", { allow: true }],
    ["Allow in this conversation", { allow: true, scope: "conversation" }],
    ["Always allow", { allow: true, scope: "always" }],
    ["Do not allow", { allow: false }],
  ])("shows target, difference and time left, and takes the answer %s", async (name, answer) => {
    const { calls, tell } = openAt("#/chat");
    await write("One");
    await tell(0, started, asks());
    const card = within(screen.getByRole("region", { name: "Knack asks for permission" }));
    expect(card.getByText("notes.txt in /notes", { selector: "code" })).toBeTruthy();
    expect(card.getByRole("region", { name: "How the file would change" }).textContent).toContain("+two");
    expect(card.getByRole("timer").textContent).toMatch(/^Without an answer within 1:3\d it is not done\.$/u);
    await press(card.getByRole("button", { name }));
    expect(calls.find(({ path }) => path === "chat.approve")?.input).toEqual({ approvalId: "p1", ...answer });
  });

  it("that is asked each time offers no longer answer", async () => {
    const { tell } = openAt("#/chat");
    await write("One");
    await tell(0, started, { type: "approval-requested", turnId: "t7", approvalId: "p1", tool: "browser_click", args: {}, reason: "It pays." });
    expect(screen.queryByRole("button", { name: "Always allow" })).toBeNull();
    expect(screen.getByRole("button", { name: "Allow" })).toBeTruthy();
  });
});

describe("a temporary chat", () => {
  it("says what it is, sends as one, and is closed when another conversation is looked at", async () => {
    const { calls, sent, tell, end, stores } = openAt("#/chat");
    await act(async () => {
      fireEvent.keyDown(window, { key: "t", altKey: true });
    });
    expect(await screen.findByText("Temporary chat")).toBeTruthy();
    await write("One");
    expect(sent()).toEqual([{ text: "One", temporary: true }]);
    await tell(0, started, finishedAs("done"));
    await end(0);
    expect(await screen.findByText(/Temporary: Knack learns nothing from it/u)).toBeTruthy();
    await act(async () => stores.page.getState().go("skills"));
    expect(calls.some(({ path }) => path === "conversations.close")).toBe(false);
    await act(async () => stores.page.getState().go("chat", "c1"));
    expect(calls.find(({ path }) => path === "conversations.close")?.input).toEqual({ id: "c7" });
  });
});

describe("the list of conversations", () => {
  const inFolder = sample.conversations.map((one, at) => (at === 0 ? { ...one, folderId: "f1" } : one));

  it("shows folders with what is in them, and search results with the place, which lead to the message", async () => {
    openAt("#/chat", { conversations: { list: () => inFolder } });
    const folder = await screen.findByRole("button", { name: /^Household\s*1/u });
    await press(folder);
    expect(within(screen.getByRole("list", { name: "In Household" })).getByRole("link", { name: new RegExp(inFolder[0]?.title ?? "", "u") })).toBeTruthy();
    fireEvent.change(screen.getByRole("searchbox", { name: "Search messages" }), { target: { value: "invoice" } });
    const found = await screen.findByRole("list", { name: "Messages found" });
    const [first] = within(found).getAllByRole("link");
    expect(first?.querySelector("mark")?.textContent?.toLowerCase()).toBe("invoice");
    const [message] = sample.found("invoice");
    expect(first?.getAttribute("href")).toBe(`#/chat/${message?.conversationId}/${message?.id}`);
    const field = screen.getByRole("searchbox", { name: "Search messages" });
    field.focus();
    fireEvent.keyDown(field, { key: "ArrowDown" });
    expect(document.activeElement).toBe(first);
    fireEvent.keyDown(first as Element, { key: "ArrowUp" });
    expect(document.activeElement).toBe(field);
  });

  it("says why a folder's name cannot be had, and keeps the dialog", async () => {
    const addFolder = () => {
      throw new KnackError("folder.name-taken", 'There is a folder "Household" already; choose another name.');
    };
    openAt("#/chat", { conversations: { addFolder } });
    await press(screen.getByRole("button", { name: "New folder" }));
    fireEvent.change(screen.getByRole("textbox", { name: "Name" }), { target: { value: "household" } });
    await press(screen.getByRole("button", { name: "Make it" }));
    expect(await screen.findByText(/There is a folder "Household" already/u)).toBeTruthy();
  });

  it("says why a file was not imported", async () => {
    const refuse = () => {
      throw new KnackError("bad-input", "This is no conversation that Knack exported.");
    };
    openAt("#/chat", { conversations: { import: refuse } });
    await press(screen.getByRole("button", { name: "Import a conversation" }));
    await act(async () => {
      fireEvent.change(screen.getByTestId("import"), { target: { files: [new File(["{}"], "other.json")] } });
    });
    expect(await screen.findByText("This is no conversation that Knack exported.")).toBeTruthy();
  });
});

describe("a long conversation", () => {
  it("reads earlier turns when they are asked for, and puts them in front", async () => {
    const { c1 } = sample.details;
    const older = sample.turn("t-first", "c1", {});
    const get = vi.fn(({ before }: { before?: string }) =>
      before === undefined
        ? { ...c1, earlier: 1 }
        : {
            ...c1,
            turns: [older],
            messages: [sample.message("t-first", "c1", "user", "The very first")],
            steps: [],
            episodes: [sample.episode("t-first", "c1")],
          },
    );
    const { stores } = openAt("#/chat/c1", { conversations: { get } });
    await press(await screen.findByRole("button", { name: "Show earlier ones" }));
    const view = () => stores.chat.getState().views["c1"];
    await waitFor(() => expect(view()?.turns[0]?.turn.id).toBe("t-first"));
    expect([view()?.messages[0]?.text, view()?.earlier, view()?.turns.length]).toEqual(["The very first", 0, (c1?.turns.length ?? 0) + 1]);
    expect(get.mock.calls.at(-1)?.[0]).toMatchObject({ id: "c1", before: c1?.turns[0]?.id });
    expect(screen.queryByRole("button", { name: "Show earlier ones" })).toBeNull();
  });
});
