import { describe, expect, it } from "vitest";
import { acceptProposal, declineProposal } from "#app/proposals.ts";
import { revertSkill, setMode, undoChange } from "#app/skills.ts";
import type { RevisionContent } from "#contract/skills/schema.ts";
import { billGoal, portal } from "../../fixtures/makers/bill-runs.ts";
import { billsSite, type MadeSite } from "../../fixtures/makers/made-site.ts";
import { link, page } from "../../fixtures/makers/page.ts";
import { opens, presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";
import { taught } from "../../fixtures/makers/taught.ts";

const goal = billGoal("December");
const skill = (): Promise<RevisionContent> =>
  taught(billsSite(), goal, [
    ["open", portal],
    ["click", "link", "Bills"],
    ["click", "button", "Download December 2026 bill"],
  ]);
const reading = "Read this page and answer what was asked";
const readsMessages = async (): Promise<RevisionContent> => {
  const content = await taught(billsSite(), `Open my messages on ${portal}`, [
    ["open", portal],
    ["click", "link", "Messages"],
  ]);
  return { ...content, steps: [...content.steps, { do: reading, onFail: "Say what could not be found." }] };
};
const ways = (on: Stage) => on.calls().map((call) => call.replace(`open ${portal}`, "open"));

/** The bills behind a page that was not there when the routine was shown. */
function withNotice(): MadeSite {
  const site = billsSite();
  return {
    ...site,
    view: (path, typed) =>
      path === "/notice" ? page("We are moving", [link("Home"), link("Continue to bills")], { url: `${portal}notice` }) : site.view(path, typed),
    press(path, element, typed) {
      if (path === "/notice") return { to: element.name === "Home" ? "/" : "/bills/1" };
      return element.name === "Bills" ? { to: "/notice" } : site.press(path, element, typed);
    },
  };
}

describe("assisted", () => {
  it("STR-05: the last step reads an answer: one call of the model, the rest by the driver", async () => {
    const on = stage(billsSite());
    const { id } = await on.addSkill("read-messages", await readsMessages());
    const { message, episode, turn } = await on.turn(`What do my messages on ${portal} say?`, [says("You have none.")], {
      skill: "read-messages",
      mode: "assisted",
    });
    expect([message?.text, episode.outcome, turn.mode]).toEqual(["You have none.", "claimed_success", "assisted"]);
    expect([ways(on), on.model.requests.length]).toEqual([["open", "click link Messages"], 1]);
    expect(on.stores.skills.runs(id).map((run) => run.mode)).toEqual(["assisted"]);
  });

  it.each([
    ["assisted", []],
    ["advisory", [opens(portal), presses("link Messages")]],
  ] as const)("the question is put with the page alone: neither tools nor procedure are in the prompt (%s)", async (mode, before) => {
    const on = stage(billsSite());
    await on.addSkill("read-messages", await readsMessages());
    await on.turn(`What do my messages on ${portal} say?`, [...before, says("You have none.")], { skill: "read-messages", mode });
    const asked = on.model.requests.at(-1);
    expect(asked?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(JSON.stringify(asked?.messages)).not.toMatch(/browser_click|Steps that worked before/u);
    expect(asked?.choices?.map(({ text }) => text)).toEqual([expect.stringContaining('{"tool":"reply"'), expect.stringContaining('{"tool":"ask_user"')]);
  });

  it("a routine that code can follow to its end asks the model nothing", async () => {
    const on = stage(billsSite());
    await on.addSkill("download-bill", await skill());
    const { episode } = await on.turn(billGoal("March"), [], { skill: "download-bill", mode: "assisted" });
    expect([episode.outcome, episode.reason, on.model.requests]).toEqual(["success", "every check held", []]);
  });

  it("STR-06: a check fails and the model mends it: done, with a proposed revision, and nothing changed until it is accepted", async () => {
    const on = stage(withNotice());
    const { id } = await on.addSkill("download-bill", await skill());
    const { episode, events } = await on.turn(goal, [presses("link Continue to bills")], { skill: "download-bill", mode: "assisted" });
    expect([episode.outcome, on.model.requests.length, ways(on)]).toEqual([
      "success",
      1,
      ["open", "click link Bills", "click link Continue to bills", "click button Download December 2026 bill"],
    ]);
    const [proposal] = on.stores.proposals.list();
    expect(proposal?.reason).toBe(
      "Step 2 expects heading 'We are moving' and address '/notice' instead of heading 'Bills' and address '/bills/*'; Before step 3: Click the link \"Continue to bills\"",
    );
    expect(proposal?.content.steps.map((step) => [step.do, step.check]).slice(1)).toEqual([
      ['Click the link "Bills"', { page: { heading: "We are moving", url: "/notice" } }],
      ['Click the link "Continue to bills"', { page: { heading: "Bills", url: "/bills/*" } }],
      ['Click the button "Download {{month|MMMM YYYY}} bill"', { file: { exists: "bill-{{month|YYYY-MM}}.pdf" } }],
    ]);
    expect(proposal?.diff.split("\n")).toEqual(expect.arrayContaining(["--- revision 1", "+++ proposed", '+3. Click the link "Continue to bills"']));
    expect(events.flatMap((event) => (event.type === "alert-raised" ? [event.title] : []))).toEqual(['"download-bill" could be mended']);
    expect([on.stores.skills.revisions(id).length, on.stores.skills.get(id)?.activeRevision]).toEqual([1, 1]);
  });

  it("nothing is proposed while learning is off: a run may be asked for by name all the same", async () => {
    const on = stage(withNotice(), { settings: { learning: false } });
    await on.addSkill("download-bill", await skill());
    const { episode } = await on.turn(goal, [presses("link Continue to bills")], { skill: "download-bill", mode: "assisted" });
    expect([episode.outcome, on.stores.proposals.list(), on.stores.alerts.list()]).toEqual(["success", [], []]);
  });

  it("what was accepted runs without the model from then on", async () => {
    const on = stage(withNotice());
    const { id } = await on.addSkill("download-bill", await skill());
    await on.turn(goal, [presses("link Continue to bills")], { skill: "download-bill", mode: "assisted" });
    await acceptProposal(on.skillWorld, on.stores.proposals.list()[0]?.id ?? "", "human:Kim");
    const { episode } = await on.turn(billGoal("November"), [], { skill: "download-bill", mode: "strict" });
    expect([episode.outcome, on.calls().at(-1)]).toEqual(["success", "click button Download November 2026 bill"]);
    expect(on.stores.skills.revisions(id).map(({ number, author }) => [number, author])).toEqual([
      [1, "human:Kim"],
      [2, "agent:inline"],
    ]);
    expect(on.stores.skills.ledger(id).at(-1)).toMatchObject({ action: "modify", actor: "human:Kim" });
    expect([on.stores.proposals.list(), on.stores.alerts.list()]).toEqual([[], []]);
  });

  it("the same change is proposed once, also when it was declined", async () => {
    const on = stage(withNotice());
    await on.addSkill("download-bill", await skill());
    const again = () => on.turn(goal, [presses("link Continue to bills")], { skill: "download-bill", mode: "assisted" });
    await again();
    await again();
    expect(on.stores.proposals.list()).toHaveLength(1);
    declineProposal(on.skillWorld, on.stores.proposals.list()[0]?.id ?? "");
    await again();
    expect([on.stores.proposals.list(), on.stores.proposals.list({ all: true }).length]).toEqual([[], 1]);
  });

  it("a failed last check ends it as failed: the model is not asked to talk it right", async () => {
    const site = billsSite();
    const on = stage({ ...site, press: (path, element, typed) => (element.role === "button" ? {} : site.press(path, element, typed)) });
    const { id } = await on.addSkill("download-bill", await skill());
    const { episode, message } = await on.turn(goal, [], { skill: "download-bill", mode: "assisted" });
    expect([episode.outcome, message?.text]).toEqual(["failure", expect.stringContaining("expected a file")]);
    expect(on.stores.skills.runs(id)[0]?.finding).toContain("Step 3: expected a file");
  });

  it("is chosen for a skill only once it is trusted, and then taken unless the turn says otherwise", async () => {
    const on = stage(billsSite());
    const { id } = await on.addSkill("download-bill", await skill());
    const choose = (): void => setMode(on.skillWorld, "download-bill", "assisted", "human:Kim");
    expect(choose).toThrow(/trust of 0\.50/u);
    for (const month of ["December", "November", "October"]) await on.turn(billGoal(month), [], { skill: "download-bill", mode: "strict" });
    choose();
    const { turn } = await on.turn(billGoal("September"), [], { skill: "download-bill" });
    expect([turn.mode, on.model.requests.length]).toEqual(["assisted", 0]);
    const row =
      on.stores.skills.ledger(id).at(-2)?.action === "mode"
        ? on.stores.skills.ledger(id).at(-2)
        : on.stores.skills.ledger(id).findLast(({ action }) => action === "mode");
    await undoChange(on.skillWorld, row?.id ?? "", "human:Kim");
    expect(on.stores.skills.get(id)?.mode).toBe("advisory");
  });
});

describe("going on with the model where a strict run halted", () => {
  const halted = async (site: MadeSite, content?: RevisionContent): Promise<{ on: Stage; id: string }> => {
    const on = stage(site);
    const { id } = await on.addSkill("download-bill", content ?? (await skill()));
    await on.turn(goal, [], { skill: "download-bill", mode: "strict", conversationId: "talk" });
    return { on, id };
  };

  it("goes on at its place, in the same browser and episode, and proposes the heading that was seen", async () => {
    const { on, id } = await halted(billsSite({ billsHeading: "Your invoices" }));
    expect(ways(on)).toEqual(["open", "click link Bills"]);
    const { episode, turn } = await on.turn("Go on", [presses("button Download December 2026 bill"), says("Here it is.")], {
      conversationId: "talk",
      resume: true,
    });
    expect([episode.outcome, turn.mode, on.sessions(), ways(on).slice(2)]).toEqual(["success", "advisory", 1, ["click button Download December 2026 bill"]]);
    expect(on.stores.skills.runs(id).map(({ mode, outcome }) => [mode, outcome])).toEqual([
      ["strict", "failure"],
      ["advisory", "success"],
    ]);
    expect(on.stores.trace.episodesOf("talk").map(({ outcome }) => outcome)).toEqual(["success"]);
    const [proposal] = on.stores.proposals.list();
    expect(proposal?.diff.split("\n").filter((line) => /^[-+](?![-+])/u.test(line))).toEqual([
      "-   - Check: heading 'Bills' and address '/bills/*'",
      "+   - Check: heading 'Your invoices' and address '/bills/*'",
    ]);
  });

  it("the model is told the goal, not the words that said to go on", async () => {
    const { on } = await halted(billsSite({ billsHeading: "Your invoices" }));
    await on.turn("Go on", [presses("button Download December 2026 bill"), says("Here it is.")], { conversationId: "talk", resume: true });
    const told = on.model.requests[0]?.messages.at(-1)?.text ?? "";
    expect([told.includes(goal), told.includes("Go on")]).toEqual([true, false]);
  });

  it.each([
    [
      "nothing halted",
      async (on: Stage) => void (await on.turn(billGoal("November"), [], { skill: "download-bill", mode: "strict", conversationId: "other" })),
    ],
    [
      "it was gone on with before",
      async (on: Stage) =>
        void (await on
          .turn("Go on", [presses("button Download December 2026 bill"), says("So.")], { conversationId: "other", resume: true })
          .catch(() => undefined)),
    ],
  ])("where %s there is nothing to go on with, and nothing is stored", async (_what, before) => {
    const { on } = await halted(billsSite());
    await before(on);
    const messages = on.stores.conversations.list().flatMap(({ id }) => on.stores.conversations.messages(id)).length;
    await expect(on.turn("Go on", [], { conversationId: "other", resume: true })).rejects.toThrow("There is no run to go on with here");
    expect(on.stores.conversations.list().flatMap(({ id }) => on.stores.conversations.messages(id))).toHaveLength(messages);
  });

  it("a grant that was revoked meanwhile refuses it, and nothing more is pressed", async () => {
    const { on } = await halted(billsSite({ billsHeading: "Your invoices" }));
    for (const grant of on.stores.grants.list()) if (grant.kind === "destination") on.stores.grants.remove(grant.id);
    const { message } = await on.turn("Go on", [], { conversationId: "talk", resume: true });
    expect([message?.text, on.calls().length]).toEqual([expect.stringContaining("needs destination https://portal.example"), 2]);
  });

  it("TRU-06, failing twice: off, an alert with the step, and going back to revision 1 is one call", async () => {
    const { on, id } = await halted(billsSite({ billsHeading: "Your invoices" }));
    await on.turn("Go on", [presses("button Download December 2026 bill"), says("Here it is.")], { conversationId: "talk", resume: true });
    await acceptProposal(on.skillWorld, on.stores.proposals.list()[0]?.id ?? "", "human:Kim");
    await revertSkill(on.skillWorld, "download-bill", 1, "human:Kim");
    expect(on.stores.skills.get(id)?.activeRevision).toBe(1);
    for (const month of ["November", "October"]) await on.turn(billGoal(month), [], { skill: "download-bill", mode: "strict" }).catch(() => undefined);
    expect([on.stores.skills.get(id)?.status, on.stores.alerts.list().map(({ kind, detail }) => [kind, detail])]).toEqual([
      "disabled",
      [["drift", "Step 2 failed twice: expected heading 'Bills', saw 'Your invoices'"]],
    ]);
  });
});
