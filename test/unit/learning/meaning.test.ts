import { describe, expect, it } from "vitest";
import { reviseSkill } from "#app/skills.ts";
import type { PassReport } from "#contract/learning/schema.ts";
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

describe("a skill that was edited", () => {
  it("IND-12: is not learned again, whatever step was changed", async () => {
    const on = stage(billsSite());
    for (const month of ["March", "April", "May"]) await billRun(on, month);
    on.model.say(wording);
    await on.learn();
    const [skill] = on.stores.skills.list();
    const learned = skill && on.stores.skills.revision(skill.id, 1);
    if (!skill || !learned) throw new Error("nothing was learned");
    const steps = learned.steps.map((step, index) =>
      index === learned.steps.length - 1
        ? { ...step, do: "Press Print", call: { tool: "browser_click", args: { target: { role: "button", name: "Print {{month|MMMM YYYY}}" } } } }
        : step,
    );
    await reviseSkill(
      on.skillWorld,
      skill,
      { content: { ...onlyContent(learned), steps }, author: "human:Kim", evidence: [], reason: "edited" },
      new AbortController().signal,
    );
    on.model.say(wording);
    expect((await on.learn()).entries.map(({ decision, reason }) => `${decision}: ${reason}`)).toEqual([
      'unchanged: "download-bill" by human:Kim means the same',
    ]);
    expect(on.stores.skills.list({ all: true }).map(({ name, activeRevision }) => `${name} ${activeRevision}`)).toEqual(["download-bill 2"]);
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
