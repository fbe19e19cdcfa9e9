import { describe, expect, it } from "vitest";
import { KnackError } from "#contract/errors.ts";
import type { Enforcement } from "#contract/settings/schema.ts";
import type { RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { writeStep } from "#core/turn/step-text.ts";
import { announcingTools } from "../../fixtures/examples/announcing-tools.ts";
import { billGoal, portal } from "../../fixtures/makers/bill-runs.ts";
import { procedure } from "../../fixtures/makers/content.ts";
import { billsSite, type MadeSite } from "../../fixtures/makers/made-site.ts";
import { link, page } from "../../fixtures/makers/page.ts";
import { asks, presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";
import { taught } from "../../fixtures/makers/taught.ts";

const goal = billGoal("December");
const skill = (): Promise<RevisionContent> =>
  taught(billsSite(), goal, [
    ["open", portal],
    ["click", "link", "Bills"],
    ["click", "button", "Download December 2026 bill"],
  ]);
const leaves = (reason: string): string => writeStep("skill_leave", { reason });

async function withSkill(site: MadeSite, change: Parameters<typeof stage>[1] = {}, content?: RevisionContent): Promise<{ on: Stage; id: string }> {
  const on = stage(site, change);
  const { id } = await on.addSkill("download-bill", content ?? (await skill()));
  return { on, id };
}
const runsOf = (on: Stage, id: string) => on.stores.skills.runs(id).map(({ mode, outcome }) => [mode, outcome]);

/** The bills after a choice that only a person or a model can make. */
async function withChoice(): Promise<{ site: MadeSite; content: RevisionContent }> {
  const site = billsSite();
  const content = await skill();
  const [first, second, third] = content.steps as [SkillStep, SkillStep, SkillStep];
  return {
    site: {
      ...site,
      view: (path, typed) =>
        path === "/which"
          ? page("Which account?", [link("Home account"), link("Work account"), link("Close account")], { url: `${portal}which` })
          : path === "/closed"
            ? page("Account closed", [link("Home")], { url: `${portal}closed` })
            : site.view(path, typed),
      press(path, element, typed) {
        if (path === "/which") return { to: element.name === "Close account" ? "/closed" : "/bills/1" };
        return element.name === "Bills" ? { to: "/which" } : site.press(path, element, typed);
      },
    },
    content: {
      ...content,
      steps: [first, { ...second, check: { page: { heading: "Which account?" } } }, { do: "Choose the account that is meant", onFail: "Ask." }, third],
    },
  };
}

describe("a choice in the middle of an assisted run", () => {
  it("is the model's alone: one call, and the driver goes on", async () => {
    const { site, content } = await withChoice();
    const { on } = await withSkill(site, {}, content);
    const { episode } = await on.turn(goal, [presses("link Home account")], { skill: "download-bill", mode: "assisted" });
    expect([episode.outcome, on.model.requests.length, on.calls().length]).toEqual(["success", 1, 4]);
  });

  it("made wrongly, the target is not there: nothing else is touched, and it is told", async () => {
    const { site, content } = await withChoice();
    const { on, id } = await withSkill(site, {}, content);
    const { message } = await on.turn(goal, [presses("link Close account"), asks("The account is closed. Which one did you mean?")], {
      skill: "download-bill",
      mode: "assisted",
    });
    expect([message?.text, on.calls().length, runsOf(on, id)]).toEqual(["The account is closed. Which one did you mean?", 3, [["assisted", "abandoned"]]]);
  });

  it("asked about, the answer begins it anew in the same mode", async () => {
    const { site, content } = await withChoice();
    const { on, id } = await withSkill(site, {}, content);
    const first = await on.turn(goal, [asks("Which account?")], { skill: "download-bill", mode: "assisted", conversationId: "talk" });
    const { turn, episode } = await on.turn("the one at home", [presses("link Home account")], { conversationId: "talk" });
    expect([first.episode.open, turn.mode, episode.outcome]).toEqual([true, "assisted", "success"]);
    expect([runsOf(on, id), on.stores.proposals.list()]).toEqual([
      [
        ["assisted", "abandoned"],
        ["assisted", "success"],
      ],
      [],
    ]);
  });

  it("asked about, the model is told what was wanted at first, and not only the answer", async () => {
    const { site, content } = await withChoice();
    const { on } = await withSkill(site, {}, content);
    await on.turn(goal, [asks("Which account?")], { skill: "download-bill", mode: "assisted", conversationId: "talk" });
    await on.turn("the one at home", [presses("link Home account")], { conversationId: "talk" });
    expect(on.model.requests[1]?.messages.at(-1)?.text).toContain(`The question is: ${goal}\nthe one at home`);
  });

  it("a strict run whose skill was switched off before the answer is not gone on with freely", async () => {
    const { on, id } = await withSkill(billsSite());
    await on.turn(`Download my bill from ${portal}`, [], { skill: "download-bill", mode: "strict", conversationId: "talk" });
    on.stores.skills.setStatus(
      id,
      "disabled",
      { id: "x", skillId: id, action: "disable", actor: "human:Kim", reason: "", before: "provisional", after: "disabled", at: 1 },
      1,
    );
    const { problem } = await on.turn("November 2026", [], { conversationId: "talk" });
    expect([problem, on.calls(), on.model.requests]).toEqual([expect.stringContaining("nothing to run strictly"), [], []]);
  });

  it("left, the run counts for neither side and the turn goes on free", async () => {
    const { site, content } = await withChoice();
    const { on, id } = await withSkill(site, {}, content);
    await on.turn(goal, [leaves("not this"), presses("link Home account"), says("Here are your bills.")], { skill: "download-bill", mode: "assisted" });
    expect([runsOf(on, id), on.stores.proposals.list(), on.calls().length]).toEqual([[["assisted", "left"]], [], 3]);
  });

  it("answered too early, it is not done", async () => {
    const { site, content } = await withChoice();
    const { on, id } = await withSkill(site, {}, content);
    const { episode } = await on.turn(goal, [says("All done.")], { skill: "download-bill", mode: "assisted" });
    expect([episode.outcome, episode.reason, runsOf(on, id)]).toEqual(["failure", "the procedure was not finished", [["assisted", "failure"]]]);
  });
});

describe("a model that is not there when it is needed", () => {
  it.each([
    ["missing", new KnackError("model.missing", "No chat model is on this machine."), "No chat model is on this machine."],
    ["broken", new Error("out of memory"), "Something in Knack itself went wrong; the log says what."],
  ])("%s: what was done stays told, and the skill is not blamed", async (_what, error, told) => {
    const { site, content } = await withChoice();
    const { on, id } = await withSkill(site, {}, content);
    on.world.model = () => Promise.reject(error);
    const { problem, turn } = await on.turn(goal, [], { skill: "download-bill", mode: "assisted" });
    expect([problem, runsOf(on, id)]).toEqual([told, [["assisted", "abandoned"]]]);
    expect(on.stores.trace.stepsOfTurn(turn.id).map(({ tool, status }) => [tool, status])).toEqual([
      ["browser_open", "ok"],
      ["browser_click", "ok"],
    ]);
  });

  it("stopped while it writes: abandoned, and nothing is done with half a step", async () => {
    const { site, content } = await withChoice();
    const { on, id } = await withSkill(site, {}, content);
    const stop = new AbortController();
    const { turn } = await on.turn(
      goal,
      [
        () => {
          stop.abort(new DOMException("stopped", "AbortError"));
          return presses("link Home account");
        },
      ],
      { skill: "download-bill", mode: "assisted", signal: stop.signal },
    );
    expect([turn.status, runsOf(on, id), on.calls().length]).toEqual(["stopped", [["assisted", "abandoned"]], 2]);
  });

  it.each(["strict", "assisted"] as const)("%s: stopped while the last call runs, it was stopped and says nothing about the skill", async (mode) => {
    const stop = new AbortController();
    const { on, id } = await withSkill(billsSite({ billsHeading: "Your invoices" }), {
      onCall: (call) => call === "click link Bills" && stop.abort(new DOMException("stopped", "AbortError")),
    });
    const { turn } = await on.turn(goal, [], { skill: "download-bill", mode, signal: stop.signal });
    expect([turn.status, runsOf(on, id)]).toEqual(["stopped", [[mode, "abandoned"]]]);
  });
});

describe("limits", () => {
  it.each(["strict", "assisted"] as const)("%s: as many steps as the routine takes are enough", async (mode) => {
    const { on } = await withSkill(billsSite());
    const { episode } = await on.turn(goal, [], { skill: "download-bill", mode, maxSteps: 3 });
    expect(episode.outcome).toBe("success");
  });

  it.each(["strict", "assisted"] as const)("%s: one fewer is not, and no more is done", async (mode) => {
    const { on } = await withSkill(billsSite());
    const { episode, message } = await on.turn(goal, [], { skill: "download-bill", mode, maxSteps: 2 });
    expect([episode.reason, message?.text, on.calls().length]).toEqual(["step limit", "I stopped after 2 steps without reaching the goal.", 2]);
  });

  it("a mend that goes round in circles ends", async () => {
    const site = billsSite();
    const { on } = await withSkill({
      ...site,
      view: (path, typed) => (path === "/bills/1" ? page("Sign in", [link("Try again")], { url: `${portal}bills/1` }) : site.view(path, typed)),
      press: (path, element, typed) => (element.name === "Try again" ? {} : site.press(path, element, typed)),
    });
    const again = presses("link Try again");
    const { episode } = await on.turn(
      goal,
      Array.from({ length: 12 }, () => again),
      { skill: "download-bill", mode: "assisted" },
    );
    expect([episode.outcome, episode.reason, on.calls().length]).toEqual(["failure", "loop", 5]);
  });
});

describe("what ends a run from outside", () => {
  it.each(["strict", "assisted"] as const)(
    "STR-07, %s: the page crashes between two steps: halted before the next, each step told, the skill not blamed",
    async (mode) => {
      const { on, id } = await withSkill(billsSite(), {
        onCall: (call) => {
          if (call.startsWith("click button")) throw new KnackError("browser.crashed", "The page crashed.");
        },
      });
      const { turn } = await on.turn(goal, [asks("The page crashed. Shall I try again?")], { skill: "download-bill", mode });
      expect(
        on.stores.trace
          .stepsOfTurn(turn.id)
          .filter(({ tool }) => tool.startsWith("browser"))
          .map(({ status }) => status),
      ).toEqual(["ok", "ok", "error"]);
      expect(runsOf(on, id)).toEqual([[mode, "abandoned"]]);
    },
  );

  it.each(["strict", "assisted"] as const)(
    "STR-07, %s: a grant that is revoked between two steps stops the next, and the site sees no more of it",
    async (mode) => {
      const { on, id } = await withSkill(billsSite(), {
        onCall: (call) => {
          if (call !== "click link Bills") return;
          for (const grant of on.stores.grants.list()) if (grant.kind === "destination") on.stores.grants.remove(grant.id);
        },
      });
      const { episode } = await on.turn(goal, [], { skill: "download-bill", mode });
      expect([episode.outcome, on.calls().length, runsOf(on, id)]).toEqual(["failure", 2, [[mode, "abandoned"]]]);
    },
  );
});

describe("rules in runs that code drives", () => {
  const publishing = (): RevisionContent =>
    procedure("Publish the announcement", {
      preconditions: ["get_integration_status"],
      steps: [
        {
          do: "Publish it",
          call: { tool: "publish_announcement", args: { text: "We ship on Friday." } },
          check: { result: { matches: "*" } },
          onFail: "Stop.",
        },
      ],
      toolsRequired: ["publish_announcement"],
      capabilities: { primitives: [], vault: [], destinations: [] },
    });
  const all: Enforcement = { router: true, gate: true, imperative: true, contributions: true, objectors: true, grammar: true };
  const ask = "Publish the announcement that we ship on Friday";

  it.each(["strict", "assisted"] as const)("PRE-01, %s: the unmet rule holds the call back; the action ran not once", async (mode) => {
    const tools = announcingTools();
    const on = stage(billsSite(), { tools: tools.tools, settings: { enforcement: all } });
    await on.addSkill("announce", publishing());
    const { message } = await on.turn(ask, [asks("Shall I look up the status first?")], { skill: "announce", mode });
    expect([tools.ran, message?.text]).toEqual([
      { status: 0, publish: 0 },
      expect.stringContaining(mode === "strict" ? "get_integration_status first" : "Shall I"),
    ]);
  });

  it.each<keyof Enforcement>(["router", "imperative", "contributions", "objectors", "grammar"])(
    "assisted, with the layer %s off, the gate still holds, and the model may meet the rule",
    async (layer) => {
      const tools = announcingTools();
      const on = stage(billsSite(), { tools: tools.tools, settings: { enforcement: { ...all, [layer]: false } } });
      await on.addSkill("announce", publishing());
      const answers = layer === "router" ? [asks("How?")] : [writeStep("get_integration_status", {})];
      await on.turn(ask, answers, { skill: "announce", mode: "assisted" });
      expect(tools.ran).toEqual(layer === "router" ? { status: 0, publish: 0 } : { status: 1, publish: 1 });
    },
  );

  it("PRE-10, assisted: what is refused twice goes to the user as a question", async () => {
    const tools = announcingTools();
    const on = stage(billsSite(), { tools: tools.tools, settings: { enforcement: { ...all, grammar: false } } });
    await on.addSkill("announce", publishing());
    const publish = writeStep("publish_announcement", { text: "We ship on Friday." });
    const { episode, message } = await on.turn(ask, [publish, publish], { skill: "announce", mode: "assisted" });
    expect([tools.ran.publish, episode.open, message?.text]).toEqual([0, true, expect.stringMatching(/refused 2 times.*How should I go on\?/u)]);
  });

  it.each(["strict", "assisted"] as const)(
    "%s: a rule of another skill about this site guards the browser there, and the skill is not blamed",
    async (mode) => {
      const tools = announcingTools();
      const on = stage(billsSite(), { tools: tools.tools, settings: { enforcement: all } });
      const { id } = await on.addSkill("download-bill", await skill());
      await on.addSkill("mind-the-portal", {
        ...publishing(),
        goal: "Look at the portal",
        steps: [{ do: "Press something", onFail: "Stop." }],
        toolsRequired: ["browser_click"],
        capabilities: { primitives: ["browser"], vault: [], destinations: ["https://portal.example"] },
      });
      await on.turn(goal, [asks("May I?")], { skill: "download-bill", mode });
      expect([on.calls(), runsOf(on, id)]).toEqual([[`open ${portal}`], [[mode, "abandoned"]]]);
    },
  );
});
