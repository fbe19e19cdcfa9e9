import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { Enforcement } from "#contract/settings/schema.ts";
import type { RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { GovernanceRefused } from "#core/errors.ts";
import type { Contribution } from "#core/prompt/index.ts";
import { renderAdvisory } from "#core/skills/index.ts";
import { writeStep } from "#core/turn/step-text.ts";
import { announcingTools } from "../../fixtures/examples/announcing-tools.ts";
import { clickStep, procedure } from "../../fixtures/makers/content.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { opens, presses, type Stage, says, stage } from "../../fixtures/makers/stage.ts";

const goal = "Publish the announcement that we ship on Friday";
const status = writeStep("get_integration_status", {});
const publish = writeStep("publish_announcement", { text: "We ship on Friday." });
const none: Enforcement = { router: false, gate: false, imperative: false, contributions: false, objectors: false, grammar: false };
const routed: Enforcement = { ...none, router: true, gate: true };

const announcing = (change: Partial<RevisionContent> = {}): RevisionContent =>
  procedure("Send the newsletter", {
    preconditions: ["get_integration_status"],
    steps: [{ do: "Publish it", onFail: "Stop." }],
    toolsRequired: ["publish_announcement"],
    capabilities: { primitives: [], vault: [], destinations: [] },
    ...change,
  });

/** A step that calls a tool and takes whatever it answers. */
const calls = (tool: string, args: Record<string, unknown> = {}): SkillStep => ({
  do: `Use ${tool}`,
  call: { tool, args },
  check: { result: { matches: "*" } },
  onFail: "Stop.",
});
const publishStep = calls("publish_announcement", { text: "We ship on Friday." });

interface Announcing extends Stage {
  readonly ran: { readonly status: number; readonly publish: number };
  readonly announcing: ReturnType<typeof announcingTools>;
}

/** A stage with the two tools, and an active skill of a pack whose rules guard one of them. */
async function withRules(change: Parameters<typeof stage>[1] = {}, content: RevisionContent | null = announcing()): Promise<Announcing> {
  const announcing = announcingTools();
  const on = stage(billsSite(), { ...change, tools: announcing.tools, settings: { enforcement: routed, ...change.settings } });
  if (content !== null) await on.addSkill("announce", content, { author: "authored:acme" });
  return { ...on, ran: announcing.ran, announcing };
}

/** What the newest step could be, by tool. */
const offeredIn = (on: Stage, request: number): string[] => [
  ...new Set(on.model.requests[request]?.choices?.flatMap(({ text }) => /^\{"tool":"([^"]+)"/u.exec(text)?.[1] ?? [])),
];
const systemOf = (on: Stage): string => on.model.requests[0]?.messages[0]?.text ?? "";
const newestOf = (on: Stage, request = 0): string => on.model.requests[request]?.messages.at(-1)?.text ?? "";
const promptsOf = (on: Stage) => on.model.requests.map(({ messages, choices, grammar }) => ({ messages, choices, grammar }));
const refusedIn = (on: Stage, turnId: string) => on.stores.trace.stepsOfTurn(turnId).filter((step) => step.status === "refused");

describe("PRE-01: get_integration_status before publish_announcement, in real turns", () => {
  it("called first it is refused, says what is missing, and has not run", async () => {
    const on = await withRules();
    const { turn } = await on.turn(goal, [publish, says("I could not.")]);
    expect(on.ran).toEqual({ status: 0, publish: 0 });
    expect(refusedIn(on, turn.id).map(({ text, details }) => [text, details.ruleIds])).toEqual([
      [expect.stringContaining("call get_integration_status first"), ["get_integration_status"]],
    ]);
    expect(newestOf(on, 1)).toContain("call get_integration_status first");
  });
  it("after a failed look-up it is refused", async () => {
    const on = await withRules();
    on.announcing.isConnected = false;
    await on.turn(goal, [status, publish, says("I could not.")]);
    expect(on.ran).toEqual({ status: 1, publish: 0 });
  });
  it("after a good one it runs", async () => {
    const on = await withRules();
    await on.turn(goal, [status, publish, says("Done.")]);
    expect(on.ran).toEqual({ status: 1, publish: 1 });
  });
  it("after one in an earlier conversation it is refused", async () => {
    const on = await withRules();
    await on.turn(goal, [status, says("It is connected.")]);
    await on.turn(goal, [publish, says("I could not.")]);
    expect(on.ran).toEqual({ status: 1, publish: 0 });
  });
  it("the same holds under the skill itself", async () => {
    const on = await withRules({}, announcing({ steps: [publishStep] }));
    await on.turn(goal, [publish, status, publish, says("Done.")], { skill: "announce" });
    expect(on.ran).toEqual({ status: 1, publish: 1 });
  });
  it("strictly as well: without the look-up nothing runs, with it everything does", async () => {
    const on = await withRules({}, announcing({ steps: [publishStep] }));
    await on.turn(goal, [], { skill: "announce", mode: "strict" });
    expect(on.ran).toEqual({ status: 0, publish: 0 });
    const off = await withRules({}, announcing({ steps: [calls("get_integration_status"), publishStep] }));
    await off.turn(goal, [], { skill: "announce", mode: "strict" });
    expect(off.ran).toEqual({ status: 1, publish: 1 });
  });
  it.each(["disabled", "retired"] as const)("a skill that is %s guards nothing", async (to) => {
    const on = await withRules({}, null);
    await on.addSkill("announce", announcing(), { status: to });
    await on.turn(goal, [publish, says("Done.")]);
    expect(on.ran.publish).toBe(1);
  });
  it("a call by its full id is the same call", async () => {
    const steps = [calls("tool:get_integration_status"), calls("tool:publish_announcement", { text: "We ship." })];
    const on = await withRules({}, announcing({ steps, toolsRequired: ["tool:publish_announcement"] }));
    await on.turn(goal, [], { skill: "announce", mode: "strict" });
    expect(on.ran).toEqual({ status: 1, publish: 1 });
  });
});

describe("rules in real turns", () => {
  it("PRE-02: with arguments are unmet by a call with others", async () => {
    const ran = async (channel: string) => {
      const steps = [calls("get_integration_status", { channel }), publishStep];
      const on = await withRules({}, announcing({ preconditions: ["get_integration_status(channel=slack)"], steps }));
      await on.turn(goal, [], { skill: "announce", mode: "strict" });
      return on.ran;
    };
    expect([await ran("mail"), await ran("slack")]).toEqual([
      { status: 1, publish: 0 },
      { status: 1, publish: 1 },
    ]);
  });

  const usOnly = announcing({ preconditions: ["get_integration_status", { state: { path: "user_profile.region", op: "eq", value: "US" } }] });
  it.each([
    ["EU", 1],
    ["US", 0],
  ])("PRE-03: one about the US in %s lets it run %i times", async (region, times) => {
    const on = await withRules({ state: () => ({ user_profile: { region } }) }, usOnly);
    await on.turn(goal, [publish, says("So it is.")]);
    expect(on.ran.publish).toBe(times);
  });

  it.each([
    ["a missing path", "user_profile.city", "eq", { value: "US" }],
    ["an unknown op", "user_profile.region", "like", { value: "US" }],
    ["no value", "user_profile.region", "eq", {}],
    ["in with a bare string", "user_profile.region", "in", { value: "USA" }],
    ["__proto__", "__proto__.constructor", "exists", {}],
  ])("PRE-04: a predicate with %s does not match, so the rules beside it do not apply", async (_what, path, op, value) => {
    const on = await withRules(
      { state: () => ({ user_profile: { region: "US" } }) },
      announcing({ preconditions: ["get_integration_status", { state: { path, op, ...value } }] }),
    );
    await on.turn(goal, [publish, says("So it is.")]);
    expect(on.ran.publish).toBe(1);
  });

  it("PRE-05: what the caller changes after the turn began has no effect on it, and has on the next", async () => {
    const mine = { user_profile: { region: "EU" } };
    const on = await withRules({ state: () => mine }, usOnly);
    await on.turn(goal, [
      () => {
        mine.user_profile.region = "US";
        return publish;
      },
      says("Done."),
    ]);
    expect(on.ran.publish).toBe(1);
    await on.turn(goal, [publish, says("I could not.")]);
    expect(on.ran.publish).toBe(1);
  });

  it("PRE-05: a code rule that writes to the state is refused with what it guards, and the state stays", async () => {
    let region: unknown;
    const on = await withRules(
      {
        settings: { enforcement: { ...none, objectors: true } },
        state: () => ({ region: "EU" }),
        objectors: [
          {
            name: "writer",
            tool: "publish_announcement",
            check: (_call, { properties }) => {
              region = properties.region;
              (properties as Record<string, unknown>).region = "US";
              return null;
            },
          },
        ],
      },
      null,
    );
    const { turn } = await on.turn(goal, [publish, says("I could not.")]);
    expect([on.ran.publish, region, refusedIn(on, turn.id)[0]?.details.code]).toEqual([0, "EU", "governance.broken"]);
  });

  it("PRE-06: the state is in nothing that is stored, told, logged or put to the model", async () => {
    const on = await withRules({ state: () => ({ user_profile: { region: "SECRET-REGION" } }) }, usOnly);
    const { events, turn, episode, message } = await on.turn(goal, [publish, says("Done.")]);
    const printed = [events, turn, episode, message, on.log.entries, on.model.requests, on.stores.trace.stepsOfTurn(turn.id)];
    for (const one of printed) expect(`${JSON.stringify(one)} ${inspect(one, { depth: 12 })}`).not.toContain("SECRET-REGION");
  });

  it.each([[["a", "list"]], ["text"], [null], [undefined], [new Map([["region", "EU"]])]])(
    "a state that is %s throws where the turn begins, and nothing of the turn is stored",
    async (state) => {
      const on = await withRules({ state: () => state as never });
      await expect(on.turn(goal, [publish])).rejects.toThrow(/plain mapping/u);
      expect([on.stores.conversations.list(), on.ran.publish, on.model.requests]).toEqual([[], 0, []]);
      on.model.say();
    },
  );

  it("state predicates decide in recall by the same state", async () => {
    let region = "EU";
    const on = stage(billsSite(), { state: () => ({ region }) });
    await on.addSkill(
      "fetch-bill",
      procedure("Fetch the bill", { preconditions: [{ state: { path: "region", op: "eq", value: "US" } }], steps: [clickStep("Bills")] }),
    );
    const first = await on.turn("Fetch the bill", [says("Where?")]);
    expect([first.turn.recall?.verdict, first.turn.recall?.why]).toEqual(["blocked", expect.stringContaining("its condition on region does not hold")]);
    region = "US";
    expect((await on.turn("Fetch the bill", [writeStep("ask_user", { question: "Where?" })])).turn.recall?.verdict).toBe("matched");
  });

  it("bare ids in every spelling are the gate's, and no question for the model while recalling", async () => {
    const on = stage(billsSite(), { tools: announcingTools().tools });
    const preconditions = ["call get_integration_status()", "get_integration_status within 10 min", "tool:get_integration_status(channel=slack)"];
    await on.addSkill("fetch-bill", procedure("Fetch the bill", { preconditions }));
    const { turn } = await on.turn("Fetch the bill", [writeStep("ask_user", { question: "Where?" })]);
    expect([turn.recall?.verdict, on.model.questions]).toEqual(["matched", []]);
  });

  it("PRE-08: a code rule refuses with its rule ids before the tool runs", async () => {
    const check = () => {
      throw new GovernanceRefused("no releases on Friday", ["R-1", "R-2"]);
    };
    const on = await withRules(
      { settings: { enforcement: { ...none, objectors: true } }, objectors: [{ name: "freeze", tool: "publish_announcement", check }] },
      null,
    );
    const { turn } = await on.turn(goal, [publish, says("I could not.")]);
    expect(on.ran.publish).toBe(0);
    expect(refusedIn(on, turn.id).map(({ text, details }) => [text, details.code, details.ruleIds])).toEqual([
      ["no releases on Friday", "governance.refused", ["R-1", "R-2"]],
    ]);
  });

  it("PRE-09: where the rules cannot be looked up, what does something is refused", async () => {
    const on = await withRules();
    const { skills } = on.stores;
    const broken = {
      ...skills,
      list() {
        throw new Error("database is locked");
      },
    };
    Object.assign(on.world, { stores: { ...on.stores, skills: broken } });
    const { turn } = await on.turn(goal, [publish, says("I could not.")], { noSkills: true });
    expect([on.ran.publish, refusedIn(on, turn.id)[0]?.details.code]).toEqual([0, "precondition.unknown"]);
  });

  it("PRE-09: the same where the steps so far cannot be read", async () => {
    const on = await withRules();
    const trace = {
      ...on.stores.trace,
      stepsOfEpisode() {
        throw new Error("database is locked");
      },
    };
    Object.assign(on.world, { stores: { ...on.stores, trace } });
    const { turn } = await on.turn(goal, [status, publish, says("I could not.")], { noSkills: true });
    expect([on.ran.publish, refusedIn(on, turn.id)[0]?.details.code]).toEqual([0, "precondition.unknown"]);
  });

  it("PRE-10: a call that is repeated is refused twice; then the user is asked, and the goal stays open", async () => {
    const on = await withRules();
    const again = (text: string) => writeStep("publish_announcement", { text });
    const { turn, episode, message } = await on.turn(goal, [again("One"), again("Two"), again("Three")]);
    expect(on.ran.publish).toBe(0);
    expect(on.model.left).toBe(0);
    expect(refusedIn(on, turn.id)).toHaveLength(3);
    expect([message?.text, episode.open, episode.outcome]).toEqual([
      expect.stringMatching(/^publish_announcement was refused 2 times: .*call get_integration_status first.*How should I go on\?$/u),
      true,
      null,
    ]);
  });

  it("PRE-10: refusals are counted for each skill, so leaving one starts anew", async () => {
    const on = await withRules({}, announcing({ steps: [publishStep] }));
    const again = (text: string) => writeStep("publish_announcement", { text });
    const leave = writeStep("skill_leave", { reason: "it does not fit" });
    const { turn, message } = await on.turn(goal, [publish, publish, leave, again("Three"), again("Four"), again("Five")], { skill: "announce" });
    expect([refusedIn(on, turn.id).length, on.ran.publish, message?.text]).toEqual([5, 0, expect.stringContaining("was refused 2 times")]);
  });

  it("a rule about one site does not hold back the browser on another", async () => {
    const about = (origin: string) =>
      procedure("Send the newsletter", {
        preconditions: ["get_integration_status"],
        toolsRequired: ["browser_click"],
        capabilities: { primitives: ["browser"], vault: [], destinations: [origin] },
      });
    const on = await withRules({}, about("https://other.example"));
    await on.turn("Look at https://portal.example/", [opens("https://portal.example/"), presses("link Bills"), says("There.")]);
    expect(on.calls()).toEqual(["open https://portal.example/", "click link Bills"]);
    const held = await withRules({}, about("https://portal.example"));
    await held.turn("Look at https://portal.example/", [opens("https://portal.example/"), presses("link Bills"), says("No.")]);
    expect(held.calls()).toEqual(["open https://portal.example/"]);
  });

  it("the tool that a skill's own rule names counts as declared", async () => {
    const on = await withRules({}, announcing({ steps: [publishStep] }));
    await on.turn(goal, [status], { skill: "announce", maxSteps: 1 });
    expect(on.ran.status).toBe(1);
  });
});

describe("layers of enforcement, each by itself", () => {
  const rules = announcing();
  const layer = (change: Partial<Enforcement>) => ({ settings: { enforcement: { ...none, ...change } } });
  const contributions = (): Contribution[] => [
    { source: "authored:acme", position: "cached", text: "Always say who you are.\nBe brief." },
    { source: "authored:acme", position: "volatile", text: "Today the office is closed." },
    { source: "authored:acme", position: "kernel", text: "You are somebody else." },
  ];
  const plain = async (): Promise<Announcing> => {
    const on = await withRules(layer({}), null);
    await on.turn(goal, [says("Good day.")]);
    return on;
  };

  it("with all of them off the prompt has the bytes of one without rules, packs and code rules", async () => {
    const off = await withRules({ ...layer({}), contributions, objectors: [{ name: "never", check: () => "never" }] }, rules);
    await off.turn(goal, [says("Good day.")]);
    const bare = await plain();
    expect(promptsOf(off)).toEqual(promptsOf(bare));
    await off.turn(goal, [publish, says("Done.")]);
    expect(off.ran).toEqual({ status: 0, publish: 1 });
  });

  it("with all of them on, and no rule, pack or code rule there, too", async () => {
    const on = await withRules(
      { settings: { enforcement: { router: true, gate: true, imperative: true, contributions: true, objectors: true, grammar: true } } },
      null,
    );
    await on.turn(goal, [says("Good day.")]);
    expect(promptsOf(on)).toEqual(promptsOf(await plain()));
  });

  it("with skills switched off the prompt reads as if there were none, and the gate still holds", async () => {
    const on = await withRules({ settings: { learning: false, enforcement: { ...none, router: true, imperative: true, gate: true } } }, rules);
    await on.turn(goal, [publish, says("I could not.")]);
    expect([systemOf(on) === systemOf(await plain()), on.ran.publish]).toEqual([true, 0]);
  });

  it("(a) router: what the rules name comes along ahead of the action tool, in the grammar and in the kernel; nothing is refused", async () => {
    const on = await withRules(layer({ router: true }), rules);
    await on.turn(goal, [publish, says("Done.")]);
    expect([offeredIn(on, 0), on.ran.publish]).toEqual([["reply", "get_integration_status", "publish_announcement"], 1]);
    const told = systemOf(on);
    expect(told.indexOf("- get_integration_status {channel}")).toBeGreaterThan(0);
    expect(told.indexOf("- get_integration_status {channel}")).toBeLessThan(told.indexOf("- publish_announcement {text}"));
    expect(newestOf(on)).toBe(goal);
  });

  it("(a) router off: the goal alone decides what is offered", async () => {
    const on = await withRules(layer({}), rules);
    await on.turn("Publish the news", [publish, says("Done.")]);
    expect([offeredIn(on, 0), on.ran.publish]).toEqual([["reply", "publish_announcement"], 1]);
  });

  it("(a) router: rules in their order, with the arguments they ask for", async () => {
    const on = await withRules(layer({ router: true }), announcing({ preconditions: ["browser_snapshot", "get_integration_status(channel=slack)"] }));
    await on.turn(goal, [says("Good day.")]);
    expect(offeredIn(on, 0)).toEqual(["reply", "browser_snapshot", "get_integration_status", "publish_announcement"]);
    expect(on.model.requests[0]?.choices?.map(({ text }) => text)).toContain('{"tool":"get_integration_status","args":{"channel":"slack"}}');
  });

  it("(b) gate: the call is refused and has not run, though nothing in the prompt tells of the rule", async () => {
    const on = await withRules(layer({ gate: true }), rules);
    await on.turn(goal, [publish, says("I could not.")]);
    expect([systemOf(on) === systemOf(await plain()), on.ran.publish]).toEqual([true, 0]);
  });

  it("(c) imperative: one positive and one negative line for each bare-id rule, after the kernel; nothing is refused", async () => {
    const on = await withRules(layer({ imperative: true }), announcing({ preconditions: ["get_integration_status", "the user has seen it"] }));
    await on.turn(goal, [publish, says("Done.")]);
    expect(systemOf(on)).toBe(
      `${systemOf(await plain())}\n${[
        "ENFORCED PRE-FLIGHT RULES",
        "- You MUST call get_integration_status before publish_announcement; it must have succeeded in this turn.",
        "- You MUST NOT call publish_announcement while get_integration_status has not succeeded in this turn.",
      ].join("\n")}`,
    );
    expect(on.ran.publish).toBe(1);
  });

  it("(c) imperative: has the same bytes until the active set changes, and leaves with the skill", async () => {
    const on = await withRules(layer({ imperative: true }), rules);
    const text = async (): Promise<string> => {
      await on.turn(goal, [says("Good day.")]);
      return on.model.requests.at(-1)?.messages[0]?.text ?? "";
    };
    const before = await text();
    expect(await text()).toBe(before);
    const skill = on.stores.skills.byName("announce");
    on.stores.skills.setStatus(
      skill?.id ?? "",
      "disabled",
      { id: "off", skillId: skill?.id ?? "", action: "disable", actor: "human:Kim", reason: "", before: "active", after: "disabled", at: 1 },
      1,
    );
    expect([before.includes("ENFORCED"), await text()]).toEqual([true, systemOf(await plain())]);
  });

  it("(c) imperative: says nothing of rules that do not apply to this state", async () => {
    const on = await withRules(
      { ...layer({ imperative: true }), state: () => ({ region: "EU" }) },
      announcing({ preconditions: ["get_integration_status", { state: { path: "region", op: "eq", value: "US" } }] }),
    );
    await on.turn(goal, [says("Good day.")]);
    expect(systemOf(on)).toBe(systemOf(await plain()));
  });

  it("(d) contributions: a pack's text stands in L1 or in the newest turn under its name; one for the kernel has no effect and is logged once", async () => {
    const on = await withRules({ ...layer({ contributions: true }), contributions }, null);
    await on.turn(goal, [says("Good day.")]);
    await on.turn(goal, [says("Good day.")]);
    expect(systemOf(on)).toBe(`${systemOf(await plain())}\nText of the pack acme:\n  Always say who you are.\n  Be brief.`);
    expect(newestOf(on)).toBe(`${newestOf(await plain())}\nText of the pack acme:\n  Today the office is closed.`);
    expect(JSON.stringify(on.model.requests)).not.toContain("somebody else");
    expect(on.log.entries).toEqual([{ event: "contribution-reserved", fields: { source: "authored:acme", position: "kernel", characters: 22 } }]);
  });

  it("(e) code rules: refuse by themselves, and are not asked where they are off", async () => {
    const objectors = [{ name: "freeze", tool: "publish_announcement", check: () => "not on Friday" }];
    const on = await withRules({ ...layer({ objectors: true }), objectors }, null);
    await on.turn(goal, [publish, says("I could not.")]);
    const off = await withRules({ ...layer({}), objectors }, null);
    await off.turn(goal, [publish, says("Done.")]);
    expect([on.ran.publish, off.ran.publish]).toEqual([0, 1]);
  });

  it("below them: what may not run yet cannot be written, and can once its rule is met", async () => {
    const on = await withRules({ settings: { enforcement: { ...none, router: true, gate: true, grammar: true } } }, rules);
    await on.turn(goal, [status, publish, says("Done.")]);
    expect([offeredIn(on, 0), offeredIn(on, 1), on.ran]).toEqual([
      ["reply", "get_integration_status"],
      ["reply", "get_integration_status", "publish_announcement"],
      { status: 1, publish: 1 },
    ]);
  });

  it("under the skill the host says what must come first", async () => {
    const steps = [calls("publish_announcement", { text: "We ship." })];
    const on = await withRules({ settings: { enforcement: { ...none, router: true, gate: true, grammar: true } } }, announcing({ steps }));
    const { episode } = await on.turn(goal, [status, writeStep("publish_announcement", { text: "We ship." }), says("Done.")], { skill: "announce" });
    expect(newestOf(on)).toContain('First call get_integration_status. After that, step 1 of 1: use publish_announcement {"text":"We ship."}');
    expect([offeredIn(on, 0), offeredIn(on, 1)]).toEqual([
      ["get_integration_status", "ask_user", "skill_leave"],
      ["get_integration_status", "publish_announcement", "ask_user", "skill_leave"],
    ]);
    expect([on.ran, episode.outcome]).toEqual([{ status: 1, publish: 1 }, "success"]);
  });

  it("all together: the rule is told, brought along and held, and what meets it runs", async () => {
    const asked: string[] = [];
    const on = await withRules(
      {
        settings: { enforcement: { router: true, gate: true, imperative: true, contributions: true, objectors: true, grammar: true } },
        contributions,
        objectors: [
          {
            name: "listens",
            check: ({ tool }) => {
              asked.push(tool);
              return null;
            },
          },
        ],
      },
      rules,
    );
    await on.turn(goal, [status, publish, says("Done.")]);
    expect(on.ran).toEqual({ status: 1, publish: 1 });
    expect(systemOf(on).match(/ENFORCED PRE-FLIGHT RULES|Text of the pack acme:|- get_integration_status \{/gu)).toEqual([
      "- get_integration_status {",
      "ENFORCED PRE-FLIGHT RULES",
      "Text of the pack acme:",
    ]);
    expect(asked).toEqual(["get_integration_status", "publish_announcement", "reply"]);
  });
});

describe("the text of a skill", () => {
  it("has one indented line for each rule, in order; without rules it has the bytes it had before", () => {
    const text = (preconditions: RevisionContent["preconditions"]): string => renderAdvisory(announcing({ preconditions }), {}, null);
    const lines = text(["get_integration_status", "the user has seen it"]).split("\n");
    const marked = lines.filter((line) => line.includes("PRE-FLIGHT"));
    expect(marked).toEqual(["  PRE-FLIGHT: get_integration_status", "  PRE-FLIGHT: the user has seen it"]);
    expect(lines.filter((line) => !marked.includes(line)).join("\n")).toBe(text([]));
  });

  it("shows the rules in the newest turn where they apply, and leaves them out where they do not", async () => {
    const shown = async (region: string): Promise<string> => {
      const on = await withRules(
        { state: () => ({ region }) },
        announcing({ preconditions: ["get_integration_status", { state: { path: "region", op: "eq", value: "US" } }] }),
      );
      await on.turn(goal, [says("Good day.")], { skill: "announce" });
      return newestOf(on);
    };
    expect([(await shown("US")).includes("\n  PRE-FLIGHT: get_integration_status\n"), (await shown("EU")).includes("PRE-FLIGHT")]).toEqual([true, false]);
  });
});
