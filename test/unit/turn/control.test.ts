import { describe, expect, it } from "vitest";
import { liftOfSkills } from "#app/lift.ts";
import { changeSettings } from "#app/settings-of.ts";
import { liftWords } from "#contract/skills/lift.ts";
import { type ControlledTask, liftOf } from "#core/learning/index.ts";
import { billGoal, billRun, billWay, wording } from "../../fixtures/makers/bill-runs.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { type Finished, type Stage, says, stage } from "../../fixtures/makers/stage.ts";

async function learned(control?: number): Promise<Stage> {
  const on = stage(billsSite(), control === undefined ? {} : { settings: { control } });
  for (const month of ["December", "November", "October"]) await billRun(on, month);
  on.model.say(wording);
  await on.learn();
  return on;
}
const ask = (on: Stage): Promise<Finished> => on.turn(billGoal("September"), billWay("September"));
async function askUntil(on: Stage, isWithheld: boolean): Promise<Finished> {
  for (let times = 0; times < 30; times++) {
    const finished = await ask(on);
    if (finished.turn.recall?.control?.isWithheld === isWithheld) return finished;
  }
  throw new Error("the control never fell on that side");
}

describe("the control", () => {
  it("is off unless the user turns it on; then nothing is marked, drawn or stored, and prompts are what they are without it", async () => {
    const [plain, off, on] = [await learned(), await learned(0), await learned(0.5)];
    const seen = async (of: Stage): Promise<unknown> => {
      const from = of.model.requests.length;
      const { turn } = await ask(of);
      return [turn, of.stores.trace.turn(turn.id), of.stores.settings.all(), of.model.requests.slice(from).map(({ messages }) => messages)];
    };
    expect(await seen(off)).toEqual(await seen(plain));
    expect([JSON.stringify(await seen(off)).includes("control"), off.stores.trace.controlledTurns()]).toEqual([false, []]);
    const used = await askUntil(on, false);
    expect(used.turn).toMatchObject({ skillId: expect.any(String), recall: { verdict: "matched", control: { share: 0.5, isWithheld: false } } });
  });

  it("goes without the skill in about its share of the turns recall would have used it in, and says so to the user alone", async () => {
    const on = await learned(0.5);
    const finished: Finished[] = [];
    for (let times = 0; times < 40; times++) finished.push(await ask(on));
    const withheld = finished.filter(({ turn }) => turn.recall?.verdict === "withheld");
    expect(withheld.length).toBeGreaterThan(10);
    expect(withheld.length).toBeLessThan(30);
    const [one] = withheld;
    expect(one?.turn).toMatchObject({
      skillId: null,
      revision: null,
      choice: "recall",
      recall: {
        skillName: "download-bill",
        revision: 1,
        control: { share: 0.5, isWithheld: true },
        why: expect.stringContaining("The control left it out this time"),
      },
    });
    expect(one?.events.some(({ type }) => type === "skill-taken")).toBe(false);
    expect(on.stores.skills.runOfTurn(one?.turn.id ?? "")).toBeUndefined();
    expect(JSON.stringify(on.model.requests.map(({ messages }) => messages))).not.toMatch(/withheld|control left/u);
    const free = on.model.requests.length;
    await on.turn(billGoal("September"), billWay("September"), { noSkills: true });
    const without = on.model.requests.slice(free).map(({ messages }) => messages[0]);
    const again = on.model.requests.length;
    await askUntil(on, true);
    expect(
      on.model.requests
        .slice(again)
        .map(({ messages }) => messages[0])
        .slice(-without.length),
    ).toEqual(without);
  });

  it("keeps all turns of a task on one side, also in a new process", async () => {
    const on = await learned(0.5);
    const { turn, episode } = await askUntil(on, true);
    on.forgetDesks();
    on.stores.trace.updateEpisode({ ...episode, open: true });
    const next = await on.turn(`from ${billGoal("September")}`, billWay("September"), { conversationId: turn.conversationId });
    expect([next.turn.episodeId, next.turn.recall?.verdict]).toEqual([turn.episodeId, "withheld"]);
  });

  it("leaves alone what the user asked for: a skill by name, a mode, a taken suggestion, an answer to its question", async () => {
    const on = await learned(0.5);
    for (let times = 0; times < 12; times++) {
      const goal = billGoal("September");
      const named = await on.turn(goal, billWay("September"), { skill: "download-bill" });
      const strict = await on.turn(goal, [], { mode: "strict" });
      const taken = await on.turn(goal, billWay("September"), { takeSuggestion: true });
      for (const { turn } of [named, strict, taken]) expect([turn.skillId === null, turn.recall?.control]).toEqual([false, undefined]);
    }
    expect(on.stores.trace.controlledTurns()).toEqual([]);
  });

  it("takes a share from nothing to a half, and refuses any other", () => {
    const on = stage(billsSite());
    expect(changeSettings(on.stores.settings, { control: 0.1 }).control).toBe(0.1);
    for (const control of [0.51, -0.1, Number.NaN]) expect(() => changeSettings(on.stores.settings, { control })).toThrow("control");
    expect(changeSettings(on.stores.settings, { memory: true }).control).toBe(0.1);
  });
});

