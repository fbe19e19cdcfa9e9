import { describe, expect, it } from "vitest";
import { type LearningBench, learnFromEpisodes, recordedTools } from "#app/eval/learning.ts";
import { type RecordedEpisode, readEpisodes } from "#app/eval/read-episodes.ts";
import { billsSite } from "../../fixtures/makers/made-site.ts";
import { stage } from "../../fixtures/makers/stage.ts";

const months = ["January", "February", "March", "April", "May"];

/** One recorded order of a desk's supplies, as a line of the file. */
function line(
  task: string,
  trial: number,
  reward: number,
  goal: string,
  steps: readonly (readonly [tool: string, args: Record<string, unknown>, result: string])[],
): string {
  return JSON.stringify({ task_id: task, trial, reward, goal, steps: steps.map(([tool, args, result]) => ({ tool, args, result })) });
}

const restock = (month: string) =>
  [
    ["get_stock", { month: `${month} 2026` }, "7 boxes"],
    ["set_stock", { month: `${month} 2026`, boxes: 40 }, '{"status":"updated"}'],
    ["send_note", { month: `${month} 2026`, to: "store" }, '{"status":"sent"}'],
  ] as const;
const ring = (name: string) =>
  [
    ["find_person", { name }, "found"],
    ["dial", { name }, '{"status":"failed"}'],
    ["hang_up", { name }, "done"],
  ] as const;

const recorded = (rewards: readonly number[]): string =>
  [
    ...months.map((month, trial) => line("restock", trial, rewards[trial] ?? 1, `Restock the paper for ${month} 2026`, restock(month))),
    ...["Ada", "Bo", "Cy", "Di"].map((name, trial) => line("ring", trial, trial === 0 ? 1 : 0, `Please ring ${name} for me at once`, ring(name))),
    line("talk", 0, 1, "Hello, how are you today?", []),
  ].join("\n");

function bench(episodes: readonly RecordedEpisode[]) {
  const on = stage(billsSite(), { tools: recordedTools(episodes) });
  const made: LearningBench = { stores: on.stores, makeId: on.world.makeId, now: on.world.clock(), learn: () => on.learn() };
  return { on, made };
}

describe("learning from a file of episodes", () => {
  it("IND-14: a skill rests on no episode with reward 0, though most with it went well", async () => {
    const episodes = readEpisodes(recorded([1, 1, 0, 1, 1]));
    const { on, made } = bench(episodes);
    on.model.say("name: restock-paper\nwhen: Use this to restock the paper of a month\n");
    const report = await learnFromEpisodes(episodes, made);
    expect(report.skills.map(({ name, callable, evidence }) => [name, callable, evidence.map(({ reward }) => reward)])).toEqual([
      ["restock-paper", 3, [1, 1, 1, 1]],
    ]);
    expect(report.skills[0]?.evidence.map(({ trial }) => trial).sort()).toEqual(["0", "1", "3", "4"]);
    expect(report.skillsOnFailedEpisodes).toBe(0);
  });

  it("IND-14: nothing is learned where more than one in five failed, whatever the majority, and the skip list says why", async () => {
    const episodes = readEpisodes(recorded([1, 1, 0, 0, 1]));
    const { made } = bench(episodes);
    const { note: _note, ...report } = await learnFromEpisodes(episodes, made);
    expect(report).toEqual({
      episodes: { read: 10, success: 5, failure: 5, withoutSteps: 1 },
      clusters: 2,
      skills: [],
      skipped: [
        expect.objectContaining({ episodes: 5, successes: 3, reason: "only 3 of 5 went well" }),
        expect.objectContaining({ episodes: 4, successes: 1, reason: "only 1 verified success" }),
      ],
      skillsOnFailedEpisodes: 0,
    });
  });

  it("a call that the recorded agent was told had failed is no step", async () => {
    const failed = months
      .slice(0, 3)
      .map((month, trial) =>
        line("restock", trial, 1, `Restock the paper for ${month} 2026`, [
          ["set_stock", { month: `${month} 2026`, boxes: 90 }, "Error: at most 40 boxes"],
          ...restock(month),
        ]),
      );
    const episodes = readEpisodes(failed.join("\n"));
    const { on, made } = bench(episodes);
    on.model.say("name: restock-paper\nwhen: Use this to restock the paper of a month\n");
    expect((await learnFromEpisodes(episodes, made)).skills[0]?.steps).toHaveLength(3);
  });

  const good = line("a", 1, 1, "Do it", []);
  it.each([
    ["a line that is no JSON", `${good}\n{"task_id":`, /^line 2 is no JSON/u],
    ["a reward between", line("a", 1, 0.5, "Do it", []), /^line 1: reward: /u],
    ["an empty goal", line("a", 1, 1, " ", []), /^line 1: goal: /u],
    ["a tool that cannot be one", line("a", 1, 1, "Do it", [["no tool", {}, ""]]), /^line 1: steps\.0\.tool: /u],
    ["arguments that are a list", good.replace('"steps":[]', '"steps":[{"tool":"a","args":[],"result":""}]'), /^line 1: steps\.0\.args: /u],
    ["no result", good.replace('"steps":[]', '"steps":[{"tool":"a","args":{}}]'), /^line 1: steps\.0\.result: /u],
    ["a trial that is there twice", `${good}\n\n${good}`, /^line 3: task a, trial 1 is in line 1 already/u],
    ["nothing", "\n\n", /^there is no episode in the file/u],
  ])("%s is refused with its line", (_what, text, message) => {
    expect(() => readEpisodes(text)).toThrow(message);
  });
});
