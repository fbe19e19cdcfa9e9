import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { badInput } from "#contract/errors.ts";
import type { ImportResult } from "#contract/skills/schema.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { scriptedClient, scriptedLink } from "./scripted-client.ts";

function open(hash: string, overrides: Parameters<typeof scriptedClient>[0] = {}) {
  const scripted = scriptedClient(overrides);
  renderPage(scriptedLink(scripted.client), hash);
  return { inputsOf: (path: string) => scripted.calls.filter((call) => call.path === path).map(({ input }) => input) };
}

async function choose(...files: File[]) {
  await screen.findByRole("button", { name: "Import SKILL.md files" });
  const picker = document.querySelector("input[type=file]");
  expect(picker?.getAttribute("accept")).toBe(".md,text/markdown");
  await act(async () => {
    fireEvent.change(picker as Element, { target: { files } });
  });
}

describe("importing", () => {
  it("FIL-01: reads the text of each file and tells of each what became of it and what was wrong with it, the gravest first", async () => {
    const refused: ImportResult = {
      path: "bad.md",
      outcome: "refused",
      name: null,
      skillId: null,
      reason: "no name could be read",
      diagnostics: [{ code: "name-missing", severity: "error", message: "The name is missing." }],
    };
    const { inputsOf } = open("#/skills", { skills: { import: () => [sample.imported, refused] } });
    await choose(new File(["one"], "weekly-digest.md"), new File(["two"], "bad.md"));
    expect(inputsOf("skills.import")).toEqual([
      {
        files: [
          { path: "weekly-digest.md", text: "one" },
          { path: "bad.md", text: "two" },
        ],
      },
    ]);
    const [good, bad] = within(await screen.findByRole("list", { name: "Imported files" })).getAllByText(/^(?:imported|refused)$/u);
    const first = within(good?.closest("li") as HTMLElement);
    expect(first.getByRole("link", { name: "weekly-digest" }).getAttribute("href")).toBe("#/skills/s6");
    expect(first.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "warning 3 invisible characters were taken out.",
      "note “version” is not ours; it is kept and exported again.",
    ]);
    expect(within(bad?.closest("li") as HTMLElement).getByText(/no name could be read/u)).toBeTruthy();
    expect(inputsOf("skills.list")).toHaveLength(2);
  });

  it("says why nothing was imported", async () => {
    const refuse = () => {
      throw badInput("files.0.text: a file of more than 10 million characters");
    };
    open("#/skills", { skills: { import: refuse } });
    await choose(new File(["one"], "big.md"));
    expect(await screen.findByText(/more than 10 million characters/u)).toBeTruthy();
    expect(screen.queryByRole("list", { name: "Imported files" })).toBeNull();
  });
});

describe("exporting", () => {
  afterEach(() => Reflect.deleteProperty(URL, "createObjectURL"));

  it("hands the skill over as the file the host made", async () => {
    const saved: { name: string; text: Promise<string> }[] = [];
    const blobs: Blob[] = [];
    Object.assign(URL, { createObjectURL: (made: Blob) => `blob:${blobs.push(made)}`, revokeObjectURL: () => undefined });
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, text: blobs.at(-1)?.text() ?? Promise.resolve("") });
    });
    const { inputsOf } = open("#/skills/portal-invoice");
    await press(await screen.findByRole("button", { name: "Export" }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.name).toBe("SKILL.md");
    expect(await saved[0]?.text).toContain("name: portal-invoice");
    expect(inputsOf("skills.export")).toEqual([{ name: "portal-invoice" }]);
  });
});

describe("files of packs", () => {
  it("are listed with what they hold, and what could not be read is said", async () => {
    open("#/skills");
    const packs = within(await screen.findByRole("region", { name: "Packs" }));
    expect(packs.getByRole("link", { name: "expense-report" }).getAttribute("href")).toBe("#/skills/expense-report");
    expect(packs.getByText(/no front matter, so it has no name/u)).toBeTruthy();
  });

  it("are not spoken of where there is no pack", async () => {
    open("#/skills", { skills: { packs: () => [] } });
    await screen.findByRole("list", { name: "Skills" });
    expect(screen.queryByRole("region", { name: "Packs" })).toBeNull();
  });

  it("stand with the skill that was read from one, with what was wrong and what is kept", async () => {
    const file = { skillId: "s1", revision: 2, path: "office/x/SKILL.md", digest: "0", extra: { version: "1.2" }, diagnostics: sample.imported.diagnostics };
    open("#/skills/portal-invoice", { skills: { get: () => ({ ...sample.skillDetail, file }) } });
    const card = within(await screen.findByRole("region", { name: "The file it was read from" }));
    expect(card.getByText("office/x/SKILL.md")).toBeTruthy();
    expect(card.getByText("1.2")).toBeTruthy();
    expect(card.getByText(/3 invisible characters/u)).toBeTruthy();
  });
});
