import { describe, expect, it } from "vitest";
import { acceptProposal, declineProposal } from "#app/proposals.ts";
import { createSkill, reviseSkill, setStatus } from "#app/skills.ts";
import type { RevisionContent } from "#contract/skills/schema.ts";
import { clickStep, procedure } from "../../fixtures/makers/content.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const signal = AbortSignal.timeout(20_000);
const make = (on: Stage, author: string, content = procedure("Fetch the bill")) =>
  createSkill(on.skillWorld, { name: `bills-${author.replace(/\W/gu, "-")}`, content, author, evidence: [], reason: "learned" }, signal);

describe("review before a skill is used", () => {
  it.each(["agent:synthesis", "agent:inline", "agent:dreaming"])("a new skill by %s waits switched off, with an alert, and is not recalled", async (author) => {
    const on = stage(billsSite(), { settings: { reviewBeforeActive: true } });
    const skill = await make(on, author);
    expect(skill.status).toBe("disabled");
    expect(on.stores.alerts.list().map(({ kind, skillId, title }) => [kind, skillId, title])).toEqual([
      ["review", skill.id, `"${skill.name}" waits for your review`],
    ]);
    expect((await on.turn("Fetch the bill", [says("How?")])).turn.recall?.verdict).toBe("nothing-learned");
  });

  it("switching it on is the review: it is used from then on, and the alert is settled", async () => {
    const on = stage(billsSite(), { settings: { reviewBeforeActive: true } });
    const skill = await make(on, "agent:synthesis");
    setStatus(on.skillWorld, skill.name, "active", "human:Kim", "looked at");
    expect([on.stores.skills.get(skill.id)?.status, on.stores.alerts.list()]).toEqual(["active", []]);
  });

  it("one that is stored has its alert in the same breath: no process can end between them", async () => {
    const on = stage(billsSite(), { settings: { reviewBeforeActive: true } });
    let seen: readonly string[] = [];
    const world = {
      ...on.skillWorld,
      embedder: async () => {
        seen = on.stores.alerts.list().map(({ title }) => title);
        return on.embedder;
      },
    };
    await createSkill(world, { name: "bills", content: procedure("Fetch the bill"), author: "agent:synthesis", evidence: [], reason: "" }, signal);
    expect(seen).toEqual(['"bills" waits for your review']);
  });

  it.each([
    ["by a person", "human:Kim", true],
    ["of a pack", "authored:acme", true],
    ["by the agent where the policy is off", "agent:synthesis", false],
  ])("one %s does not wait", async (_what, author, reviewBeforeActive) => {
    const on = stage(billsSite(), { settings: { reviewBeforeActive } });
    expect([(await make(on, author)).status, on.stores.alerts.list()]).toEqual(["provisional", []]);
  });
});

