import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { badInput, KnackError } from "#contract/errors.ts";
import type { SkillSummary } from "#contract/skills/schema.ts";
import { press, renderPage } from "./render-page.tsx";
import * as sample from "./sample.ts";
import { scriptedClient, scriptedLink } from "./scripted-client.ts";

type Scripted = Parameters<typeof scriptedClient>[0];

function openSkill(overrides: Scripted = {}, hash = "#/skills/portal-invoice") {
  const scripted = scriptedClient(overrides);
  const stores = renderPage(scriptedLink(scripted.client), hash);
  const inputsOf = (path: string) => scripted.calls.filter((call) => call.path === path).map(({ input }) => input);
  return { ...scripted, stores, inputsOf };
}

const rowNames = () =>
  within(screen.getByRole("list", { name: "Skills" }))
    .getAllByRole("link")
    .map(({ textContent }) => textContent);
const section = async (name: string) => within(await screen.findByRole("region", { name }));

describe("the list of skills", () => {
  it("puts pinned skills first and retired ones last, and tells packs and imports from what was learned", async () => {
    openSkill({}, "#/skills");
    await screen.findByRole("list", { name: "Skills" });
    expect(rowNames().at(0)).toBe("expense-report");
    expect(rowNames().at(-1)).toBe("old-timetable");
    const list = within(screen.getByRole("list", { name: "Skills" }));
    const rowOf = (name: string) => within(list.getByRole("link", { name }).closest("li") as HTMLElement);
    expect(rowOf("expense-report").getByText("pack: office")).toBeTruthy();
    expect(rowOf("expense-report").getByText("pinned")).toBeTruthy();
    expect(rowOf("weekly-digest").getAllByText("imported").length).toBeGreaterThan(0);
    expect(rowOf("library-renew").getByText("learned")).toBeTruthy();
  });

  it("narrows by status and by words, says how many are left, and goes back to all", async () => {
    openSkill({}, "#/skills");
    await press(await screen.findByRole("radio", { name: "Off 2" }));
    expect(rowNames()).toEqual(["parcel-status", "weekly-digest"]);
    expect(screen.getByText("2 of 7 skills")).toBeTruthy();
    fireEvent.change(screen.getByRole("searchbox", { name: "Search skills" }), { target: { value: "nothing like it" } });
    expect(screen.getByText("No skill is like that")).toBeTruthy();
    await press(screen.getByRole("button", { name: "Show all" }));
    expect(rowNames()).toHaveLength(7);
    fireEvent.change(screen.getByRole("searchbox", { name: "Search skills" }), { target: { value: "LOAN week" } });
    expect(rowNames()).toEqual(["library-renew"]);
  });

  it("speaks up above thirty learned skills, and counts none that a pack brought along", async () => {
    const some = (count: number, part: Partial<SkillSummary>) =>
      Array.from({ length: count }, (_none, at) => sample.skill(`n${part.author}${at}`, `n-${at}`, part));
    openSkill({ skills: { list: () => [...some(30, {}), ...some(5, { author: "authored:office" })] } }, "#/skills");
    await screen.findByRole("list", { name: "Skills" });
    expect(screen.queryByText(/learned skills are on/u)).toBeNull();
    cleanup();
    openSkill({ skills: { list: () => some(31, {}) } }, "#/skills");
    expect(await screen.findByText(/31 learned skills are on/u)).toBeTruthy();
  });
});

