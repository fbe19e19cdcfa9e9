import { describe, expect, it } from "vitest";
import { reviseSkill } from "#app/skills.ts";
import type { PassReport } from "#contract/learning/schema.ts";
import type { RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { onlyContent } from "#core/skills/index.ts";
import { billRun, wording } from "../../fixtures/makers/bill-runs.ts";
import { billsSite, type MadeSite } from "../../fixtures/makers/made-site.ts";
import { button, field, link, page } from "../../fixtures/makers/page.ts";
import { fills, opens, presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const home = "https://account.example/";
/** One account whose forms lie next to each other and are all saved by the same button. */
const account: MadeSite = {
  origin: "https://account.example",
  view: (path, typed) =>
    path.startsWith("/edit")
      ? page("Edit", [field("Phone", { value: typed.get("Phone") ?? "" }), field("E-mail", { value: typed.get("E-mail") ?? "" }), button("Save")], {
          url: `https://account.example${path}`,
        })
      : page("Account", [link("Profile"), link("Contact"), link("Edit")], { url: `https://account.example${path}` }),
  press: (_path, { name }) => ({ to: name === "Edit" ? "/edit" : name === "Save" ? "/saved" : `/${name.toLowerCase()}` }),
};
const way = (label: string, value: string): string[] => [
  opens(home),
  presses("link Profile"),
  presses("link Contact"),
  presses("link Edit"),
  fills(`textbox ${label}`, value),
  presses("button Save"),
  says("Saved."),
];

async function phones(on: Stage): Promise<void> {
  for (const number of ["0171 2040", "0171 3050", "0171 9090"]) await on.episode(`Set my phone to ${number} at ${home}`, way("Phone", number), "success");
}
async function mails(on: Stage): Promise<void> {
  for (const name of ["ann", "ben", "cid"])
    await on.episode(`Set my e-mail to ${name}@mail.example at ${home}`, way("E-mail", `${name}@mail.example`), "success");
}
const phoneWording = "name: set-phone\nwhen: Use this to set the phone number\n";
const mailWording = "name: set-email\nwhen: Use this to set the mail address\n";
const told = (report: PassReport): string[] => report.entries.map(({ decision, skillName }) => `${decision} ${skillName ?? ""}`).sort();
const kept = (on: Stage): string[] =>
  on.stores.skills
    .list({ all: true })
    .map(
      (skill) =>
        `${skill.name} ${skill.activeRevision}: ${on.stores.skills.revision(skill.id, 1)?.steps.find((step) => step.call?.tool === "browser_fill")?.do ?? ""}`,
    )
    .sort();

describe("another meaning with the same last button", () => {
  const both = ['set-email 1: Fill the textbox "E-mail" with {{e-mail}}', 'set-phone 1: Fill the textbox "Phone" with {{phone}}'];
  it("IND-13: is a skill of its own", async () => {
    const on = stage(account);
    await phones(on);
    on.model.say(phoneWording);
    await on.learn();
    await mails(on);
    on.model.say((request) => (request.messages.at(-1)?.text.includes("phone") ? phoneWording : mailWording), mailWording);
    expect(told(await on.learn())).toContain("added set-email");
    expect(kept(on)).toEqual(both);
  });
  it("IND-13: also where both are learned in one pass", async () => {
    const on = stage(account);
    await phones(on);
    await mails(on);
    const byGoal = (request: { messages: readonly { text: string }[] }): string =>
      request.messages.at(-1)?.text.includes("phone") ? phoneWording : mailWording;
    on.model.say(byGoal, byGoal);
    expect(told(await on.learn())).toEqual(["added set-email", "added set-phone"]);
    expect(kept(on)).toEqual(both);
  });
});

describe("another meaning under the same name", () => {
  const sameName = (what: string): string => `name: set-contact\nwhen: Use this to set the ${what}\n`;

  it("IND-13: is a new skill with its own id and a name of its own; the first one keeps its bytes", async () => {
    const on = stage(account);
    await phones(on);
    on.model.say(sameName("phone number"));
    await on.learn();
    const [first] = on.stores.skills.list();
    const bytes = () =>
      JSON.stringify([on.stores.skills.get(first?.id ?? ""), on.stores.skills.revisions(first?.id ?? ""), on.stores.skills.ledger(first?.id ?? "")]);
    const before = bytes();
    await mails(on);
    on.model.say(sameName("mail address"));
    expect(told(await on.learn())).toEqual(["added set-contact-2"]);
    const all = on.stores.skills.list({ all: true });
    expect([all.map(({ name }) => name), new Set(all.map(({ id }) => id)).size, bytes()]).toEqual([["set-contact", "set-contact-2"], 2, before]);
    expect(kept(on)).toEqual(['set-contact 1: Fill the textbox "Phone" with {{phone}}', 'set-contact-2 1: Fill the textbox "E-mail" with {{e-mail}}']);
    expect((await on.learn()).entries).toEqual([]);
  });
});

describe("a skill that was edited", () => {
  type Edit = (learned: RevisionContent) => Partial<RevisionContent>;
  const lastStep =
    (change: (step: SkillStep) => SkillStep): Edit =>
    ({ steps }) => ({ steps: steps.map((step, at) => (at === steps.length - 1 ? change(step) : step)) });
  const prints = { tool: "browser_click", args: { target: { role: "button", name: "Print {{month|MMMM YYYY}}" } } };

  it.each<[string, Edit]>([
    ["the call of its last step", lastStep((step) => ({ ...step, do: "Press Print", call: prints }))],
    ["its last step away", ({ steps }) => ({ steps: steps.slice(0, -1) })],
    ["its last step to one that needs judgement", lastStep(({ onFail }) => ({ do: "Fetch the bill", onFail }))],
    ["its order", ({ steps }) => ({ steps: steps.toReversed() })],
    ["all of its steps", () => ({ steps: [{ do: "Ask Kim", onFail: "Stop." }] })],
    ["its words alone", () => ({ goal: "Get what I owe", whenToUse: "Use this whenever", summary: "Mine", phrasings: [], bindings: [] })],
    ["where it may go", ({ capabilities }) => ({ capabilities: { ...capabilities, destinations: ["https://other.example"] } })],
  ])("IND-12: is not learned again, though the person changed %s", async (_what, edit) => {
    const on = stage(billsSite());
    for (const month of ["March", "April", "May"]) await billRun(on, month);
    on.model.say(wording);
    await on.learn();
    const [skill] = on.stores.skills.list();
    const learned = skill && on.stores.skills.revision(skill.id, 1);
    if (!skill || !learned) throw new Error("nothing was learned");
    const content = { ...onlyContent(learned), ...edit(learned) };
    await reviseSkill(on.skillWorld, skill, { content, author: "human:Kim", evidence: [], reason: "edited" }, new AbortController().signal);
    const bytes = () => JSON.stringify([on.stores.skills.list({ all: true }), on.stores.skills.revisions(skill.id)]);
    const before = bytes();
    const said = ['unchanged: "download-bill" by human:Kim means the same'];
    const reasons = (report: PassReport): string[] => report.entries.map(({ decision, reason }) => `${decision}: ${reason}`);
    expect(reasons(await on.learn())).toEqual(said);
    for (const month of ["December", "November", "October"]) await billRun(on, month);
    expect(reasons(await on.learn())).toEqual(said);
    expect([bytes(), on.stores.learning.reports(9).map(({ note }) => note)]).toEqual([before, ["", "", ""]]);
  });
});

describe("a model that never answers", () => {
  it.each([true, false])("IND-10: stops the pass, and it is logged so (it listens: %s)", async (listens) => {
    const on = stage(billsSite());
    for (const month of ["March", "April", "May"]) await billRun(on, month);
    const silent = {
      ...on.model,
      generate: (_request: unknown, signal: AbortSignal) =>
        new Promise<never>((_, reject) => {
          if (listens) signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    };
    const report = await on.learn({ model: silent, distilWithin: 20 });
    expect(report.note).toContain("The pass stopped");
    expect(on.log.entries.map(({ event }) => event)).toEqual(["pass-stopped"]);
    expect(on.stores.skills.list({ all: true })).toEqual([]);
  });
});
