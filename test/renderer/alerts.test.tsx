import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { KnackError } from "#contract/errors.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { scriptedClient, scriptedLink } from "./scripted-client.ts";

function openAlerts(overrides: Parameters<typeof scriptedClient>[0] = {}) {
  const scripted = scriptedClient(overrides);
  const stores = renderPage(scriptedLink(scripted.client), "#/alerts");
  const inputsOf = (path: string) => scripted.calls.filter((call) => call.path === path).map(({ input }) => input);
  return { stores, inputsOf };
}

const DRIFT = "“parcel-status” stopped working and is off";

async function cardOf(title: string) {
  const card = within((await screen.findByRole("heading", { name: title })).closest("li") as HTMLElement);
  return { ...card, buttons: () => card.getAllByRole("button").map(({ textContent }) => textContent) };
}

describe("an alert", () => {
  it("of a skill that stopped working offers to review, go back, show the step, learn again and keep off", async () => {
    const { stores, inputsOf } = openAlerts();
    const card = await cardOf(DRIFT);
    await card.findByRole("button", { name: `Keep off: ${DRIFT}` });
    expect(card.buttons()).toEqual(["Review “parcel-status”", "Revert to revision 1", "Show this step", "Learn again", "Keep off", "Dismiss"]);
    await press(card.getByRole("button", { name: `Revert to revision 1: ${DRIFT}` }));
    await press(card.getByRole("button", { name: `Keep off: ${DRIFT}` }));
    expect(inputsOf("alerts.act")).toEqual([
      { id: "a1", action: "revert" },
      { id: "a1", action: "keep-off" },
    ]);
    await press(card.getByRole("button", { name: `Review the skill parcel-status: ${DRIFT}` }));
    expect(stores.page.getState().route).toEqual({ view: "skills", item: "parcel-status", part: null });
  });

  it("offers no way back where there is no revision to go back to", async () => {
    openAlerts({ alerts: { list: () => [{ ...sample.alerts[0]!, revertTo: null }] } });
    const card = await cardOf(DRIFT);
    await card.findByRole("button", { name: `Keep off: ${DRIFT}` });
    expect(card.queryByRole("button", { name: /Revert/u })).toBeNull();
  });

  it("learns again by opening the showing with the skill's goal, and makes a revision of that skill of it", async () => {
    const { inputsOf, stores } = openAlerts();
    const card = await cardOf(DRIFT);
    await press(await card.findByRole("button", { name: `Learn again: ${DRIFT}` }));
    expect(inputsOf("alerts.act")).toEqual([{ id: "a1", action: "learn-again" }]);
    const dialog = within(await screen.findByRole("dialog", { name: "Show “portal-invoice” again" }));
    expect((dialog.getByRole("textbox", { name: "What is the task?" }) as HTMLInputElement).value).toBe("Download the April 2026 invoice");
    expect((dialog.getByRole("textbox", { name: "Where does it start?" }) as HTMLInputElement).value).toBe("https://portal.example");
    expect(stores.page.getState().reteaching?.skill).toBe("portal-invoice");
  });

  it("says why the host refused, opens nothing, and stays", async () => {
    const act = () => {
      throw new KnackError("skill.authored", '"parcel-status" belongs to a pack; what is learned cannot change it.', { exit: 3 });
    };
    openAlerts({ alerts: { act } });
    const card = await cardOf(DRIFT);
    await press(await card.findByRole("button", { name: `Learn again: ${DRIFT}` }));
    expect(await card.findByText(/belongs to a pack/u)).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("of a proposal leads to the proposal", async () => {
    const { stores } = openAlerts();
    const card = await cardOf("A change to “portal-invoice” is proposed");
    await press(await card.findByRole("button", { name: /^Review the proposal for portal-invoice/u }));
    expect(stores.page.getState().route).toEqual({ view: "skills", item: "portal-invoice", part: "q1" });
    expect(await screen.findByRole("heading", { name: "Proposed change to revision 2" })).toBe(document.activeElement);
  });

  it("of something refused leads to Permissions; a notice is only dismissed", async () => {
    const { inputsOf } = openAlerts();
    const refused = await cardOf("A page tried to reach another site");
    expect(refused.getByRole("link", { name: "Open Permissions" }).getAttribute("href")).toBe("#/permissions");
    expect(refused.buttons()).toEqual(["Dismiss"]);
    const notice = await cardOf("“old-timetable” has not been used for 40 days");
    await press(notice.getByRole("button", { name: /^Dismiss/u }));
    expect(inputsOf("alerts.resolve")).toEqual([{ id: "a4", resolution: "seen by the user" }]);
  });

  it("that is resolved is listed apart when asked for, with what came of it", async () => {
    openAlerts();
    const open = await screen.findByRole("region", { name: "Open" });
    expect(within(open).getAllByRole("heading", { level: 3 })).toHaveLength(4);
    await press(screen.getByRole("switch", { name: "Show resolved" }));
    const resolved = within(await screen.findByRole("region", { name: "Resolved" }));
    expect(resolved.getByText(/went back to revision 1/u)).toBeTruthy();
    expect(resolved.queryByRole("button")).toBeNull();
  });

  it("is counted in the sidebar", async () => {
    openAlerts();
    expect(await screen.findByRole("link", { name: /Alerts\s*4\s*open/u })).toBeTruthy();
  });
});
