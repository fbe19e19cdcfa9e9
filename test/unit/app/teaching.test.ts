import { describe, expect, it } from "vitest";
import { makeShowings, type Showings } from "#app/showings.ts";
import { setStatus } from "#app/skills.ts";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { BrowserLauncher } from "#core/ports/index.ts";
import { billsSite, loansSite, type MadeSite, permitSite } from "../../fixtures/makers/made-site.ts";
import { button, link, page } from "../../fixtures/makers/page.ts";
import { type ScriptedRecorder, scriptedRecorder } from "../../fixtures/makers/scripted-recorder.ts";
import { type Stage, stage } from "../../fixtures/makers/stage.ts";

const portal = "https://portal.example/";
const council = "https://council.example/";
const billGoal = (month: string): string => `Download the ${month} 2026 bill from ${portal}`;
const { signal } = new AbortController();
type Script = readonly (readonly string[])[];

interface School {
  readonly on: Stage;
  readonly showings: Showings;
  readonly recorder: ScriptedRecorder;
  /** From now on the site is this one. */
  build(site: MadeSite): void;
  /** Shows a task from the first page of the site on, to its draft. */
  show(goal: string, script: Script): Promise<string>;
  /** The same over the same store in another process. */
  restarted(): Showings;
}

function school(first: MadeSite): School {
  let site = first;
  const on = stage(first);
  const recorder = scriptedRecorder(() => site);
  const make = (): Showings =>
    makeShowings({
      ...on.skillWorld,
      launcher: recorder.launcher as BrowserLauncher,
      downloadFolder: "/downloads",
      destinations: () => [],
      headed: false,
    });
  const showings = make();
  return {
    on,
    showings,
    recorder,
    build(next) {
      site = next;
    },
    async show(goal, script) {
      const { id } = await showings.start(goal, `${site.origin}/`);
      await showings.perform(id, script, signal);
      return id;
    },
    restarted: make,
  };
}

const toBill = (month: string): Script => [
  ["click", "link", "Bills"],
  ["click", "button", `Download ${month} 2026 bill`],
];

/** A school whose skill "download-bill" was shown once. */
async function taughtBill(): Promise<School> {
  const made = school(billsSite());
  const id = await made.show(billGoal("December"), toBill("December"));
  await made.showings.finish(id);
  await made.showings.confirm(id, "Kim");
  return made;
}