describe("one skill", () => {
  it("is pinned and unpinned by one button that says which it is", async () => {
    const { inputsOf } = openSkill();
    await press(await screen.findByRole("button", { name: "Pin", pressed: false }));
    await press(screen.getByRole("button", { name: "Pin", pressed: true }));
    expect(inputsOf("skills.setPinned")).toEqual([
      { name: "portal-invoice", pinned: true },
      { name: "portal-invoice", pinned: false },
    ]);
  });

  it("shows its rules, and marks what it declares and was not granted", async () => {
    openSkill();
    const rules = await section("Rules");
    expect(rules.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "First: check_session(site: portal)",
      'Its rules count where portal.region eq "EU"',
      "Not if: The invoice of another company is wanted",
    ]);
    const reach = await section("What it may reach");
    await waitFor(() => expect(reach.getAllByText("not granted").map(({ parentElement }) => parentElement?.textContent)).toHaveLength(2));
    expect(reach.getAllByText("not granted").map(({ parentElement }) => parentElement?.textContent)).toEqual([
      "https://files.portal.example not granted",
      "portal-login not granted",
    ]);
    expect(reach.getByRole("link", { name: "Open Permissions" }).getAttribute("href")).toBe("#/permissions");
  });

  it("marks nothing as missing while it does not know what is granted, and says so", async () => {
    const list = () => {
      throw new KnackError("database-locked", "The database is locked.");
    };
    openSkill({ grants: { list } });
    const reach = await section("What it may reach");
    expect(await reach.findByText(/What is granted could not be read: The database is locked/u)).toBeTruthy();
    expect(reach.queryByText("not granted")).toBeNull();
  });

  it("tells of each revision who made it, who accepted it and how its runs went", async () => {
    openSkill();
    const versions = await section("Versions");
    const rows = versions.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(rows[0]).toMatch(/Revision 3.*written by Knack in a chat.*not used/u);
    expect(rows[1]).toMatch(/Revision 2 active.*learned by Knack from your tasks.*accepted by ana.*1 run, worked 1 of 1, trust 67 %/u);
    expect(rows[2]).toMatch(/Revision 1 .*made by ana.*1 run, worked 0 of 1, trust 33 %/u);
    expect(rows[2]).not.toMatch(/accepted/u);
  });

  it("compares any two revisions", async () => {
    const { inputsOf } = openSkill();
    fireEvent.change(await screen.findByRole("combobox", { name: "From" }), { target: { value: "1" } });
    fireEvent.change(screen.getByRole("combobox", { name: "To" }), { target: { value: "3" } });
    await press(screen.getByRole("button", { name: "Show the difference" }));
    expect(await screen.findByRole("heading", { name: "From revision 1 to 3" })).toBeTruthy();
    expect(inputsOf("skills.diff")).toEqual([{ name: "portal-invoice", a: 1, b: 3 }]);
    fireEvent.change(screen.getByRole("combobox", { name: "To" }), { target: { value: "1" } });
    expect(screen.getByRole("button", { name: "Show the difference" }).hasAttribute("disabled")).toBe(true);
  });

  it("TRU-09: takes back a change, and shows why another one cannot be until the ledger has grown", async () => {
    let ledger = sample.skillDetail.ledger;
    const undo = ({ entryId }: { entryId: string }) => {
      if (entryId === "l1") throw new KnackError("skill.not-undone", '"portal-invoice" was changed since (modify); undo that first.', { exit: 3 });
      ledger = [...ledger, { ...ledger[1]!, id: "l3", action: "undo", reason: "undo of modify" }];
      return { ...sample.skillDetail, ledger };
    };
    const { inputsOf } = openSkill({ skills: { undo } });
    fireEvent.click(await screen.findByRole("button", { name: "Changes (2)" }));
    const first = screen.getByRole("button", { name: "Take back change 1: create" });
    await press(first);
    expect(screen.getByText(/was changed since \(modify\); undo that first/u)).toBeTruthy();
    expect(first.hasAttribute("disabled")).toBe(true);
    expect(document.activeElement?.textContent).toMatch(/^1\. create.*undo that first/u);
    const second = screen.getByRole("button", { name: "Take back change 2: modify" });
    second.focus();
    await press(second);
    expect(document.activeElement).toBe(second);
    expect(inputsOf("skills.undo")).toEqual([{ entryId: "l1" }, { entryId: "l2" }]);
    expect(await screen.findByRole("button", { name: "Take back change 3: undo" })).toBeTruthy();
    expect(screen.queryByText(/undo that first/u)).toBeNull();
    expect(first.hasAttribute("disabled")).toBe(false);
  });

  it("TRU-12: links its evidence, and shows a dangling link as one", async () => {
    openSkill();
    const evidence = await section("Where it was learned");
    expect(evidence.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["#/chat/c1"]);
    expect(evidence.getByText("a task that was pruned by retention; the skill works without it")).toBeTruthy();
    expect(evidence.getByText("a task that you erased")).toBeTruthy();
  });
});

