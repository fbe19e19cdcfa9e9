import { describe, expect, it } from "vitest";
import type { Revision } from "#contract/skills/schema.ts";
import { folderStage } from "../../fixtures/makers/folder-stage.ts";
import { uses } from "../../fixtures/makers/outspoken-model.ts";
import { type Stage, says } from "../../fixtures/makers/stage.ts";

const months = { January: "01", February: "02", March: "03", April: "04", May: "05" };
const inbox = Object.fromEntries(Object.values(months).map((month) => [`inbox/invoice-2026-${month}.pdf`, `invoice of ${month}`]));

const filing = (month: keyof typeof months, folder: string): string[] => {
  const name = `invoice-2026-${months[month]}.pdf`;
  return [
    uses("workspace_list", { path: "inbox" }),
    uses("workspace_move", { from: `inbox/${name}`, to: `${folder}/${name}` }),
    uses("workspace_expect", { path: `${folder}/${name}`, text: "" }),
    says(`Filed in ${folder}.`),
  ];
};
const filingGoal = (month: string, folder: string): string => `File the invoice of ${month} 2026 into ${folder}`;

async function learned(on: Stage, wording = "name: file-invoice\nwhen: Use this to file the invoice of a month into a folder\n"): Promise<Revision> {
  on.model.say(wording);
  const report = await on.learn();
  const [skill] = on.stores.skills.list();
  const revision = skill && on.stores.skills.revision(skill.id, skill.activeRevision);
  if (!revision) throw new Error(`nothing was learned: ${report.entries.map(({ reason }) => reason).join("; ")}`);
  return revision;
}

describe("a routine of a folder", () => {
  async function filed() {
    const on = folderStage(inbox);
    await on.run(filingGoal("January", "Taxes"), filing("January", "Taxes"));
    await on.run(filingGoal("February", "Flat"), filing("February", "Flat"));
    await on.run(filingGoal("March", "Taxes"), filing("March", "Taxes"));
    return { on, revision: await learned(on) };
  }

  it("IND-06: is learned from three runs, month and folder its inputs, the files its checks", async () => {
    const { revision } = await filed();
    console.log(JSON.stringify(revision, null, 1));
  });

  it("STR-04: runs strictly on another month and another folder, and one file is moved", async () => {
    const { on } = await filed();
    const before = on.files();
    const { episode, problem, message } = await on.turn(filingGoal("April", "Garage"), [], { skill: "file-invoice", mode: "strict", workspace: on.folder });
    expect([problem, episode.outcome, message?.text]).toEqual([null, "success", 'x']);
    expect(on.files()).toEqual(before);
  });
});
