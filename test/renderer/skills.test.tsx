import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { KnackError } from "#contract/errors.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { scriptedClient, scriptedLink } from "./scripted-client.ts";

describe("the list of skills", () => {
  it("says for each who made it, how it went and whether it is on", async () => {
    renderPage(scriptedLink(scriptedClient().client), "#/skills");
    const row = within(await screen.findByRole("list", { name: "Skills" }))
      .getByRole("link", { name: "library-renew" })
      .closest("li");
    const { getByText, getByRole } = within(row as HTMLElement);
    expect(getByText(/learned by Knack from your tasks · worked 3 of 6 times, trust 50 %/u)).toBeTruthy();
    expect(getByText("This worked 3 of 6 times. Verify each step.")).toBeTruthy();
    expect((getByRole("switch", { name: "Use library-renew" }) as HTMLInputElement).checked).toBe(true);
  });

  it("switches a skill off with who and why", async () => {
    const { client, calls } = scriptedClient();
    renderPage(scriptedLink(client), "#/skills");
    await press(await screen.findByRole("switch", { name: "Use portal-invoice" }));
    expect(calls.find(({ path }) => path === "skills.setStatus")?.input).toEqual({
      name: "portal-invoice",
      status: "disabled",
      reason: "switched off by the user",
    });
  });

  it("tells nothing learned apart from could not be read", async () => {
    renderPage(scriptedLink(scriptedClient({ skills: { list: () => [] } }).client), "#/skills");
    expect(await screen.findByText("Nothing learned yet")).toBeTruthy();
    expect(screen.queryByText("Skills could not be read")).toBeNull();
  });

  it("shows why it could not be read, and reads again when asked", async () => {
    let fails = true;
    const { client } = scriptedClient({
      skills: {
        list: () => {
          if (fails) throw new KnackError("database-locked", "The database is locked by another program.");
          return sample.skills;
        },
      },
    });
    renderPage(scriptedLink(client), "#/skills");
    expect(await screen.findByText("The database is locked by another program.")).toBeTruthy();
    fails = false;
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "portal-invoice" })).toBeTruthy();
  });

  it("explains a tested goal with scores, thresholds and what was ruled out", async () => {
    const { client, calls } = scriptedClient();
    renderPage(scriptedLink(client), "#/skills");
    fireEvent.change(await screen.findByRole("textbox", { name: /Which skill would be used/u }), { target: { value: "Get me the May invoice" } });
    fireEvent.click(screen.getByRole("button", { name: "Test" }));
    expect(await screen.findByText(/Score 0.913; used from 0.860, suggested from 0.780; runner-up library-renew with 0.412/u)).toBeTruthy();
    expect(screen.getByText(/^site: .*this skill does not use/u)).toBeTruthy();
    expect(screen.getByRole("columnheader", { name: "Place by words" })).toBeTruthy();
    expect(screen.getByText(/needs: “the user is a customer” — 93 % yes, so it holds/u)).toBeTruthy();
    expect(calls.find(({ path }) => path === "skills.match")?.input).toEqual({ goal: "Get me the May invoice" });
  });

  it("shows what a pass skipped and why", async () => {
    renderPage(scriptedLink(scriptedClient().client), "#/skills");
    await press(await screen.findByRole("button", { name: "Learn now" }));
    expect(await screen.findByText(/two of the three episodes that are needed/u)).toBeTruthy();
  });
});

describe("one skill", () => {
  it("links its evidence and says where a conversation is gone", async () => {
    renderPage(scriptedLink(scriptedClient().client), "#/skills/portal-invoice");
    expect((await screen.findByRole("link", { name: "Download the April 2026 invoice" })).getAttribute("href")).toBe("#/chat/c1");
    expect(screen.getByText(/was pruned by retention/u)).toBeTruthy();
  });

  it("compares revisions and reverts after a question", async () => {
    const { client, calls } = scriptedClient();
    renderPage(scriptedLink(client), "#/skills/portal-invoice");
    fireEvent.click(await screen.findByRole("button", { name: "Compare revision 1 with the active one" }));
    expect(await within(await screen.findByRole("region", { name: "Difference" })).findByText(/\+4. Download the invoice/u)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Revert to revision 1" }));
    await press(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Revert" }));
    expect(calls.find(({ path }) => path === "skills.revert")?.input).toEqual({ name: "portal-invoice", revision: 1 });
  });
});

describe("without a connection", () => {
  it("says so, and fills the view when it comes back", async () => {
    const link = scriptedLink(scriptedClient().client, { phase: "waiting", reason: "Knack's host ended.", retryAt: Date.now() + 5000 });
    renderPage(link, "#/skills");
    expect(screen.getByText("Knack's host cannot be reached")).toBeTruthy();
    expect(screen.getAllByText("Not connected").length).toBeGreaterThan(0);
    act(() => link.state.setState({ phase: "open", life: 1 }, true));
    expect(await screen.findByRole("link", { name: "portal-invoice" })).toBeTruthy();
    await waitFor(() => expect(screen.queryByText("Knack's host cannot be reached")).toBeNull());
  });
});