describe("running a skill", () => {
  const withSkill = (part: Partial<SkillSummary>) => ({ skills: { get: () => ({ ...sample.skillDetail, skill: { ...sample.skillDetail.skill, ...part } }) } });

  it("starts a conversation with the skill, the mode and the values", async () => {
    const { inputsOf, stores } = openSkill();
    expect((await screen.findByRole("button", { name: "Run" })).hasAttribute("disabled")).toBe(true);
    fireEvent.change(screen.getByRole("textbox", { name: "month" }), { target: { value: "June 2026" } });
    await press(screen.getByRole("radio", { name: /^Strict/u }));
    await press(screen.getByRole("button", { name: "Run" }));
    expect(inputsOf("chat.send")).toEqual([
      { text: "Download the June 2026 invoice", skill: "portal-invoice", mode: "strict", inputs: { month: "June 2026" } },
    ]);
    expect(stores.page.getState().route).toEqual({ view: "chat", item: null, part: null });
  });

  it.each<[string, Partial<SkillSummary>, { assisted: boolean; strict: boolean }]>([
    ["one that is proven and fully mechanical", {}, { assisted: true, strict: true }],
    ["one with a step that needs judgement", { fullyMechanical: false }, { assisted: true, strict: false }],
    [
      "one whose trust is below 0.7",
      { trust: { trust: 0.6, runs: 3, successes: 2, band: "caveat", caveat: "This worked 2 of 3 times. Verify each step." } },
      { assisted: false, strict: true },
    ],
    ["one never used", { trust: { trust: 0.5, runs: 0, successes: 0, band: "offered", caveat: null } }, { assisted: false, strict: true }],
  ])("offers the modes that are open to %s", async (_which, part, offered) => {
    openSkill(withSkill(part));
    const isOpen = (name: RegExp) => !(screen.getByRole("radio", { name }) as HTMLInputElement).disabled;
    await screen.findByRole("radio", { name: /^Advisory/u });
    expect({ assisted: isOpen(/^Assisted/u), strict: isOpen(/^Strict/u) }).toEqual(offered);
  });

  it("is assisted whenever it is used, where a person says so", async () => {
    const { inputsOf } = openSkill();
    await press(await screen.findByRole("switch", { name: "Assisted whenever it is used" }));
    await press(screen.getByRole("switch", { name: "Assisted whenever it is used" }));
    expect(inputsOf("skills.setMode")).toEqual([
      { name: "portal-invoice", mode: "assisted" },
      { name: "portal-invoice", mode: "advisory" },
    ]);
  });

  it("is not offered of a skill that is off", async () => {
    openSkill(withSkill({ status: "disabled" }));
    expect(await screen.findByText("Switch the skill on to run it.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Run" }).hasAttribute("disabled")).toBe(true);
  });
});

describe("a proposal", () => {
  it("STR-06: shows what it rests on and what it changes, and changes nothing before it is accepted", async () => {
    const { inputsOf } = openSkill({}, "#/skills/portal-invoice/q1");
    const proposals = await section("Proposals");
    const title = await proposals.findByRole("heading", { name: "Proposed change to revision 2" });
    expect(document.activeElement).toBe(title);
    expect(proposals.getByText(/found the invoice two pages on/u)).toBeTruthy();
    expect(within(proposals.getByRole("region", { name: "What the proposal of revision 2 changes" })).getByText(/\+4. Download/u)).toBeTruthy();
    expect(inputsOf("skills.acceptProposal")).toEqual([]);
    await press(proposals.getByRole("button", { name: /^Accept the change to revision 2/u }));
    expect(inputsOf("skills.acceptProposal")).toEqual([{ id: "q1" }]);
  });

  it("is declined with one press, and is listed among the decided ones after that", async () => {
    let status: "open" | "declined" = "open";
    const { inputsOf } = openSkill({
      skills: {
        proposals: () => [{ ...sample.proposals[0]!, status }],
        declineProposal: () => {
          status = "declined";
        },
      },
    });
    await press(await screen.findByRole("button", { name: /^Decline the change to revision 2/u }));
    expect(inputsOf("skills.declineProposal")).toEqual([{ id: "q1" }]);
    expect(await screen.findByRole("button", { name: "Decided (1)" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Accept/u })).toBeNull();
  });

  it("says why an outdated one cannot be accepted, and stays open to be declined", async () => {
    const acceptProposal = () => {
      throw new KnackError("proposal.outdated", '"portal-invoice" is at revision 3 now; this was proposed for revision 2. Decline it, or revert first.');
    };
    openSkill({
      skills: { acceptProposal, get: () => ({ ...sample.skillDetail, skill: { ...sample.skillDetail.skill, activeRevision: 3 } }) },
    });
    expect(await screen.findByText("Revision 3 is active now; this was proposed for revision 2.")).toBeTruthy();
    await press(screen.getByRole("button", { name: /^Accept/u }));
    expect(await screen.findByText(/Decline it, or revert first/u)).toBeTruthy();
    expect(screen.getByRole("button", { name: /^Decline/u }).hasAttribute("disabled")).toBe(false);
  });

  it("that somebody came for and is not there any more is said to be gone", async () => {
    openSkill({ skills: { proposals: () => [] } }, "#/skills/portal-invoice/q9");
    expect(await screen.findByText("The proposal you came for is not here any more.")).toBeTruthy();
  });

  it("is counted beside Skills", async () => {
    openSkill();
    expect(await screen.findByRole("link", { name: /Skills\s*1\s*to review/u })).toBeTruthy();
  });
});

it("a skill that is not there says so", async () => {
  const get = () => {
    throw badInput('There is no skill "nobody"; see: knack skills list --all');
  };
  openSkill({ skills: { get } }, "#/skills/nobody");
  expect(await screen.findByText(/There is no skill "nobody"/u)).toBeTruthy();
});
