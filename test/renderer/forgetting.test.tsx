import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { KnackError } from "#contract/errors.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { scriptedClient, scriptedLink } from "./scripted-client.ts";

describe("forgetting one task", () => {
  it("asks first, takes backups along when told to, and says what became of what rested on it", async () => {
    const { client, calls } = scriptedClient();
    renderPage(scriptedLink(client), "#/chat/c1");
    await press((await screen.findAllByRole("button", { name: "Forget this task" })).at(-1) as HTMLElement);
    const dialog = within(await screen.findByRole("alertdialog", { name: "Forget this task?" }));
    expect(calls.some(({ path }) => path === "conversations.eraseEpisode")).toBe(false);
    await press(dialog.getByRole("switch", { name: /Erase the backups that hold it too/u }));
    await press(dialog.getByRole("button", { name: "Forget" }));
    expect(calls.find(({ path }) => path === "conversations.eraseEpisode")?.input).toEqual({ id: "e-t1", backups: true });
    const told = within(await screen.findByRole("dialog", { name: "The task is forgotten" }));
    expect(told.getAllByRole("listitem").map((line) => line.textContent)).toEqual([
      '"portal-invoice" was derived again from the runs that are left.',
      "7 backups still hold it until newer ones take their place.",
    ]);
    await press(told.getByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(calls.filter(({ path }) => path === "conversations.get").length).toBeGreaterThan(1);
  });

  it("leaves the conversation where nothing else was in it, and stays in the dialog where it cannot be done", async () => {
    let fails = true;
    const { client } = scriptedClient({
      conversations: {
        list: () => sample.conversations.filter(({ id }) => id !== "c2"),
        eraseEpisode: () => {
          if (fails) throw new KnackError("store.locked", "The store is locked by another program.");
          return { skills: [], backups: 0, backupsErased: 0 };
        },
      },
    });
    renderPage(scriptedLink(client), "#/chat/c2");
    await press(await screen.findByRole("button", { name: "Forget this task" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    await press(dialog.getByRole("button", { name: "Forget" }));
    expect(await dialog.findByText("The store is locked by another program.")).toBeTruthy();
    fails = false;
    await press(dialog.getByRole("button", { name: "Forget" }));
    await waitFor(() => expect(window.location.hash).toBe("#/chat"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("why", () => {
  it("REC-14: the line of a turn opens what the host says of it, which is asked for only then", async () => {
    const { client, calls } = scriptedClient();
    renderPage(scriptedLink(client), "#/chat/c1");
    const [line] = await screen.findAllByRole("button", { name: "Why was this recalled?" });
    expect(calls.some(({ path }) => path === "chat.why")).toBe(false);
    await press(line as HTMLElement);
    for (const words of sample.explanation.lines) expect(await screen.findByText(words)).toBeTruthy();
  });

  it("a turn that recall was not asked for says why too", async () => {
    const details = { ...sample.details["c2"] };
    const { client } = scriptedClient({
      conversations: { get: () => ({ ...details, turns: [sample.turn("t2", "c2", { choice: "unwanted", recall: null })] }) },
      chat: { why: () => ({ turnId: "t2", answer: "You asked for no skill.", lines: [], recall: null }) },
    });
    renderPage(scriptedLink(client), "#/chat/c2");
    await press(await screen.findByRole("button", { name: "No skill in charge. Why?" }));
    expect(await screen.findByText("You asked for no skill.")).toBeTruthy();
  });

  it("a pass says in plain words why it left something out", async () => {
    const entry = { goal: "Pay the bill", episodes: ["e1"], decision: "skipped" as const, reason: "NO_COMMON_PROCEDURE", skillName: null };
    const { client } = scriptedClient({ learning: { reports: () => [{ ...sample.report, entries: [entry, { ...entry, goal: "", episodes: [] }] }] } });
    renderPage(scriptedLink(client), "#/skills");
    expect(await screen.findByText("Pay the bill")).toBeTruthy();
    expect(screen.getAllByText(/the runs took different routes/u)).toHaveLength(2);
    expect(screen.getByText("a task that was erased")).toBeTruthy();
  });
});

describe("the control", () => {
  it("is set in Settings, and what it measured stands on the Skills page and with each skill", async () => {
    const { client, calls } = scriptedClient({ skills: { lift: () => sample.lift } });
    renderPage(scriptedLink(client), "#/settings");
    fireEvent.change(await screen.findByRole("combobox", { name: "Leave a skill out, to measure what it is worth" }), { target: { value: "0.1" } });
    fireEvent.change(screen.getByRole("combobox", { name: "Keep conversations" }), { target: { value: "90" } });
    await waitFor(() => expect(calls.filter(({ path }) => path === "settings.change").map(({ input }) => input)).toEqual([{ control: 0.1 }, { keepDays: 90 }]));
    cleanup();
    renderPage(scriptedLink(client), "#/skills/portal-invoice");
    expect(await screen.findByText("A skill changes the success rate by +22 points (95 %: +2 points to +49 points).")).toBeTruthy();
    expect(calls.find(({ path }) => path === "skills.lift")?.input).toEqual({ name: "s1" });
  });

  it("says nothing where it is off and never was on", async () => {
    renderPage(scriptedLink(scriptedClient().client), "#/skills");
    expect(await screen.findByRole("heading", { name: "Learning" })).toBeTruthy();
    expect(screen.queryByText("What skills are worth")).toBeNull();
  });
});
