import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SiteModule } from "#adapters/sites/index.ts";
import type { Draft } from "#contract/learning/schema.ts";
import { callTarget, placeholderNames } from "#core/skills/index.ts";
import { lacks, never, openStage, type Stage, siteNamed, turnOf } from "./stage.ts";

const { site: portal, goal: portalGoal } = await siteNamed("portal");
const { site: council, goal: councilGoal } = await siteNamed("council");
const { site: library } = await siteNamed("library");

/** A site to sign in to; it counts what reached it. */
const bank = { host: "bank.knack.test", passwords: [] as string[], messages: 3 };
const page = (body: string): Response =>
  new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bank</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`,
    {
      headers: { "content-type": "text/html; charset=utf-8" },
    },
  );
const bankSite: SiteModule = {
  host: bank.host,
  start: () => ({
    log: [],
    async fetch(request: Request) {
      const { pathname } = new URL(request.url);
      if (request.method === "POST") bank.passwords.push(String(new URLSearchParams(await request.text()).get("password")));
      if (pathname === "/in") return page('<h1>Your account</h1><p><a href="/messages">Messages (3)</a></p>');
      if (pathname === "/home") return page(`<h1>Home</h1><p><a href="/messages">Messages (${bank.messages})</a></p>`);
      if (pathname === "/messages") return page("<h1>Messages</h1>");
      return page(
        '<h1>Sign in</h1><form action="/in" method="post"><label>User <input name="user"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form>',
      );
    },
  }),
};

type Script = readonly (readonly string[])[];

describe.skipIf(lacks("browser") !== null)("a task shown in a real browser", () => {
  let stage: Stage;
  let cacheFolder: string;

  beforeAll(async () => {
    // No model at all: what is shown is learned and carried out without one.
    cacheFolder = await mkdtemp(join(tmpdir(), "knack-no-models-"));
    stage = await openStage([portal, council, library, bankSite], { cacheFolder });
  }, 60_000);
  afterAll(async () => {
    await stage?.close();
    await rm(cacheFolder, { recursive: true, force: true });
  });

  async function shown(text: string, [open, ...actions]: Script): Promise<Draft> {
    const showing = await stage.agent.startShowing(text, open?.[1] ?? "");
    await stage.agent.showing.perform(showing.id, actions, never);
    return stage.agent.finishShowing(showing.id);
  }
  const kept = async (draft: Draft): Promise<string> => (await stage.agent.confirmShowing(draft.showingId, "test")).skill.name;
  const says = ({ content }: Draft): string[] => content.steps.map((step) => step.do);
  /** Books that are on the first page of the loans. */
  async function titles(): Promise<string[]> {
    const goals = library.goals.flatMap(({ show = [] }) =>
      show.some(([, , name]) => name === "Renew") && !show.some(([, , name]) => name === "Next") ? [show[3]?.[2] ?? ""] : [],
    );
    return goals.filter((title) => title !== "" && title !== "Renew");
  }
  const log = (host: string): readonly unknown[] => stage.served.logs.get(host) ?? [];
  const strictly = (text: string, skill: string) => turnOf(stage.agent, { text, skill, mode: "strict" });

  it("SHO-01: a permit shown once runs strictly on other values", async () => {
    const { text, show = [] } = councilGoal("permit-mill");
    const draft = await shown(text, show);
    expect([draft.needJudgement, draft.content.steps.every((step) => step.check !== undefined)]).toEqual([[], true]);
    const other = councilGoal("permit-harbour");
    const skill = await kept(draft);
    stage.served.restart();
    const { end, downloads } = await strictly(other.text, skill);
    expect(end.episode.outcome).toBe("success");
    expect(other.done({ log: log(council.host), downloads, reply: end.message?.text ?? "" } as never)).toBe(true);
  }, 60_000);

  it("SHO-02: a detour and a corrected typo are left out, and the draft says so", async () => {
    const { text, show = [] } = councilGoal("permit-mill");
    const at = show.findIndex(([, field]) => field === "Vehicle registration");
    const detour: Script = [
      ...show.slice(0, 1),
      ["click", "link", "News"],
      ["open", `https://${council.host}`],
      ...show.slice(1, at),
      ["fill", "Vehicle registration", "KX27 ABD"],
      ["fill", "Date of visit", "2027-02-15"],
      ...show.slice(at),
    ];
    const straight = await shown(text, show);
    const draft = await shown(text, detour);
    expect(says(draft)).toEqual(says(straight));
    expect(draft.content.bindings).toEqual(straight.content.bindings);
    expect(draft.notes.filter((note) => note.startsWith("Left out"))).toEqual([
      "Left out: an earlier value of Vehicle registration.",
      "Left out: an earlier value of Date of visit.",
      expect.stringContaining("Left out: a way that led back (News"),
    ]);
  }, 60_000);

  it("SHO-03: a password reaches the site and nothing else; the vault entry that is chosen stands in its place", async () => {
    const draft = await shown(`Open my messages at https://${bank.host}`, [
      ["open", `https://${bank.host}`],
      ["fill", "User", "mira"],
      ["fill", "Password", "correct-horse-7"],
      ["click", "button", "Sign in"],
      ["click", "link", "Messages (3)"],
    ]);
    expect(bank.passwords).toEqual(["correct-horse-7"]);
    expect(JSON.stringify([draft, stage.agent.showings()])).not.toContain("correct-horse");
    const step = draft.observed.findIndex((one) => one?.secretField === "Password") + 1;
    // The name, the password and the button are the one step that the entry takes the place of.
    expect([step, draft.needJudgement, draft.content.steps.length]).toEqual([2, [2], 3]);
    expect(JSON.stringify([draft, stage.agent.showings()])).not.toContain("mira");
    const edited = await stage.agent.editDraft(draft.showingId, [{ edit: "choose-entry", step, entry: "bank" }]);
    const { revision, skill } = await stage.agent.confirmShowing(edited.showingId, "test");
    expect(revision.steps[1]?.call).toEqual({ tool: "browser_login", args: { entry: "bank" } });
    expect(revision.capabilities.vault).toEqual(["bank"]);
    // Choosing an entry grants nothing.
    const { end } = await turnOf(stage.agent, { text: `Open my messages at https://${bank.host}`, skill: skill.name });
    expect([end.turn.status, end.message?.text]).toEqual(["failed", expect.stringContaining("vault entry bank")]);
    expect(bank.passwords).toHaveLength(1);
  }, 60_000);

  it("SHO-04: a choice the goal does not name is constant, and as an input of the draft it takes another value", async () => {
    const { show = [] } = portalGoal("reading-day");
    const goal = `Submit a reading of 48732, taken on 2 July 2026, at https://${portal.host}`;
    const draft = await shown(goal, show);
    const at = draft.content.steps.findIndex((step) => step.call?.args["option"] === "Day meter") + 1;
    expect(draft.notes).toContain('"Day meter" in Meter is kept as it is: the goal does not name it.');
    const edited = await stage.agent.editDraft(draft.showingId, [{ edit: "open-value", step: at, place: "value", name: "meter", kind: "text" }]);
    expect(edited.content.inputs.properties["meter"]).toMatchObject({ default: "Day meter" });
    const skill = await kept(edited);
    const before = log(portal.host).length;
    const { end } = await turnOf(stage.agent, {
      text: `Submit a reading of 21900, taken on 3 July 2026, at https://${portal.host}`,
      skill,
      mode: "strict",
      inputs: { meter: "Night meter" },
    });
    expect([
      end.episode.outcome,
      log(portal.host)
        .slice(before)
        .filter((entry) => JSON.stringify(entry).includes("reading-submitted")),
    ]).toEqual(["success", [expect.objectContaining({ meter: "Night meter" })]]);
  }, 60_000);

  it("SHO-05: of equal buttons the row tells which, and a counter in a name is no part of it", async () => {
    const goal = (title: string): string => `Renew ${title} at https://${library.host}`;
    const [first = "", other = ""] = await titles();
    const draft = await shown(goal(first), [
      ["open", `https://${library.host}`],
      ["click", "link", "My library"],
      ["click", "link", "Loans"],
      ["click", "button", "Renew", first],
      ["click", "button", "Confirm renewal"],
    ]);
    expect(draft.content.steps[3]?.call?.args["target"]).toMatchObject({ name: "Renew", within: expect.stringContaining("{{") as string });
    const skill = await kept(draft);
    stage.served.restart();
    expect((await strictly(goal(other), skill)).end.episode.outcome).toBe("success");
    expect(JSON.stringify(log(library.host))).toContain(`"title":"${other}"`);
    expect(JSON.stringify(log(library.host))).not.toContain(`"title":"${first}"`);

    const counted = await kept(
      await shown(`Open what was written to me at https://${bank.host}/home`, [
        ["open", `https://${bank.host}/home`],
        ["click", "link", "Messages (3)"],
      ]),
    );
    bank.messages = 5;
    expect((await strictly(`Open what was written to me at https://${bank.host}/home`, counted)).end.episode.outcome).toBe("success");
  }, 60_000);

  it("SHO-06: a task that ends with reading ends with an answer that needs judgement", async () => {
    const goal = council.goals.find(({ id }) => id.startsWith("collection") || /bin|collect/iu.test(id));
    const draft = await shown(goal?.text ?? "", goal?.show ?? []);
    expect([says(draft).at(-1), draft.needJudgement]).toEqual(["Read this page and answer what was asked", [draft.content.steps.length]]);
    const skill = await kept(draft);
    expect((await strictly(goal?.text ?? "", skill)).end).toMatchObject({
      turn: { status: "failed" },
      problem: expect.stringContaining("needs judgement") as string,
    });
  }, 60_000);

  it("SHO-08: shown on the first page and found two pages on; the paging is proposed, not taken", async () => {
    const { text, show = [] } = portalGoal("invoice-may");
    const skill = await kept(await shown(text, show));
    const { end, downloads } = await strictly(`Download the October 2025 invoice from https://${portal.host}`, skill);
    expect([end.episode.outcome, downloads]).toEqual(["success", ["invoice-october-2025.pdf"]]);
    expect(stage.agent.proposals(false, skill).map(({ reason }) => reason)).toEqual([expect.stringContaining("Press Older until the next target is there")]);
    expect(stage.agent.skill(skill).skill.activeRevision).toBe(1);
  }, 90_000);

  it("SHO-09: what is nowhere is told, and none of its siblings is fetched", async () => {
    const { text, show = [] } = portalGoal("invoice-may");
    const skill = await kept(await shown(text, show));
    const files = (): number => log(portal.host).filter((entry) => JSON.stringify(entry).includes("download")).length;
    const before = files();
    const missing = await strictly(`Download the March 2019 invoice from https://${portal.host}`, skill);
    expect([missing.end.episode.outcome, missing.downloads, files() - before]).toEqual(["abandoned", [], 0]);
    expect(missing.end.message?.text).toMatch(/^March 2019 is not there: .* could not find .*March 2019/u);
  }, 90_000);

  it("SHO-10: a word of the goal that is also a fixed link is asked for by nobody", async () => {
    const { text, show = [] } = councilGoal("permit-mill");
    const draft = await shown(text, show);
    const pressed = draft.content.steps.flatMap(({ call }) => (call?.tool === "browser_click" ? placeholderNames(call.args) : []));
    const links = draft.content.steps.flatMap(({ call }) =>
      call?.tool === "browser_click" && callTarget(call)?.role === "link" ? placeholderNames(call.args) : [],
    );
    expect([pressed.length > 0, links.every((name) => draft.content.inputs.properties[name]?.default !== undefined)]).toEqual([true, true]);
    expect(links.filter((name) => draft.content.inputs.required.includes(name))).toEqual([]);
  }, 60_000);
});
