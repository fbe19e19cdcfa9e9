import { expect, it } from "vitest";
import type { Recall } from "#contract/skills/schema.ts";
import { recallLines } from "#shells/cli/skill-lines.ts";

const candidate = {
  score: 0.953,
  similarity: 0.913,
  phrasing: "Show bills",
  vectorRank: 1,
  lexicalRank: 2,
  fused: 0.03,
  eliminated: null,
  eliminatedBy: null,
  conditions: [],
};
const recall: Recall = {
  verdict: "matched",
  goal: "Fetch my bills",
  skillId: "s2",
  skillName: "list-bills",
  revision: 1,
  score: 0.85,
  certainty: 0.925,
  useThreshold: 0.82,
  suggestThreshold: 0.7,
  runnerUp: null,
  blockedBy: null,
  candidates: [
    {
      ...candidate,
      name: "show-bills",
      eliminated: "it is not certain that the user is signed in",
      eliminatedBy: "condition",
      conditions: [{ kind: "precondition", text: "the user is signed in", probability: 0.41, holds: null }],
    },
    {
      ...candidate,
      name: "list-bills",
      score: 0.85,
      vectorRank: null,
      lexicalRank: null,
      conditions: [{ kind: "anti-precondition", text: "the bill is paid", probability: 0.07, holds: false }],
    },
  ],
  embedder: "scripted",
  embedderKey: "scripted::96:",
  calibrated: false,
  why: "because",
};

it("knack skills match says the verdict, then the skills in a small table, then the reasons", () => {
  expect(recallLines(recall)).toEqual([
    "matched: list-bills (score 0.85, 0.93 with its lead over the next)",
    "",
    "  SKILL       SCORE  USED FROM  SUGGESTED FROM  RESULT",
    "  show-bills   0.95       0.82            0.70  out by its condition",
    "  list-bills   0.85       0.82            0.70  matched",
    "",
    "because",
    'show-bills: out, because it is not certain that the user is signed in; closest to "Show bills", similarity 0.91 before the form of the goal, place 1 by meaning, place 2 by shared words',
    'show-bills, precondition "the user is signed in": yes 0.41, unknown',
    'list-bills: closest to "Show bills", similarity 0.91 before the form of the goal',
    'list-bills, anti-precondition "the bill is paid": yes 0.07, does not hold',
    "Compared by scripted, which has not been calibrated on this machine: the thresholds are general ones.",
  ]);
});

it("tells one that is behind from one that is below, and says no score where there is none", () => {
  const behind = { ...candidate, name: "pay-bills", score: 0.75 };
  const below = { ...candidate, name: "show-mail", score: 0.2 };
  const lines = recallLines({ ...recall, verdict: "suggested", candidates: [...recall.candidates.slice(1), behind, below] });
  expect(
    lines.slice(3, 6).map((line) =>
      line
        .trim()
        .split(/\s{2,}/u)
        .at(-1),
    ),
  ).toEqual(["suggested", "behind", "below"]);
  expect(recallLines({ ...recall, verdict: "nothing-learned", skillName: null, score: null, certainty: null, candidates: [] })[0]).toBe("nothing learned yet");
});

it("and nothing of skills where none was looked at", () => {
  expect(recallLines({ ...recall, candidates: [] })).toEqual([expect.stringContaining("matched"), "because", expect.stringContaining("Compared by")]);
});
