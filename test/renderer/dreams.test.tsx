import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { KnackError } from "#contract/errors.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { scriptedClient, scriptedLink } from "./scripted-client.ts";

/** The entry of the newest report that holds this. */
async function entry(text: RegExp | string): Promise<ReturnType<typeof within>> {
  return within((await screen.findByText(text)).closest("li") as HTMLElement);
}

describe("the report of a dream", () => {
  it("says what was looked at, and shows a conversation that was erased as such", async () => {
    renderPage(scriptedLink(scriptedClient().client), "#/skills");
    expect(await screen.findByText(/a dream, 2 conversations, 7 messages, 3 tasks read, 2 added/u)).toBeTruthy();
    const looked = (await screen.findByText(/^Looked at:/u)) as HTMLElement;
    expect(within(looked).getByRole("link", { name: "Download the April 2026 invoice" }).getAttribute("href")).toBe("#/chat/c1");
    expect(within(looked).getByText("a conversation that was erased")).toBeTruthy();
  });

  it("a fact is shown with its sentence and the message it comes from, and can be taken back", async () => {
    const { client, calls } = scriptedClient();
    renderPage(scriptedLink(client), "#/skills");
    const { getByRole, getByText } = await entry("“I prefer aisle seats”");
    expect(getByRole("link", { name: "Download the April 2026 invoice" }).getAttribute("href")).toBe("#/chat/c1/t1-user");
    expect(getByText(/By the way, I prefer aisle seats; book nothing yet\./u)).toBeTruthy();
    await press(getByRole("button", { name: "Undo: forget “I prefer aisle seats”" }));
    expect(calls.find(({ path }) => path === "memory.forget")?.input).toEqual({ id: "f9" });
    await waitFor(() => expect(calls.filter(({ path }) => path === "learning.reports").length).toBe(2));
  });

  it("a skill that was made is a link, and can be switched off or retired where it stands", async () => {
    const { client, calls } = scriptedClient();
    renderPage(scriptedLink(client), "#/skills");
    const { getByRole } = await entry(/learned from 3 successful runs, 4 steps/u);
    expect(getByRole("link", { name: "invoice-of-month" }).getAttribute("href")).toBe("#/skills/invoice-of-month");
    await press(getByRole("button", { name: "Switch off invoice-of-month" }));
    await press(getByRole("button", { name: "Retire invoice-of-month" }));
    expect(calls.filter(({ path }) => path === "skills.setStatus").map(({ input }) => (input as { status: string }).status)).toEqual(["disabled", "retired"]);
  });

  it("what was left out says why, and offers nothing to take back", async () => {
    renderPage(scriptedLink(scriptedClient().client), "#/skills");
    const { queryByRole, getByText } = await entry(/left out: it holds something that looks like a secret/u);
    expect([queryByRole("button"), getByText("A sentence about you") !== null]).toEqual([null, true]);
    expect(await screen.findByText("a task that was erased")).toBeTruthy();
  });
});

describe("a skill that waits for a look", () => {
  it("can be taken into use or declined from its alert", async () => {
    const review = {
      ...sample.alerts[0],
      id: "a7",
      kind: "review" as const,
      title: "“portal-invoice” waits for your review",
      skillId: "s1",
      proposalId: null,
      resolvedAt: null,
    };
    const { client, calls } = scriptedClient({ alerts: { list: () => [review], act: () => review } });
    renderPage(scriptedLink(client), "#/alerts");
    await press(await screen.findByRole("button", { name: /^Use it: /u }));
    await press(await screen.findByRole("button", { name: /^Decline it: /u }));
    expect(calls.filter(({ path }) => path === "alerts.act").map(({ input }) => input)).toEqual([
      { id: "a7", action: "accept" },
      { id: "a7", action: "decline" },
    ]);
  });
});

