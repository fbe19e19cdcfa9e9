import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SiteModule } from "#adapters/sites/index.ts";
import { lacks, never, openStage, type Stage, siteNamed, teach, turnOf } from "./stage.ts";

const { site, goal } = await siteNamed("portal");

/** The portal, where "Statements" is called "Invoices and letters" once it has been rebuilt, on page and in link. */
const portal = { isRebuilt: false };
const rebuilt: SiteModule = {
  host: site.host,
  start() {
    const inner = site.start();
    return {
      log: inner.log,
      async fetch(request: Request) {
        const response = await inner.fetch(request);
        if (!portal.isRebuilt || !(response.headers.get("content-type") ?? "").includes("html")) return response;
        return new Response((await response.text()).replaceAll(">Statements<", ">Invoices and letters<"), {
          status: response.status,
          headers: response.headers,
        });
      },
    };
  },
};

describe.skipIf(lacks("browser") !== null)("only the step that stopped working is shown again, in a real browser", () => {
  let stage: Stage;
  let cacheFolder: string;

  beforeAll(async () => {
    cacheFolder = await mkdtemp(join(tmpdir(), "knack-no-models-"));
    stage = await openStage([rebuilt], { cacheFolder });
  }, 60_000);
  afterAll(async () => {
    await stage?.close();
    await rm(cacheFolder, { recursive: true, force: true });
  });

  it("the window is brought to the step that failed, the rest stays byte-equal, and the skill works again", async () => {
    const { agent } = stage;
    const skill = await teach(agent, goal("invoice-april"));
    const before = agent.skill(skill).revision;
    portal.isRebuilt = true;
    const { end } = await turnOf(agent, { text: goal("invoice-may").text, skill, mode: "strict" });
    expect([end.episode.outcome, agent.skill(skill).runs.at(-1)?.finding]).toEqual(["failure", expect.stringMatching(/^Step 4:/u)]);

    const showing = await agent.startRepair(skill, { goal: goal("invoice-may").text });
    expect(showing.aim).toMatchObject({ kind: "repair", step: 4, replayed: 3 });
    await agent.showing.perform(showing.id, [["click", "link", "Invoices and letters"]], never);
    const draft = await agent.finishShowing(showing.id);
    const changed = draft.content.steps.map((step, index) => JSON.stringify(step) !== JSON.stringify(before.steps[index]));
    expect(changed).toEqual([false, false, false, true, false]);
    expect(draft.revises?.diff).toContain('+4. Click the link "Invoices and letters"');

    const { revision } = await agent.confirmShowing(showing.id, "test");
    expect([revision.number, revision.author]).toEqual([2, "human:test"]);
    const again = await turnOf(agent, { text: goal("invoice-january").text, skill, mode: "strict" });
    expect([again.end.episode.outcome, again.downloads]).toEqual(["success", ["invoice-january-2026.pdf"]]);
  }, 120_000);
});
