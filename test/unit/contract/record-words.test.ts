import { expect, it } from "vitest";
import { recordWords, statusWords } from "#contract/skills/record-words.ts";
import { trustOf } from "#core/skills/index.ts";

const run = (outcome: "success" | "failure" | "abandoned" | "claimed_success" | null) => ({ outcome, startedAt: 0, endedAt: 1 });

it.each([
  [[], "not used yet"],
  [[run("claimed_success")], "used 1 time, not judged yet"],
  [[run("abandoned"), run(null)], "used 2 times, not judged yet"],
  [[run("success")], "worked 1 of 1 time"],
  [[run("success"), run("failure"), run("claimed_success"), run("abandoned")], "worked 1 of 2 times, 2 more not judged"],
] as const)("a record is told in the same words wherever a skill is shown", (runs, words) => expect(recordWords(trustOf(runs, 2))).toBe(words));

it("provisional is explained, what explains itself is not", () => {
  expect((["provisional", "active", "disabled", "retired"] as const).map((status) => statusWords({ status }))).toEqual([
    "provisional: not used with success yet",
    "active",
    "disabled",
    "retired",
  ]);
});
