import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scriptedModel } from "#adapters/scripted/index.ts";
import type { SiteModule } from "#adapters/sites/index.ts";
import { writeStep } from "#core/turn/step-text.ts";
import { lacks, openStage, type Stage, turnOf } from "./stage.ts";

const html = (body: string): Response =>
  new Response(`<!doctype html><html lang="en"><head><title>Desk</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`, {
    headers: { "content-type": "text/html; charset=utf-8" },
  });
const desk: SiteModule = {
  host: "desk.knack.test",
  start: () => ({
    log: [],
    fetch: (request) =>
      new URL(request.url).pathname === "/away"
        ? new Response(null, { status: 302, headers: { location: "https://other.knack.test/?secret=canary" } })
        : html('<h1>Desk</h1><p>Open from nine.</p><img src="https://tracker.knack.test/p.gif?d=canary" alt="">'),
  }),
};
const other: SiteModule = { host: "other.knack.test", start: () => ({ log: [], fetch: () => html("<h1>Other</h1>") }) };

describe.skipIf(lacks("browser") !== null)("what the agent talked to", () => {
  const model = scriptedModel();
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage([desk, other], { models: { chat: async () => model, embedder: async () => null } });
    const otherGrant = stage.agent.grants().find((grant) => grant.kind === "destination" && grant.destination.host === other.host);
    stage.agent.revokeGrant(otherGrant?.id ?? "");
    stage.agent.addGrant("web_fetch", "user");
  });
  afterAll(() => stage?.close());

  it("of the browser and of pages read as text is kept with the turn it belongs to, and without what a page put into an address", async () => {
    model.say(writeStep("browser_open", { url: "https://desk.knack.test/" }), writeStep("reply", { text: "From nine." }));
    const browsed = await turnOf(stage.agent, { text: "When does https://desk.knack.test/ open?" });
    model.say(writeStep("web_fetch", { url: "https://desk.knack.test/" }), writeStep("reply", { text: "From nine." }));
    const read = await turnOf(stage.agent, { text: "Read https://desk.knack.test/ to me" });
    model.say(writeStep("web_fetch", { url: "https://desk.knack.test/away" }));
    const led = await turnOf(stage.agent, { text: "Read https://desk.knack.test/away to me" });
    expect(read.steps.map(({ status, text }) => [status, text.includes("Open from nine.")])).toEqual([["ok", true]]);
    expect(led.steps.map(({ status, details }) => [status, details.code])).toEqual([["error", "hop.host"]]);
    expect(stage.served.hits.get(other.host) ?? 0).toBe(0);

    const { contacts } = stage.agent.activity({ limit: 200 });
    const told = new Set(
      contacts.map(({ means, host, allowed, code, turnId }) => `${means} ${allowed ? "reached" : "kept from"} ${host}: ${code} in ${turnId}`),
    );
    const [first, second, third] = [browsed, read, led].map(({ end }) => end.turn.id);
    expect([...told].sort()).toEqual(
      [
        `browser reached desk.knack.test: ok in ${first}`,
        `browser kept from tracker.knack.test: dest.host in ${first}`,
        `web_fetch reached desk.knack.test: ok in ${second}`,
        `web_fetch reached desk.knack.test: ok in ${third}`,
        `web_fetch kept from other.knack.test: dest.host in ${third}`,
      ].sort(),
    );
    expect(contacts.filter(({ allowed }) => allowed).every(({ grant, grantId }) => grant === "https://desk.knack.test" && grantId !== null)).toBe(true);
    expect(JSON.stringify(contacts)).not.toContain("canary");
    await stage.agent.deleteConversation(browsed.end.turn.conversationId);
    expect(stage.agent.activity({ limit: 200 }).contacts.some(({ means }) => means === "browser")).toBe(false);
  });

  it("HOP-18: a grant that is taken back counts for the next page at once", async () => {
    const grant = stage.agent.grants().find((each) => each.kind === "destination" && each.destination.host === desk.host);
    stage.agent.revokeGrant(grant?.id ?? "");
    model.say(writeStep("web_fetch", { url: "https://desk.knack.test/" }), writeStep("reply", { text: "No." }));
    const before = stage.served.hits.get(desk.host);
    const { steps } = await turnOf(stage.agent, { text: "Read https://desk.knack.test/ to me" });
    expect(steps.map(({ status, details }) => [status, details.code])).toEqual([["refused", "policy.invalid"]]);
    expect([stage.served.hits.get(desk.host), stage.askedFor]).toEqual([before, ["May Knack open https://desk.knack.test?"]]);
  });
});
