import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { VIEWS } from "#renderer/store/route.ts";
import { renderPage } from "./render-page.tsx";
import { scriptedClient, scriptedLink } from "./scripted-client.ts";

const CONTROLS = ["button", "link", "textbox", "searchbox", "switch", "radio", "menuitem", "progressbar", "combobox"] as const;

function unnamed(): string[] {
  return CONTROLS.flatMap((role) =>
    screen
      .queryAllByRole(role, { name: (name) => name.trim() === "" || name.includes("[object") })
      .map((element) => `${role}: ${element.outerHTML.slice(0, 120)}`),
  );
}

describe("accessible names", () => {
  it.each([...VIEWS.map((view) => `#/${view}`), "#/chat/c1", "#/chat/c2", "#/skills/portal-invoice", "#/skills/portal-invoice/q1"])(
    "every control of %s has one",
    async (hash) => {
      renderPage(scriptedLink(scriptedClient().client), hash);
      await act(async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
      });
      expect(unnamed()).toEqual([]);
      expect(screen.getAllByRole("heading", { level: 1 })).toHaveLength(1);
    },
  );

  it("has no two controls in a list of skills, models or alerts that are called the same", async () => {
    for (const hash of ["#/models", "#/alerts", "#/skills", "#/skills/portal-invoice"]) {
      renderPage(scriptedLink(scriptedClient().client), hash);
      await act(async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
      });
      const names = [...document.querySelectorAll("main li button")].map((button) => button.getAttribute("aria-label") ?? button.textContent);
      expect(new Set(names).size).toBe(names.length);
      document.body.innerHTML = "";
    }
  });

  it("reaches views, the palette and the keys from the keyboard", async () => {
    const stores = renderPage(scriptedLink(scriptedClient().client));
    fireEvent.keyDown(window, { key: "2", altKey: true });
    expect(stores.page.getState().route.view).toBe("skills");
    fireEvent.keyDown(window, { key: "k", ctrlKey: true });
    expect(await screen.findByRole("dialog", { name: "Find an action or a conversation" })).toBeTruthy();
  });
});
