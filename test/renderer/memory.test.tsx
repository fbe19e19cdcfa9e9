import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { scriptedClient, scriptedLink } from "./scripted-client.ts";

const facts: Fact[] = [...sample.facts, sample.dreamtFact];

/** The memory view over these facts, which letting go and taking back change. */
function memoryPage(change: Record<string, (input: never) => unknown> = {}) {
  let held = facts;
  const scripted = scriptedClient({
    memory: {
      list: () => held,
      letGo: ({ id }: { id: string }) => {
        const fact = held.find((one) => one.id === id);
        held = held.filter((one) => one.id !== id);
        return { fact, erasedAt: Date.now() + 20_000 };
      },
      takeBack: ({ id }: { id: string }) => {
        held = facts;
        return facts.find((one) => one.id === id);
      },
      ...change,
    },
  });
  renderPage(scriptedLink(scripted.client), "#/memory");
  return scripted.calls;
}

const asked = (calls: readonly { readonly path: string; readonly input: unknown }[], path: string): unknown[] =>
  calls.filter((call) => call.path === path).map(({ input }) => input);
const type = (field: HTMLElement, value: string) => act(async () => void fireEvent.change(field, { target: { value } }));

describe("the memory view", () => {
  it("groups facts by what they are about, and says who wrote each down, when, and where it was said", async () => {
    memoryPage();
    const group = within(await screen.findByRole("region", { name: "How you like things" }));
    expect(group.getAllByRole("listitem").map((row) => row.querySelector("p")?.textContent)).toEqual(["I prefer invoices as PDF.", "I prefer aisle seats"]);
    expect(group.getByText(/^found in what you said, /u)).toBeTruthy();
    expect(group.getByText(/^kept in a conversation,/u)).toBeTruthy();
    expect(group.getByRole("link", { name: "Where you said “I prefer aisle seats”" }).getAttribute("href")).toBe("#/chat/c1/t1-user");
    expect(within(screen.getByRole("region", { name: "About you" })).getAllByRole("listitem")).toHaveLength(1);
    expect(screen.queryByRole("region", { name: "Notes" })).toBeNull();
  });

  it("is searched as one types, and says how many there are, also when there is none", async () => {
    memoryPage();
    const box = await screen.findByRole("searchbox", { name: "Search what is remembered" });
    await type(box, "aisle prefer");
    expect(await screen.findByText("1 of 3 facts")).toBeTruthy();
    expect(screen.queryByText("I prefer invoices as PDF.")).toBeNull();
    await type(box, "bicycle");
    expect(await screen.findByText("Nothing like that is remembered")).toBeTruthy();
  });

  it("adds, and says what became of it; what is refused stays in the field with the reason", async () => {
    const add = ({ text }: { text: string }) => {
      if (text.includes("password")) throw badInput("This looks like a password. A secret belongs in the vault.");
      return { ...sample.facts[0], became: "renewed", before: "I live in Leeds" };
    };
    const calls = memoryPage({ add });
    const field = (await screen.findByRole("textbox", { name: "Remember that …" })) as HTMLInputElement;
    await type(field, "my password is hunter2");
    await press(screen.getByRole("button", { name: "Add" }));
    expect(await screen.findByText(/belongs in the vault/u)).toBeTruthy();
    expect(field.value).toBe("my password is hunter2");
    await type(field, "I live in York");
    expect(screen.queryByText(/belongs in the vault/u)).toBeNull();
    await press(screen.getByRole("button", { name: "Add" }));
    expect(await screen.findAllByText("It takes the place of “I live in Leeds”.")).not.toEqual([]);
    expect([field.value, asked(calls, "memory.add")]).toEqual(["", [{ text: "my password is hunter2" }, { text: "I live in York" }]]);
  });

  it("a fact is changed where it stands, text and group; Escape leaves it, and the keyboard goes on at its row", async () => {
    const calls = memoryPage();
    await press(await screen.findByRole("button", { name: "Change “I prefer aisle seats”" }));
    const form = within(screen.getByRole("form", { name: "Change “I prefer aisle seats”" }));
    const text = form.getByRole("textbox", { name: "What it says" });
    await waitFor(() => expect(document.activeElement === text).toBe(true));
    fireEvent.keyDown(text, { key: "Escape" });
    expect(screen.queryByRole("form", { name: /^Change/u })).toBeNull();
    expect([document.activeElement?.tagName, document.activeElement?.textContent]).toEqual(["LI", expect.stringContaining("I prefer aisle seats")]);
    await press(await screen.findByRole("button", { name: "Change “I prefer aisle seats”" }));
    await type(screen.getByRole("textbox", { name: "What it says" }), "I prefer window seats");
    fireEvent.change(screen.getByRole("combobox", { name: "Where it belongs" }), { target: { value: "NOTE" } });
    await press(screen.getByRole("button", { name: "Save" }));
    expect(asked(calls, "memory.edit")).toEqual([{ id: "f9", change: { text: "I prefer window seats", label: "NOTE" } }]);
    await waitFor(() => expect(asked(calls, "memory.list").length).toBe(2));
  });

  it("a change that is refused stays in its field, with the reason", async () => {
    memoryPage({
      edit: () => {
        throw badInput("A fact has at most 500 characters.");
      },
    });
    await press(await screen.findByRole("button", { name: "Change “I prefer aisle seats”" }));
    await type(screen.getByRole("textbox", { name: "What it says" }), "x".repeat(501));
    await press(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("A fact has at most 500 characters.")).toBeTruthy();
  });

  it("what is forgotten can be taken back until it is erased, and says so", async () => {
    const calls = memoryPage();
    await press(await screen.findByRole("button", { name: "Forget “I prefer aisle seats”" }));
    const notice = (await screen.findByText("Forgotten, and not erased yet")).closest("[role=note]") as HTMLElement;
    expect(notice.textContent).toMatch(
      /is used no more\. At .+ it is erased for good, and cannot be taken back then\. What you said stays in the conversation/u,
    );
    await waitFor(() => expect(screen.queryByRole("button", { name: "Forget “I prefer aisle seats”" })).toBeNull());
    const undo = screen.getByRole("button", { name: "Undo: remember “I prefer aisle seats” again" });
    await waitFor(() => expect(document.activeElement === undo).toBe(true));
    await press(undo);
    expect(await screen.findByRole("button", { name: "Forget “I prefer aisle seats”" })).toBeTruthy();
    expect([asked(calls, "memory.takeBack"), screen.queryByText("Forgotten, and not erased yet"), asked(calls, "memory.forget")]).toEqual([
      [{ id: "f9" }],
      null,
      [],
    ]);
  });

  it("it can be erased at once, with what still holds it told", async () => {
    const calls = memoryPage({ forget: () => ({ skills: [], backups: 2, backupsErased: 0 }) });
    await press(await screen.findByRole("button", { name: "Forget “I prefer aisle seats”" }));
    await press(await screen.findByRole("button", { name: "Erase “I prefer aisle seats” now" }));
    expect(await screen.findByText("2 backups still hold it until newer ones take their place.")).toBeTruthy();
    expect([asked(calls, "memory.forget"), screen.queryByText("Forgotten, and not erased yet")]).toEqual([[{ id: "f9" }], null]);
  });

  it("after its hour the way back is gone, and a screen reader hears it", async () => {
    memoryPage({ letGo: () => ({ fact: sample.dreamtFact, erasedAt: Date.now() + 50 }) });
    await press(await screen.findByRole("button", { name: "Forget “I prefer aisle seats”" }));
    await waitFor(() => expect(screen.getByTestId("said").textContent).toBe("The fact is erased for good."));
    expect(screen.queryByRole("button", { name: /^Undo/u })).toBeNull();
  });

  it("what cannot be forgotten stays, with the reason at its row", async () => {
    memoryPage({
      letGo: () => {
        throw new KnackError("store.locked", "The store is locked by another program.");
      },
    });
    await press(await screen.findByRole("button", { name: "Forget “I prefer aisle seats”" }));
    expect((await screen.findByRole("alert")).textContent).toBe("The store is locked by another program.");
    expect(screen.getByRole("button", { name: "Forget “I prefer aisle seats”" })).toBeTruthy();
  });

  it("what a fact said before is asked for only when somebody wants to know", async () => {
    const renewed = { ...sample.dreamtFact, updatedAt: sample.dreamtFact.updatedAt + 5 };
    const version = { label: "PREFERENCE" as const, text: "I prefer window seats", source: "conversation", updatedAt: 1, replacedAt: renewed.updatedAt };
    const calls = memoryPage({ list: () => [renewed], show: () => ({ fact: renewed, history: [version], conversation: null, saidAt: null }) });
    const button = await screen.findByRole("button", { name: "What “I prefer aisle seats” said before" });
    expect(asked(calls, "memory.show")).toEqual([]);
    await press(button);
    expect((await screen.findByRole("list", { name: "What “I prefer aisle seats” said before" })).textContent).toMatch(
      /^“I prefer window seats” \(kept in a conversation\), until/u,
    );
  });

  it("a file is taken in, and each entry that was left out says why", async () => {
    const results = [
      { text: "I like tea", became: "added" as const },
      { text: "", problem: "A secret belongs in the vault." },
    ];
    const calls = memoryPage({ import: () => results });
    await screen.findByRole("button", { name: "Import" });
    const input = document.querySelector("input[type=file]") as HTMLInputElement;
    await act(async () => void fireEvent.change(input, { target: { files: [new File(["I like tea\nx"], "facts.txt")] } }));
    expect(await screen.findByText("1 fact remembered, 0 known already, 1 left out.")).toBeTruthy();
    expect(within(screen.getByRole("list", { name: "Left out" })).getByText("A secret belongs in the vault.")).toBeTruthy();
    expect(asked(calls, "memory.import")).toEqual([{ text: "I like tea\nx" }]);
  });

  it("with memory off it says so, keeps what is stored, and takes nothing in; forgetting stays possible", async () => {
    const { client } = scriptedClient({ settings: { get: () => ({ ...sample.settings, memory: false }) }, memory: { list: () => facts } });
    renderPage(scriptedLink(client), "#/memory");
    expect(await screen.findByText("Memory is off")).toBeTruthy();
    expect(await screen.findByText("I prefer aisle seats")).toBeTruthy();
    const isOff = (name: string) => (screen.getByRole("button", { name }) as HTMLButtonElement).disabled;
    expect([isOff("Import"), isOff("Change “I prefer aisle seats”"), isOff("Forget “I prefer aisle seats”")]).toEqual([true, true, false]);
    expect((screen.getByRole("textbox", { name: "Remember that …" }) as HTMLInputElement).disabled).toBe(true);
  });

  it("with nothing in it, it says how something gets there", async () => {
    memoryPage({ list: () => [] });
    expect(await screen.findByText("Nothing remembered yet")).toBeTruthy();
  });

  it("where it cannot be read it says so, and can be asked again", async () => {
    memoryPage({
      list: () => {
        throw new KnackError("store.damaged", "The store is damaged.");
      },
    });
    expect(await screen.findByText(/The store is damaged\./u)).toBeTruthy();
    expect(screen.getByRole("button", { name: /again/iu })).toBeTruthy();
  });
});
