import { describe, expect, it } from "vitest";
import { actOnAlert } from "#app/alerts.ts";
import { learn } from "#app/learn.ts";
import { acceptProposal } from "#app/proposals.ts";
import { holdChange } from "#app/review.ts";
import { detailOf, setStatus, skillNamed, undoChange } from "#app/skills.ts";
import type { PassReport } from "#contract/learning/schema.ts";
import { settingsSchema } from "#contract/settings/schema.ts";
import { onlyContent } from "#core/skills/index.ts";
import { billGoal, billRun, billWay, portal, wording } from "../../fixtures/makers/bill-runs.ts";
import { billsSite, type MadeSite } from "../../fixtures/makers/made-site.ts";
import { opens, presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const by = "human:Kim";
const name = "download-bill";
const reasons = (report: PassReport): string[] => report.entries.map((entry) => `${entry.decision}: ${entry.reason}`);
const skills = (on: Stage): string[] => on.stores.skills.list({ all: true }).map((skill) => `${skill.name} ${skill.status} ${skill.activeRevision}`);

interface Changing {
  readonly on: Stage;
  /** The site is built anew: its link "Bills" is called "Invoices", or its page of bills is headed otherwise. */
  change(what: "link" | "heading"): void;
}

function changing(): Changing {
  let now: MadeSite = billsSite();
  const renamed = (site: MadeSite): MadeSite => ({
    ...site,
    view(path, typed) {
      const seen = site.view(path, typed);
      const other = (text: string): string => text.replace("Bills", "Invoices");
      const elements = seen.elements.map((element) => (element.name === "Bills" ? { ...element, name: "Invoices", label: other(element.label) } : element));
      return { ...seen, elements, text: other(seen.text), lines: seen.lines.map(other) };
    },
    press: (path, element, typed) => (element.name === "Invoices" ? { to: "/bills/1" } : site.press(path, element, typed)),
  });
  const on = stage({
    origin: now.origin,
    view: (path, typed) => now.view(path, typed),
    press: (path, element, typed) => now.press(path, element, typed),
  });
  return {
    on,
    change(what) {
      now = what === "link" ? renamed(billsSite()) : billsSite({ billsHeading: "Your bills and letters" });
    },
  };
}

/** A routine learned from three runs, and switched off by two strict runs of it on the changed site. */
async function drifted(what: "link" | "heading"): Promise<Stage> {
  const { on, change } = changing();
  for (const month of ["December", "November", "October"]) await billRun(on, month);
  on.model.say(wording);
  await on.learn();
  change(what);
  for (const month of ["September", "September"]) await on.turn(billGoal(month), [], { skill: name, mode: "strict" });
  expect(skillNamed(on.skillWorld, name).status).toBe("disabled");
  return on;
}

const freeWay = (month: string) => [
  opens(portal),
  presses("link Invoices"),
  presses(`button Download ${month} 2026 bill`),
  says(`The ${month} bill is there.`),
];
async function freeRuns(on: Stage, what: "link" | "heading", months: readonly string[]): Promise<void> {
  for (const month of months) await on.episode(billGoal(month), what === "link" ? freeWay(month) : billWay(month), "success");
}
async function pass(on: Stage): Promise<PassReport> {
  on.model.say(wording);
  return on.learn();
}
async function answer(on: Stage, action: "learn-again" | "keep-off"): Promise<void> {
  await actOnAlert(on.skillWorld, on.stores.alerts.list()[0]?.id ?? "", action, by);
}

describe("a skill that stopped working", () => {
  it.each(["link", "heading"] as const)("is learned again when asked, from runs since then, as its next revision: the %s changed", async (what) => {
    const on = await drifted(what);
    await answer(on, "learn-again");
    await freeRuns(on, what, ["December", "November", "October"]);
    const report = await pass(on);
    expect(reasons(report)).toContain('updated: revision 2 of "download-bill", which is in use again');
    expect(skills(on)).toEqual(["download-bill active 2"]);
    const { revision, revisions, ledger, skill, evidence } = detailOf(on.skillWorld, name);
    expect(new Set(revisions.map(({ contentHash }) => contentHash)).size).toBe(2);
    expect([revision.author, skill.trust.runs, evidence.length]).toEqual(["agent:synthesis", 0, 3]);
    expect(ledger.slice(-3).map(({ action, actor }) => [action, actor])).toEqual([
      ["learn-again", by],
      ["modify", "knack"],
      ["enable", "knack"],
    ]);
    const again = await on.turn(billGoal("December"), [], { skill: name, mode: "strict" });
    expect(again.episode.outcome).toBe("success");
  });

  it("waits for a look where the user looks at what was learned before it is used, and is not learned a third time meanwhile", async () => {
    const on = await drifted("link");
    await answer(on, "learn-again");
    const settings = settingsSchema.parse({ memory: false, reviewBeforeActive: true });
    const careful = { ...on.skillWorld, settings: () => settings, model: async () => on.model, log: on.world.log };
    await freeRuns(on, "link", ["December", "November", "October"]);
    on.model.say(wording);
    const { signal } = new AbortController();
    expect(reasons(await learn(careful, true, signal))).toContain('updated: revision 2 of "download-bill", which waits for your review');
    expect([skills(on), on.stores.alerts.list().map(({ title }) => title)]).toEqual([["download-bill disabled 2"], ['"download-bill" waits for your review']]);
    on.model.say(wording);
    await learn(careful, true, signal);
    expect(skills(on)).toEqual(["download-bill disabled 2"]);
    setStatus(on.skillWorld, name, "active", by, "looked at");
    expect([skills(on), on.stores.alerts.list()]).toEqual([["download-bill active 2"], []]);
  });

  it("that was held as a proposal because it reaches further is in use again once that is accepted", async () => {
    const on = await drifted("link");
    await answer(on, "learn-again");
    const skill = skillNamed(on.skillWorld, name);
    const active = on.stores.skills.revision(skill.id, 1);
    if (!active) throw new Error("nothing was learned");
    const settings = settingsSchema.parse({ memory: false, reviewExpansion: true });
    const content = {
      ...onlyContent(active),
      capabilities: { ...active.capabilities, destinations: [...active.capabilities.destinations, "https://other.example"] },
    };
    const careful = { ...on.skillWorld, settings: () => settings };
    holdChange(careful, skill, active, { content, author: "agent:synthesis", evidence: [], reason: "learned again" });
    await acceptProposal(careful, on.stores.proposals.list()[0]?.id ?? "", by);
    expect(skills(on)).toEqual(["download-bill active 2"]);
    setStatus(on.skillWorld, name, "disabled", by, "not now");
    const wider = { ...content, edgeCases: ["None yet"], capabilities: { ...content.capabilities, vault: ["portal"] } };
    const now = on.stores.skills.revision(skill.id, 2);
    holdChange(careful, skillNamed(on.skillWorld, name), now, { content: wider, author: "agent:synthesis", evidence: [], reason: "learned again" });
    await acceptProposal(careful, on.stores.proposals.list()[0]?.id ?? "", by);
    expect(skills(on)).toEqual(["download-bill disabled 3"]);
  });

  it("is left off by a pass when nobody asked, or when it is to be kept off", async () => {
    for (const action of [null, "keep-off"] as const) {
      const on = await drifted("heading");
      if (action) await answer(on, action);
      await freeRuns(on, "heading", ["December", "November", "October"]);
      await pass(on);
      expect(skills(on)).toEqual(["download-bill disabled 1"]);
    }
  });

  it("TRU-10: is not learned again from what it did before, nor from fewer than three new runs", async () => {
    const on = await drifted("link");
    await answer(on, "learn-again");
    expect(reasons(await on.learn()).filter((reason) => reason.includes("older than the day"))).toHaveLength(3);
    await freeRuns(on, "link", ["December", "November"]);
    expect(reasons(await on.learn())).toContain("skipped: only 2 episodes");
    expect(skills(on)).toEqual(["download-bill disabled 1"]);
  });

  it("TRU-10: is refused as unchanged where the new runs come to what it did before", async () => {
    const { on } = changing();
    for (const month of ["December", "November", "October"]) await billRun(on, month);
    on.model.say(wording);
    await on.learn();
    const [first] = on.stores.skills.list();
    if (!first) throw new Error("nothing was learned");
    setStatus(on.skillWorld, name, "disabled", by, "it did odd things");
    const entry = { id: "asked", skillId: first.id, action: "learn-again", actor: by, reason: "", before: "left as it is", after: "to be learned again" };
    on.stores.skills.note({ ...entry, at: on.world.clock() });
    await freeRuns(on, "heading", ["December", "November", "October"]);
    const report = await pass(on);
    expect(reasons(report).find((reason) => reason.startsWith("unchanged"))).toContain('It says the same as revision 1 of "download-bill"');
    expect(skills(on)).toEqual(["download-bill disabled 1"]);
  });

  it("is not brought back to the old way by a later pass, which reads the old runs too", async () => {
    const on = await drifted("link");
    await answer(on, "learn-again");
    await freeRuns(on, "link", ["December", "November", "October"]);
    await pass(on);
    const report = await pass(on);
    expect(reasons(report).filter((reason) => !reason.startsWith("skipped"))).toEqual(['unchanged: "download-bill" says the same already']);
    expect(skills(on)).toEqual(["download-bill active 2"]);
  });

  it("the wish to learn again can be taken back", async () => {
    const on = await drifted("heading");
    await answer(on, "learn-again");
    const asked = detailOf(on.skillWorld, name).ledger.at(-1)?.id ?? "";
    await undoChange(on.skillWorld, asked, by);
    await freeRuns(on, "heading", ["December", "November", "October"]);
    await pass(on);
    expect(skills(on)).toEqual(["download-bill disabled 1"]);
  });
});
