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

it("knack skills match shows what each stage did with each skill", () => {
  expect(recallLines(recall)).toEqual([
    "matched: list-bills, score 0.85, 0.93 with its lead",
    "because",
    "used from 0.82, suggested from 0.70; scripted, not calibrated",
    "",
    "SCORE  ALIKE  NEAR  WORDS  SKILL       OUT BECAUSE                                              CLOSEST TO",
    " 0.95   0.91     1      2  show-bills  condition: it is not certain that the user is signed in  Show bills",
    " 0.85   0.91     –      –  list-bills                                                           Show bills",
    "",
    "ALIKE: similarity, before the form of the goal; NEAR, WORDS: place by similarity and by shared words",
    'show-bills, precondition "the user is signed in": yes 0.41, unknown',
    'list-bills, anti-precondition "the bill is paid": yes 0.07, does not hold',
  ]);
});

it("and nothing of skills where none was looked at", () => {
  expect(recallLines({ ...recall, candidates: [] })).toHaveLength(3);
});
