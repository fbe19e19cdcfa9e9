import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SiteModule } from "#adapters/sites/index.ts";
import { lacks, openStage, type Stage, siteNamed, teach, turnOf } from "./stage.ts";

const { site, goal } = await siteNamed("portal");

/** The portal, whose page "Billing" is called otherwise once it has been rebuilt. */
function rebuilt(): { readonly site: SiteModule; isRebuilt: boolean; hits: number } {
  const made = { isRebuilt: false, hits: 0, site };
  return Object.assign(made, {
    site: {
      ...site,
      start() {
        const inner = site.start();
        return {
          log: inner.log,
          async fetch(request: Request) {
            made.hits++;
            const response = await inner.fetch(request);
            if (!made.isRebuilt || !(response.headers.get("content-type") ?? "").includes("html")) return response;
            const page = (await response.text()).replaceAll(/(<h1[^>]*>)Billing(<\/h1>)/gu, "$1Bills and payments$2");
            return new Response(page, { status: response.status, headers: response.headers });
          },
        };
      },
    },
  });
}

describe.skipIf(lacks("chat", "embedder", "browser") !== null)("a site that has changed since its routine was shown", () => {
  const portal = rebuilt();
  let stage: Stage;
  let skill: string;
  let halted: string;

  beforeAll(async () => {
    stage = await openStage([portal.site]);
    skill = await teach(stage.agent, goal("invoice-april"));
  });
  afterAll(() => stage?.close());

  it("STR-04: strict loads no model at all", async () => {
    const { end } = await turnOf(stage.agent, { text: goal("invoice-may").text, mode: "strict" });
    expect([end.episode.outcome, (await stage.agent.status()).model.state]).toEqual(["success", "idle"]);
  });

  it("STR-02: halts at the step whose heading is another, and says what was expected, seen and to be done", async () => {
    portal.isRebuilt = true;
    const { end, steps } = await turnOf(stage.agent, { text: goal("invoice-march").text, mode: "strict" });
    halted = end.turn.conversationId;
    expect([end.turn.status, end.mayResume, steps.length]).toEqual(["failed", true, 3]);
    expect(end.message?.text).toBe(
      "Step 3 did not do what it should: expected heading 'Billing', saw 'Bills and payments'. Stop and say what was expected and what was seen.",
    );
    expect((await stage.agent.status()).model.state).toBe("idle");
  });

  it("STR-06: the model goes on from there, and the heading it met is proposed, not taken", async () => {
    const { end, steps, downloads } = await turnOf(stage.agent, { text: "Go on with the model", conversationId: halted, resume: true });
    expect([end.episode.outcome, steps.length, downloads]).toEqual(["success", 2, ["invoice-march-2026.pdf"]]);
    const [proposal] = stage.agent.proposals(false);
    expect(proposal?.diff.split("\n").filter((line) => /^[-+](?![-+])/u.test(line))).toEqual([
      expect.stringMatching(/^- .*heading 'Billing'/u),
      expect.stringMatching(/^\+ .*heading 'Bills and payments'/u),
    ]);
    expect(stage.agent.skill(skill).skill.activeRevision).toBe(1);
  }, 180_000);

  it("TRU-06: failing twice at it switches the skill off, with an alert that names step, expected and seen", async () => {
    await turnOf(stage.agent, { text: goal("invoice-may").text, skill, mode: "strict" });
    await turnOf(stage.agent, { text: goal("invoice-may").text, skill, mode: "strict" }).catch(() => undefined);
    expect(stage.agent.skill(skill).skill.status).toBe("disabled");
    expect(stage.agent.alerts(false).map(({ kind, detail }) => (kind === "drift" ? detail : kind))).toContain(
      "Step 3 failed twice: expected heading 'Billing', saw 'Bills and payments'",
    );
  });

  it("what was proposed, once accepted and switched on, runs without the model; going back to revision 1 is one call", async () => {
    const [proposal] = stage.agent.proposals(false);
    await stage.agent.acceptProposal(proposal?.id ?? "", "human:test");
    stage.agent.setSkillStatus(skill, "active", "human:test", "mended");
    const { end, downloads } = await turnOf(stage.agent, { text: goal("invoice-january").text, skill, mode: "strict" });
    expect([end.episode.outcome, downloads]).toEqual(["success", ["invoice-january-2026.pdf"]]);
    const { skill: back, revisions } = await stage.agent.revertSkill(skill, 1, "human:test");
    expect([back.activeRevision, revisions.length]).toEqual([1, 2]);
  });

  it("TRU-08: after the grant is revoked the revision is there and its use is refused, with the grant named; the site is not reached", async () => {
    for (const grant of stage.agent.grants()) if (grant.kind === "destination") stage.agent.revokeGrant(grant.id);
    const before = portal.hits;
    const { end } = await turnOf(stage.agent, { text: goal("invoice-may").text, skill, mode: "strict" });
    expect([end.turn.status, end.message?.text, portal.hits - before]).toEqual([
      "failed",
      expect.stringContaining(`needs destination https://${site.host}, which you have not granted`),
      0,
    ]);
    expect(stage.agent.alerts(false).map(({ kind }) => kind)).toContain("refused");
  });
});
