import { fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { Draft, Showing } from "#contract/learning/schema.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { script, scriptedClient, scriptedLink } from "./scripted-client.ts";

/** The dialog at a draft, over a host that takes every edit. */
async function atDraft(change: Partial<Draft> = {}): Promise<{ dialog: HTMLElement; edits: () => DraftEdit[][]; inputsOf: (path: string) => unknown[] }> {
  const draft: Draft = { ...sample.draft, ...change };
  const left: Showing = { ...sample.showing, status: "draft", actions: sample.shownActions };
  const { client, calls } = scriptedClient({
    learning: {
      showings: () => [left],
      finishShowing: ({ together }: { together?: string }) =>
        together === undefined ? draft : { ...draft, alike: null, revises: { skill: together, revision: 1, diff: "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new" } },
      editDraft: ({ edits }: { edits: DraftEdit[] }) => ({ ...draft, edits }),
    },
  });
  const stores = renderPage(scriptedLink(client));
  stores.page.getState().show("teach");
  const dialog = await screen.findByRole("dialog");
  await press(await within(dialog).findByRole("button", { name: `Go on with “${left.goal}”` }));
  await within(dialog).findByRole("list", { name: "Steps of the draft" });
  const inputsOf = (path: string): unknown[] => calls.filter((call) => call.path === path).map(({ input }) => input);
  return { dialog, inputsOf, edits: () => inputsOf("learning.editDraft").map((input) => (input as { edits: DraftEdit[] }).edits) };
}

/** A button by what it is called. By role through a page this long jsdom takes seconds. */
function button(dialog: HTMLElement, name: string | RegExp): HTMLElement {
  const found = [...dialog.querySelectorAll("button")].find((one) => {
    const called = one.getAttribute("aria-label") ?? one.textContent ?? "";
    return typeof name === "string" ? called === name : name.test(called);
  });
  if (found === undefined) throw new Error(`there is no button ${String(name)}`);
  return found;
}

async function write(field: HTMLElement, text: string): Promise<void> {
  fireEvent.change(field, { target: { value: text } });
}

/** Opens the row of a step or an input. */
async function open(dialog: HTMLElement, name: RegExp): Promise<void> {
  await press(within(dialog).getByRole("button", { name }));
}

describe("the draft review", () => {
  it("says which steps keep it from running without the model", async () => {
    const { dialog } = await atDraft();
    expect(within(dialog).getByText("Step 3 needs judgement, so it runs with the model.")).toBeTruthy();
  });

  it("warns where the words of a step say something else than it does, and says beside them that they change nothing of that", async () => {
    const { dialog } = await atDraft({ warnings: ['Step 2 says "Invoices", which is not in what it does.'] });
    expect(within(dialog).getByText("The words say something else than is done")).toBeTruthy();
    expect(within(dialog).getByText('Step 2 says "Invoices", which is not in what it does.')).toBeTruthy();
    await open(dialog, /^1\. Open the portal/u);
    expect(within(dialog).getByText("Only for people and the model to read: what is done stays as it stands above.")).toBeTruthy();
  });

  it("changes the words of a step and drops one, each as one edit, the ones before kept", async () => {
    const { dialog, edits } = await atDraft();
    await open(dialog, /^1\. Open the portal/u);
    await write(within(dialog).getByLabelText("What step 1 says"), "Go to the portal");
    await press(button(dialog, "Save the words of step 1"));
    await press(button(dialog, "Drop step 1"));
    expect(edits()).toEqual([
      [{ edit: "say-step", step: 1, do: "Go to the portal" }],
      [
        { edit: "say-step", step: 1, do: "Go to the portal" },
        { edit: "drop-step", step: 1 },
      ],
    ]);
    await press(button(dialog, "Undo the last change"));
    expect(edits().at(-1)).toHaveLength(1);
  });

  it("after an edit the keyboard goes on at the row it was made in", async () => {
    const { dialog } = await atDraft();
    await open(dialog, /^2\. Go to My account/u);
    await press(button(dialog, "Look for nothing after step 2"));
    expect(document.activeElement?.textContent).toMatch(/^2\. Go to My account/u);
  });

  it("changes, takes out and adds what is looked for, from what was seen", async () => {
    const { dialog, edits } = await atDraft();
    await open(dialog, /^1\. Open the portal/u);
    await write(within(dialog).getByLabelText("Heading after step 1"), "Welcome back");
    await press(button(dialog, "Save the heading after step 1"));
    await press(button(dialog, "Take out the heading after step 1"));
    fireEvent.change(within(dialog).getByLabelText("Seen after step 1"), { target: { value: "2" } });
    await press(button(dialog, "Look for this after step 1"));
    expect(edits().map((list) => list.at(-1))).toEqual([
      { edit: "look-for", step: 1, part: "heading", value: "Welcome back" },
      { edit: "look-for", step: 1, part: "heading", value: null },
      { edit: "look-for", step: 1, part: "text", value: "{{month|MMMM YYYY}} is ready" },
    ]);
  });

  it("renames an input, gives it a default, and makes it what was shown", async () => {
    const { dialog, edits } = await atDraft();
    await open(dialog, /^month/u);
    await write(within(dialog).getByLabelText("Name of month"), "period");
    await write(within(dialog).getByLabelText("Default of month"), "2026-04");
    await press(button(dialog, "Save changes of input month"));
    await press(button(dialog, "Make month always “April 2026”"));
    expect(edits()[0]).toEqual([
      { edit: "set-default", input: "month", default: "2026-04" },
      { edit: "rename-input", input: "month", name: "period" },
    ]);
    expect(edits()[1]?.at(-1)).toEqual({ edit: "fix-input", input: "month" });
  });

  it("makes a part of a constant an input of a kind", async () => {
    const { dialog, edits } = await atDraft();
    await open(dialog, /^2\. Go to My account/u);
    await open(dialog, /^Make a constant of step 2 an input/u);
    await write(within(dialog).getByLabelText("The value in it, step 2"), "account");
    await write(within(dialog).getByLabelText("Name of the new input, step 2"), "area");
    await press(button(dialog, "Make it an input, step 2"));
    expect(edits()).toEqual([[{ edit: "open-value", step: 2, place: "name", text: "account", name: "area", kind: "text" }]]);
  });

  it("SHO-03: asks for the vault entry of a step that a secret was typed at", async () => {
    const steps = [...sample.draft.content.steps, { do: "Enter the secret for Password from a vault entry (choose one)", onFail: "stop" }];
    const observed = [...sample.draft.observed, { heading: "Sign in", url: "/sign-in", lines: [], secretField: "Password" }];
    const { dialog, edits } = await atDraft({ content: { ...sample.draft.content, steps }, observed, needJudgement: [5] });
    expect(within(dialog).getByText("choose a vault entry")).toBeTruthy();
    await open(dialog, /^5\. Enter the secret/u);
    await write(within(dialog).getByLabelText("Vault entry for “Password” at step 5"), "portal");
    await press(button(dialog, "Use this vault entry at step 5"));
    expect(edits()).toEqual([[{ edit: "choose-entry", step: 5, entry: "portal" }]]);
  });

  it("offers to align with a skill that seems to be the same routine, and shows what that changes before it is kept", async () => {
    const { dialog, inputsOf } = await atDraft({ alike: { skill: "portal-invoice", goal: "Download the April 2026 invoice" } });
    await press(button(dialog, "Align with “portal-invoice”"));
    expect(within(dialog).getByRole("region", { name: "Difference to revision 1 of portal-invoice" }).textContent).toContain("+new");
    await press(button(dialog, "Keep this revision"));
    expect(inputsOf("learning.confirmShowing")).toEqual([{ id: sample.draft.showingId }]);
  });

  it("has no two controls that are called the same, and none without a name", async () => {
    const { dialog } = await atDraft();
    for (const row of within(dialog).getAllByRole("listitem")) {
      const trigger = row.querySelector("button");
      if (trigger?.getAttribute("aria-expanded") === "false") await press(trigger);
    }
    const names = within(dialog)
      .getAllByRole("button")
      .map((button) => button.getAttribute("aria-label") ?? button.textContent);
    expect(names.filter((name, index) => names.indexOf(name) !== index || !name)).toEqual([]);
    const fields = [...within(dialog).getAllByRole("textbox"), ...within(dialog).getAllByRole("combobox")];
    expect(fields.every((field) => ((field as HTMLInputElement).labels?.[0]?.textContent ?? "") !== "")).toBe(true);
  });
});

describe("showing only the step that stopped working", () => {
  it("opens from the alert at that step, and keeps what comes after as it was or as it was shown", async () => {
    const events = script<unknown>();
    const { client, calls } = scriptedClient({ learning: { startRepair: () => events.events } });
    renderPage(scriptedLink(client), "#/alerts");
    await press((await screen.findAllByRole("button", { name: /^Show step \d+/u }))[0] as Element);
    const dialog = await screen.findByRole("dialog", { name: /^Show step \d+ of/u });
    expect(within(dialog).queryByRole("textbox", { name: "Where does it start?" })).toBeNull();
    await press(button(dialog, /^Open the window at step/u));
    const aim = { kind: "repair", skillId: "s1", revision: 2, step: 3, replayed: 2, asBefore: true };
    events.push({ type: "showing-started", showing: { ...sample.showing, aim } });
    events.push({ type: "action-shown", action: sample.shownActions[2] });
    await within(dialog).findByText(/Steps 1 to 2 were carried out/u);
    await press(button(dialog, "Done, from here on as before"));
    expect(calls.find(({ path }) => path === "learning.startRepair")?.input).toMatchObject({ skill: "portal-invoice", step: expect.any(Number) as number });
    expect(calls.find(({ path }) => path === "learning.finishShowing")?.input).toEqual({ id: sample.showing.id, asBefore: true });
  });
});