describe("learning this", () => {
  it("shows the draft of the conversation before anything is kept, and keeps it under its name", async () => {
    const { client, calls } = scriptedClient();
    const stores = renderPage(scriptedLink(client), "#/chat/c1");
    stores.page.getState().learnThis("c1");
    const dialog = within(await screen.findByRole("dialog", { name: "Learn this" }));
    expect(await dialog.findByText(/what was learned from your conversation/u)).toBeTruthy();
    expect(calls.some(({ path }) => path === "learning.confirmShowing")).toBe(false);
    await press(dialog.getByRole("button", { name: "Keep this skill" }));
    expect(calls.filter(({ path }) => path.startsWith("learning.")).map(({ path, input }) => [path, input])).toEqual([
      ["learning.learnFrom", { conversation: "c1" }],
      ["learning.confirmShowing", { id: "w1" }],
    ]);
  });

  it("asks for the user's word where nobody has confirmed that it worked", async () => {
    let asked = 0;
    const learnFrom = () => {
      asked += 1;
      if (asked === 1) throw new KnackError("learn.unconfirmed", "Nobody has confirmed that its newest task went well.");
      return sample.draft;
    };
    const { client, calls } = scriptedClient({ learning: { learnFrom } });
    renderPage(scriptedLink(client), "#/chat/c1").page.getState().learnThis("c1");
    expect(await screen.findByText("Nobody has confirmed that its newest task went well.")).toBeTruthy();
    await press(screen.getByRole("button", { name: "That worked: learn it" }));
    expect(await screen.findByRole("button", { name: "Keep this skill" })).toBeTruthy();
    expect(calls.filter(({ path }) => path === "learning.learnFrom").at(-1)?.input).toEqual({ conversation: "c1", worked: true });
  });

  it("what means the same is kept as the next revision, unless the user wants a skill of its own", async () => {
    const learnFrom = () => ({ ...sample.draft, sameAs: { name: "portal-invoice", status: "active", revision: 2 } });
    const { client, calls } = scriptedClient({ learning: { learnFrom } });
    renderPage(scriptedLink(client), "#/chat/c1").page.getState().learnThis("c1");
    await press(await screen.findByRole("button", { name: "Keep this revision" }));
    expect(calls.find(({ path }) => path === "learning.confirmShowing")?.input).toEqual({ id: "w1", skill: "portal-invoice" });
  });

  it("and under a name of its own where they do", async () => {
    const learnFrom = () => ({ ...sample.draft, sameAs: { name: "portal-invoice", status: "active", revision: 2 } });
    const { client, calls } = scriptedClient({ learning: { learnFrom } });
    renderPage(scriptedLink(client), "#/chat/c1").page.getState().learnThis("c1");
    await press(await screen.findByRole("switch", { name: /next revision/u }));
    fireEvent.change(await screen.findByRole("textbox", { name: "Name" }), { target: { value: "my-invoice" } });
    await press(screen.getByRole("button", { name: "Keep this skill" }));
    expect(calls.find(({ path }) => path === "learning.confirmShowing")?.input).toEqual({ id: "w1", name: "my-invoice" });
  });

  it("is offered where enough was done in the browser, and opens with that conversation", async () => {
    const { client, calls } = scriptedClient();
    renderPage(scriptedLink(client), "#/chat/c5");
    await press(await screen.findByRole("button", { name: "Learn this" }));
    expect(calls.find(({ path }) => path === "learning.learnFrom")?.input).toEqual({ conversation: "c5" });
  });

  it.each([
    ["only talked", "#/chat/c2"],
    ["followed a skill", "#/chat/c1"],
  ])("is not offered under a turn that %s", async (_what, hash) => {
    renderPage(scriptedLink(scriptedClient().client), hash);
    await screen.findAllByRole("article");
    expect(screen.queryByRole("button", { name: "Learn this" })).toBeNull();
  });

  it("is not offered where learning is off", async () => {
    const settings = { get: () => ({ ...sample.settings, learning: false }) };
    renderPage(scriptedLink(scriptedClient({ settings }).client), "#/chat/c5");
    await screen.findAllByRole("article");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Learn this" })).toBeNull());
  });
});