describe("a draft is edited and kept with its showing", () => {
  it("edits outlive the process, and are in the skill that is confirmed", async () => {
    const { show, showings, restarted } = school(billsSite());
    const id = await show(billGoal("December"), toBill("December"));
    await showings.finish(id);
    const edits: DraftEdit[] = [
      { edit: "rename-input", input: "month", name: "period" },
      { edit: "say-step", step: 2, do: "Go to the bills" },
    ];
    await showings.edit(id, edits);
    const again = restarted();
    expect((await again.finish(id)).edits).toEqual(edits);
    const { revision } = await again.confirm(id, "Kim");
    expect([revision.inputs.required, revision.steps[1]?.do]).toEqual([["period"], "Go to the bills"]);
  });

  it("an edit that cannot be made leaves those before as they were", async () => {
    const { on, show, showings } = school(billsSite());
    const id = await show(billGoal("December"), toBill("December"));
    await showings.finish(id);
    const good: DraftEdit[] = [{ edit: "rename-input", input: "month", name: "period" }];
    await showings.edit(id, good);
    await expect(showings.edit(id, [...good, { edit: "drop-step", step: 9 }])).rejects.toThrow("Edit 2: There is no step 9");
    expect(on.stores.learning.showing(id)?.edits).toEqual(good);
    expect((await showings.edit(id, [])).content.inputs.required).toEqual(["month"]);
  });

  it("a changed file of the draft is taken in as its text says, and what it leaves alone keeps every part", async () => {
    const { show, showings } = school(billsSite());
    const id = await show(billGoal("December"), toBill("December"));
    const before = await showings.finish(id);
    const { text } = await showings.file(id);
    const draft = await showings.takeFile(
      id,
      text
        .replace('2. Click the link "Bills"', "2. Go to the bills")
        .replace(/ +- Check: heading 'Bills'[^\n]*/u, "   - Check: heading 'Bills'")
        .replace('name: "download-bill"', 'name: "fetch-bill"'),
    );
    expect([draft.name, draft.content.steps[1]?.do, draft.content.steps[1]?.check]).toEqual(["fetch-bill", "Go to the bills", { page: { heading: "Bills" } }]);
    expect(draft.content.steps[2]).toEqual(before.content.steps[2]);
    expect([draft.content.inputs, draft.content.bindings]).toEqual([before.content.inputs, before.content.bindings]);
    expect(draft.observed).toEqual(before.observed);
    expect((await showings.confirm(id, "Kim")).skill.name).toBe("fetch-bill");
  });

  it("a file that was not changed is no edit, and one that cannot be read changes nothing", async () => {
    const { on, show, showings } = school(billsSite());
    const id = await show(billGoal("December"), toBill("December"));
    await showings.finish(id);
    const { text } = await showings.file(id);
    expect((await showings.takeFile(id, text)).edits).toEqual([]);
    await expect(showings.takeFile(id, text.replace(/- Call: `browser_click` \{/u, "- Call: `browser_click` {{"))).rejects.toThrow(
      /Step 2: its call .* cannot be read/u,
    );
    await expect(showings.takeFile(id, text.replaceAll("{{month|MMMM YYYY}}", "{{year}}"))).rejects.toThrow("Step 3 uses {{year}}, which is no input");
    await expect(showings.takeFile(id, "")).rejects.toThrow("The file is empty");
    expect(on.stores.learning.showing(id)?.edits).toEqual([]);
  });

  it("SHO-07: a window that was closed leaves a showing that can be finished or dropped", async () => {
    const { on, show, showings, recorder } = school(billsSite());
    const id = await show(billGoal("December"), toBill("December"));
    recorder.close();
    await showings.ended(id);
    expect(on.stores.learning.showing(id)).toMatchObject({ status: "broken", actions: [{}, {}, {}, { kind: "download" }] });
    const next = await show(billGoal("May"), [["click", "link", "Bills"]]);
    await showings.drop(next);
    expect((await showings.finish(id)).content.steps).toHaveLength(3);
    expect((await showings.confirm(id, "Kim")).skill.name).toBe("download-bill");
    await expect(showings.drop(id)).rejects.toMatchObject({ code: "showing.over" });
  });

  it("what was shown goes with the skill it became when that is erased", async () => {
    const { on } = await taughtBill();
    const skill = on.stores.skills.byName("download-bill");
    expect(on.stores.learning.showingsOf(skill?.id ?? "")).toHaveLength(1);
    on.stores.skills.erase(skill?.id ?? "", 1);
    expect(on.stores.learning.showings()).toEqual([]);
  });
});

/** The site with another way to its bills: behind "Payments". */
function rebuilt(change: { readonly heading?: string } = {}): MadeSite {
  const old = billsSite({ billsHeading: change.heading ?? "Bills" });
  return {
    ...old,
    view: (path, typed) => {
      if (path === "/") return page("Welcome", [link("Payments"), link("Messages")], { url: portal });
      if (path === "/payments") return page("Payments", [button("Show bills")], { url: `${portal}payments` });
      return old.view(path, typed);
    },
    press: (path, element, typed) =>
      element.name === "Payments" ? { to: "/payments" } : element.name === "Show bills" ? { to: "/bills/1" } : old.press(path, element, typed),
  };
}

describe("only the step that drifted is shown again", () => {
  /** The skill as it was shown, over the site as it is now. */
  async function drifted(site: MadeSite): Promise<School> {
    const made = await taughtBill();
    made.build(site);
    return made;
  }

  it("the steps before are carried out, those after stay byte-equal, and the diff is there before it is kept", async () => {
    const { on, showings, recorder } = await drifted(rebuilt());
    const before = on.stores.skills.revision(on.stores.skills.byName("download-bill")?.id ?? "", 1);
    const { id, aim } = await showings.startRepair("download-bill", { step: 2 });
    expect([recorder.calls(), aim]).toEqual([[`open ${portal}`], expect.objectContaining({ kind: "repair", step: 2, replayed: 1 })]);
    await showings.perform(
      id,
      [
        ["click", "link", "Payments"],
        ["click", "button", "Show bills"],
      ],
      signal,
    );
    const draft = await showings.finish(id);
    expect(draft.content.steps.map((step) => step.do)).toEqual([
      `Open ${portal}`,
      'Click the link "Payments"',
      'Click the button "Show bills"',
      'Click the button "Download {{month|MMMM YYYY}} bill"',
    ]);
    expect([draft.content.steps[0], draft.content.steps[3]]).toEqual([before?.steps[0], before?.steps[2]]);
    expect(draft.revises).toMatchObject({ skill: "download-bill", revision: 1, diff: expect.stringContaining('-2. Click the link "Bills"') as string });
    const { revision } = await showings.confirm(id, "Ana");
    expect([revision.number, revision.author, JSON.stringify(revision.steps[3])]).toEqual([2, "human:Ana", JSON.stringify(before?.steps[2])]);
  });

  it("a page that only looks otherwise costs its step the check alone, whatever words a person gave it", async () => {
    const made = school(billsSite());
    const taught = await made.show(billGoal("December"), toBill("December"));
    await made.showings.edit(taught, [{ edit: "say-step", step: 2, do: "Go to the bills" }]);
    await made.showings.confirm(taught, "Kim");
    made.build(billsSite({ billsHeading: "Your bills and letters" }));
    const { on, showings } = made;
    const before = on.stores.skills.revision(on.stores.skills.byName("download-bill")?.id ?? "", 1);
    const { id } = await showings.startRepair("download-bill", { step: 2, goal: billGoal("May") });
    await showings.perform(id, [["click", "link", "Bills"]], signal);
    const { content } = await showings.finish(id);
    expect(content.steps).toEqual([
      before?.steps[0],
      { ...before?.steps[1], check: { page: { heading: "Your bills and letters", url: "/bills/*" } } },
      before?.steps[2],
    ]);
  });

  it("what was shown to its end takes the place of all that came after", async () => {
    const { showings } = await drifted(rebuilt());
    const { id } = await showings.startRepair("download-bill", { step: 2, goal: billGoal("May") });
    await showings.perform(
      id,
      [
        ["click", "link", "Payments"],
        ["click", "button", "Show bills"],
        ["click", "link", "Older"],
        ["click", "button", "Download May 2026 bill"],
      ],
      signal,
    );
    const draft = await showings.finish(id, { asBefore: false });
    expect(draft.content.steps.map((step) => step.do)).toEqual([
      `Open ${portal}`,
      'Click the link "Payments"',
      'Click the button "Show bills"',
      "Press Older until the next target is there",
      'Click the button "Download {{month|MMMM YYYY}} bill"',
    ]);
    expect(draft.content.inputs.required).toEqual(["month"]);
    expect(draft.content.bindings.at(-1)).toEqual({ goal: billGoal("May"), inputs: { month: "2026-05" } });
  });

  it("where it ends before what came after, that is no more", async () => {
    const { showings } = await drifted(rebuilt());
    const { id } = await showings.startRepair("download-bill", { step: 2 });
    await showings.perform(
      id,
      [
        ["click", "link", "Payments"],
        ["click", "button", "Show bills"],
      ],
      signal,
    );
    const before = await showings.finish(id);
    const draft = await showings.finish(id, { asBefore: false });
    expect([before.content.steps.length, draft.content.steps.map((step) => step.do)]).toEqual([
      4,
      [`Open ${portal}`, 'Click the link "Payments"', 'Click the button "Show bills"'],
    ]);
    expect(draft.notes).toContain('No more: Click the button "Download {{month|MMMM YYYY}} bill".');
  });

  it("the step is the one its last run failed at, and where none says so it is asked for", async () => {
    const { on, showings } = await drifted(rebuilt());
    await expect(showings.startRepair("download-bill", {})).rejects.toThrow('No run of "download-bill" says at which step it failed');
    const skill = on.stores.skills.byName("download-bill");
    on.stores.skills.addRun({
      id: "run",
      skillId: skill?.id ?? "",
      revision: 1,
      episodeId: "gone",
      turnId: "gone",
      mode: "strict",
      inputs: {},
      outcome: "failure",
      finding: "Step 3: expected a file, saw no file",
      startedAt: 1,
      endedAt: 2,
    });
    // The way there is another one now: it is shown from the step that is not there any more.
    const { id, aim } = await showings.startRepair("download-bill", {});
    expect(aim).toMatchObject({ kind: "repair", step: 2 });
    await showings.drop(id);
    await expect(showings.startRepair("download-bill", { step: 4 })).rejects.toThrow("there is no step 4");
  });

  it("the goal needs the values that the steps before take", async () => {
    const { showings } = await drifted(rebuilt());
    await expect(showings.startRepair("download-bill", { step: 2, goal: "Download my bill" })).rejects.toThrow("missing: month");
  });

  it("a skill that was changed meanwhile is not overwritten", async () => {
    const { on, showings } = await drifted(rebuilt());
    const { id } = await showings.startRepair("download-bill", { step: 2 });
    await showings.perform(
      id,
      [
        ["click", "link", "Payments"],
        ["click", "button", "Show bills"],
      ],
      signal,
    );
    await showings.finish(id);
    const other = await showings.start(billGoal("December"), portal);
    await showings.perform(
      other.id,
      [
        ["click", "link", "Payments"],
        ["click", "button", "Show bills"],
        ["click", "button", "Download December 2026 bill"],
      ],
      signal,
    );
    await showings.confirm(other.id, "Kim", undefined, "download-bill");
    await expect(showings.confirm(id, "Ana")).rejects.toThrow("this was made for revision 1, and revision 2 is in use");
    expect(on.stores.skills.byName("download-bill")?.activeRevision).toBe(2);
  });

  it("one that is off is in use again once it is mended", async () => {
    const { on, showings } = await drifted(rebuilt());
    setStatus(on.skillWorld, "download-bill", "disabled", "human:Kim", "the site was built anew");
    const { id } = await showings.startRepair("download-bill", { step: 2 });
    await showings.perform(
      id,
      [
        ["click", "link", "Payments"],
        ["click", "button", "Show bills"],
      ],
      signal,
    );
    await showings.finish(id);
    expect((await showings.confirm(id, "Ana")).skill.status).toBe("active");
  });
});

describe("several showings of one routine are aligned", () => {
  const permit = (plate: string, day: string, zone: string): Script => [
    ["click", "link", "Visitor permit"],
    ["fill", "Registration", plate],
    ["fill", "Day", day],
    ["select", "Zone", zone],
    ["click", "button", "Request permit"],
  ];

  it("a constant that the second goal names is an input, with what the first took as its default", async () => {
    const { show, showings } = school(permitSite());
    const first = await show(`Request a visitor permit for KX27 ABC on 14 February 2027 from ${council}`, permit("KX27 ABC", "2027-02-14", "Old Town"));
    const { skill } = await showings.confirm(first, "Kim");
    const goal = `Request a visitor permit for AB12 CDE on 3 March 2027 in the North from ${council}`;
    const second = await show(goal, permit("AB12 CDE", "2027-03-03", "North"));
    const draft = await showings.finish(second, { together: skill.name });
    expect(draft.content.steps[4]?.call?.args["option"]).toBe("{{zone}}");
    expect(draft.content.inputs.properties["zone"]?.default).toBe("Old Town");
    expect(draft.content.inputs.required).toEqual(["registration", "day"]);
    expect(draft.content.phrasings).toContain(goal);
    expect(draft.content.bindings.map(({ inputs }) => [inputs["registration"], inputs["zone"]])).toEqual([
      ["KX27 ABC", undefined],
      ["AB12 CDE", "North"],
    ]);
    const { revision } = await showings.confirm(second, "Kim");
    expect([revision.number, revision.goal]).toEqual([2, expect.stringContaining("KX27 ABC")]);
  });

  it("good runs of the agent's own take part, and so does a pager that only one of them needed", async () => {
    const { on, show, showings } = await taughtBill();
    await on.turn(billGoal("March"), [], { skill: "download-bill", mode: "strict" });
    const id = await show(billGoal("November"), toBill("November"));
    const draft = await showings.finish(id, { together: "download-bill" });
    expect(draft.content.steps.map((step) => step.do)).toContain("Press Older until the next target is there");
    expect(draft.content.bindings.map(({ inputs }) => inputs["month"])).toEqual(["2026-12", "2026-03", "2026-11"]);
  });

  it("what has no common procedure is told with what differs, and the revision in use stays", async () => {
    const { on, show, showings } = school(loansSite());
    const renew = await show("Renew Night Ferries at https://library.example/", [
      ["click", "link", "Your loans"],
      ["click", "button", "Renew", "Night Ferries"],
    ]);
    const { skill } = await showings.confirm(renew, "Kim");
    const hours = await show("Open the opening hours at https://library.example/", [["click", "link", "Opening hours"]]);
    await expect(showings.finish(hours, { together: skill.name })).rejects.toMatchObject({
      code: "showing.no-common-procedure",
      message: expect.stringMatching(/^NO_COMMON_PROCEDURE: “Open the opening hours .* Only the first: Click the link .*Only the second: .*Renew/u) as string,
    });
    expect([on.stores.skills.byName(skill.name)?.activeRevision, on.stores.learning.showing(hours)]).toMatchObject([
      1,
      { status: "draft", aim: { kind: "new" } },
    ]);
    expect((await showings.confirm(hours, "Kim", "opening-hours")).skill.name).toBe("opening-hours");
  });

  it("where nothing new is done the goal is kept as a further way to ask", async () => {
    const { on, show, showings } = await taughtBill();
    const goal = `Get me the November 2026 bill at ${portal}`;
    const id = await show(goal, toBill("November"));
    await showings.finish(id, { together: "download-bill" });
    const { skill } = await showings.confirm(id, "Kim");
    expect(skill.activeRevision).toBe(1);
    expect(on.stores.skills.phrasings(skill.id).map(({ text }) => text)).toContain(goal);
    expect(on.stores.learning.showing(id)).toMatchObject({ status: "confirmed", skillId: skill.id });
  });

  it("and its history says what was looked at and that nothing changed, with both showings as evidence", async () => {
    const { on, show, showings } = await taughtBill();
    const goal = `Get me the November 2026 bill at ${portal}`;
    const id = await show(goal, toBill("November"));
    await showings.finish(id, { together: "download-bill" });
    const detail = await showings.confirm(id, "Kim");
    expect(detail.ledger.at(-1)).toMatchObject({ action: "look-at", actor: "human:Kim", before: null, after: null });
    expect(detail.ledger.at(-1)?.reason).toMatch(/Get me the November 2026 bill.*Nothing changed.*Made of this showing and 1 other/u);
    expect(detail.evidence.map(({ goal: said, fate, isShown }) => [said, fate, isShown])).toEqual([
      [billGoal("December"), "kept", true],
      [goal, "kept", true],
    ]);
    expect(on.stores.skills.revision(detail.skill.id, 1)?.evidence).toEqual([]);
  });

  it("a look at a left draft, from a file or aligned, changes nothing of it before it is confirmed", async () => {
    const { on, show, showings } = await taughtBill();
    const id = await show(billGoal("November"), toBill("November"));
    await showings.finish(id);
    await showings.edit(id, [{ edit: "say-step", step: 2, do: "Go to the bills" }]);
    const { text } = await showings.file(id);
    const before = on.stores.learning.showing(id);
    const seen = await showings.preview(id, { file: text.replace("2. Go to the bills", "2. Look at the bills") });
    expect(seen.content.steps[1]?.do).toBe("Look at the bills");
    expect((await showings.preview(id, { together: "download-bill" })).revises?.skill).toBe("download-bill");
    expect(on.stores.learning.showing(id)).toEqual(before);
    await expect(showings.preview(id, { file: "no skill at all" })).rejects.toMatchObject({ code: "bad-input" });
    expect(on.stores.learning.showing(id)).toEqual(before);
  });

  it("what goes wrong half-way is kept as far as it went, and can be kept or dropped; nothing shown is nothing kept", async () => {
    const { on, showings, show } = school(billsSite());
    const { id } = await showings.start(billGoal("December"), portal);
    await expect(
      showings.perform(
        id,
        [
          ["click", "link", "Bills"],
          ["click", "link", "Nowhere"],
        ],
        signal,
      ),
    ).rejects.toThrow("Nowhere");
    expect(await showings.leave(id)).toMatchObject({ id, status: "broken" });
    expect((await showings.finish(id)).content.steps.map((step) => step.do)).toEqual([`Open ${portal}`, 'Click the link "Bills"']);
    await showings.drop(id);
    const empty = await showings.start(billGoal("December"), portal);
    expect(await showings.leave(empty.id)).toMatchObject({ status: "dropped", actions: [] });
    expect(on.stores.learning.showing(await show(billGoal("May"), toBill("December")))?.status).toBe("recording");
  });

  it("a showing whose goal is like that of a shown skill says so", async () => {
    const { show, showings } = await taughtBill();
    const id = await show(billGoal("November"), toBill("November"));
    expect((await showings.finish(id)).alike).toEqual({ skill: "download-bill", goal: billGoal("December") });
    const aligned = await showings.finish(id, { together: "download-bill" });
    expect([aligned.alike, aligned.revises?.skill]).toEqual([null, "download-bill"]);
    expect((await showings.finish(id, { together: null })).revises).toBeNull();
  });

  it("a repair is no showing of the whole, and only a repair goes on as before", async () => {
    const { show, showings } = await taughtBill();
    const id = await show(billGoal("November"), toBill("November"));
    await expect(showings.finish(id, { asBefore: false })).rejects.toThrow("Only a repair goes on as before");
    const repair = await showings.startRepair("download-bill", { step: 2 });
    await expect(showings.finish(repair.id, { together: "download-bill" })).rejects.toThrow("no showing of the whole task");
  });
});