describe("what the control measures", () => {
  const tasks = (isWithheld: boolean, count: number, worked: number, steps: (at: number) => number): ControlledTask[] =>
    Array.from({ length: count }, (_, at) => ({ isWithheld, outcome: at < worked ? "success" : "failure", steps: steps(at), seconds: 10 * steps(at) }));

  it("is the difference of both sides with its 95 % interval: Newcombe's of the rates, Welch's of steps and seconds", () => {
    // 56 of 70 against 48 of 80: the example that Newcombe (1998) works through, 0.0524 to 0.3339.
    const lift = liftOf([...tasks(false, 70, 56, (at) => 3 + (at % 2)), ...tasks(true, 80, 48, (at) => 6 + (at % 4))], 0.1);
    expect(lift.success?.difference).toBeCloseTo(0.2, 10);
    expect([lift.success?.low, lift.success?.high].map((value) => value?.toFixed(4))).toEqual(["0.0524", "0.3339"]);
    expect(lift.steps?.difference).toBeCloseTo(-4, 10);
    // By the formula with t(116.9) = 1.9805: 1.1249 in the mean's error of 0.1391.
    expect([lift.steps?.low, lift.steps?.high].map((value) => value?.toFixed(2))).toEqual(["-4.28", "-3.72"]);
    expect(lift.seconds?.difference).toBeCloseTo(-40, 10);
  });

  it("is not told before each side has ten; what was only claimed is no success, what was given up does not count", () => {
    const few = liftOf([...tasks(false, 30, 30, () => 3), ...tasks(true, 9, 3, () => 6)], 0.1);
    expect([few.success, few.steps, liftWords(few)]).toEqual([
      null,
      null,
      [
        "In 10 % of the tasks a skill would be used in, it is left out to compare.",
        "With a skill: 30 tasks, 30 of 30 judged worked (100 %), 3.0 steps and 30.0 s each.",
        "Without it: 9 tasks, 3 of 9 judged worked (33 %), 6.0 steps and 60.0 s each.",
        "Not enough yet to compare: each side needs 10 judged tasks, 1 more on the shorter side.",
      ],
    ]);
    const more: ControlledTask[] = [
      { isWithheld: true, outcome: "claimed_success", steps: 6, seconds: 60 },
      { isWithheld: true, outcome: "abandoned", steps: 90, seconds: 900 },
    ];
    const claimed = liftOf([...tasks(false, 30, 30, () => 3), ...tasks(true, 9, 3, () => 6), ...more], 0.1);
    expect([claimed.success, claimed.withheld]).toEqual([null, { tasks: 10, judged: 9, successes: 3, claimed: 1, steps: 6, seconds: 60 }]);
    expect(claimed.steps).toEqual({ difference: -3, low: -3, high: -3 });
    expect(liftWords(liftOf([], 0))).toEqual([]);
  });

  it("counts a task once, with all its turns, and of one skill or of all", async () => {
    const on = await learned(0.5);
    const withheld = await askUntil(on, true);
    on.stores.trace.judge(withheld.episode.id, "success", "judged by the test", on.world.clock());
    on.stores.trace.updateEpisode({ ...withheld.episode, outcome: "success", open: true });
    await on.turn(billGoal("September"), billWay("September").slice(2), { conversationId: withheld.turn.conversationId });
    on.stores.trace.judge(withheld.episode.id, "failure", "judged by the test", on.world.clock());
    await on.turn("Nothing of the kind", [says("No.")]);
    const lift = liftOfSkills(on.skillWorld, "download-bill");
    expect(lift.withheld).toMatchObject({ tasks: 1, judged: 1, successes: 0, steps: 4 });
    expect(lift.share).toBe(0.5);
    expect(liftOfSkills(on.skillWorld)).toEqual(lift);
    expect(() => liftOfSkills(on.skillWorld, "none-such")).toThrow('There is no skill "none-such"');
  });
});