describe("a change by the agent that reaches further", () => {
  const wider: RevisionContent["capabilities"] = { primitives: ["browser"], vault: [], destinations: ["https://portal.example", "https://other.example"] };
  const steps = [clickStep("Bills"), clickStep("Older")];
  const change = (content: RevisionContent, author = "agent:inline") => ({ content, author, evidence: ["episode-1"], reason: "found a way on" });
  const widened = async (content: RevisionContent, options: Parameters<typeof stage>[1] = {}, author?: string) => {
    const on = stage(billsSite(), { ...options, settings: { reviewExpansion: true, ...options.settings } });
    const skill = await on.addSkill("bills", procedure("Fetch the bill"), { author: "agent:synthesis" });
    const made = await reviseSkill(on.skillWorld, skill, change(content, author), signal).catch((error: unknown) => error);
    return { on, skill, made, active: () => on.stores.skills.get(skill.id)?.activeRevision };
  };

  it("waits as a proposal that names what is wider; nothing changes until it is accepted, and accepting grants nothing", async () => {
    const { on, skill, made, active } = await widened(procedure("Fetch the bill", { steps, capabilities: wider }));
    const [proposal] = on.stores.proposals.list();
    expect(made).toMatchObject({ code: "skill.waits", message: expect.stringContaining("destination https://other.example") as string });
    expect([active(), on.stores.skills.revisions(skill.id).length, proposal?.base, proposal?.reason]).toEqual([
      1,
      1,
      1,
      "found a way on; it reaches further: destination https://other.example",
    ]);
    expect(proposal?.diff).toContain("+2. Press Older");
    expect(on.stores.alerts.list().map(({ kind, proposalId }) => [kind, proposalId])).toEqual([["proposal", proposal?.id]]);
    const grants = on.stores.grants.list();
    await acceptProposal(on.skillWorld, proposal?.id ?? "", "human:Kim");
    expect([active(), on.stores.alerts.list(), on.stores.grants.list()]).toEqual([2, [], grants]);
    expect((await on.turn("Fetch the bill", [], { skill: "bills" })).message?.text).toContain(
      "needs destination https://other.example, which you have not granted",
    );
  });

  it("waits also where it declares only what is not granted any more", async () => {
    const on = stage(billsSite(), { settings: { reviewExpansion: true }, granted: [] });
    const skill = await on.addSkill("bills", procedure("Fetch the bill"), { author: "agent:synthesis" });
    await expect(reviseSkill(on.skillWorld, skill, change(procedure("Fetch the bill", { steps })), signal)).rejects.toMatchObject({ code: "skill.waits" });
  });

  it("is proposed once, and not again after it was declined", async () => {
    const content = procedure("Fetch the bill", { steps, capabilities: wider });
    const { on, skill } = await widened(content);
    const again = () => reviseSkill(on.skillWorld, skill, change(content), signal).catch((error: { message: string }) => error.message);
    await again();
    expect(on.stores.proposals.list()).toHaveLength(1);
    declineProposal(on.skillWorld, on.stores.proposals.list()[0]?.id ?? "");
    expect(await again()).toContain("was declined");
    expect(on.stores.proposals.list({ all: true })).toHaveLength(1);
  });

  it("comes from who made it: the revision that is accepted is theirs, and the ledger names who accepted it", async () => {
    const { on, skill } = await widened(procedure("Fetch the bill", { steps, capabilities: wider }), {}, "agent:synthesis");
    await acceptProposal(on.skillWorld, on.stores.proposals.list()[0]?.id ?? "", "human:Kim");
    expect([on.stores.skills.revision(skill.id, 2)?.author, on.stores.skills.ledger(skill.id).at(-1)?.actor]).toEqual(["agent:synthesis", "human:Kim"]);
  });

  it("is proposed anew for the revision in use where the one it was for is not in use any more", async () => {
    const content = procedure("Fetch the bill", { steps, capabilities: wider });
    const { on, skill } = await widened(content);
    const [outdated] = on.stores.proposals.list();
    const mine = { content: procedure("Fetch my bill"), author: "human:Kim", evidence: [], reason: "" };
    await reviseSkill(on.skillWorld, skill, mine, signal);
    await expect(acceptProposal(on.skillWorld, outdated?.id ?? "", "human:Kim")).rejects.toMatchObject({ code: "proposal.outdated" });
    const now = on.stores.skills.get(skill.id) ?? skill;
    await expect(reviseSkill(on.skillWorld, now, change(content), signal)).rejects.toMatchObject({ code: "skill.waits" });
    const [fresh] = on.stores.proposals.list();
    expect([fresh?.base, fresh?.id === outdated?.id]).toEqual([2, false]);
    await acceptProposal(on.skillWorld, fresh?.id ?? "", "human:Kim");
    expect(on.stores.skills.get(skill.id)?.activeRevision).toBe(3);
  });

  it("a tool it did not name before is further reach too", async () => {
    const { made } = await widened(procedure("Fetch the bill", { steps, toolsRequired: ["browser_click", "publish_announcement"] }));
    expect(made).toMatchObject({ message: expect.stringContaining("tool publish_announcement") as string });
  });

  it.each([
    ["within its reach", procedure("Fetch the bill", { steps }), {}, "agent:inline"],
    ["by a person", procedure("Fetch the bill", { steps, capabilities: wider }), {}, "human:Kim"],
    ["where the policy is off", procedure("Fetch the bill", { steps, capabilities: wider }), { settings: { reviewExpansion: false } }, "agent:inline"],
  ] as const)("one %s becomes active at once", async (_what, content, options, author) => {
    const { on, active } = await widened(content, options, author);
    expect([active(), on.stores.proposals.list()]).toEqual([2, []]);
  });
});
