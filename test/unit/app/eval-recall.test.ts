import { describe, expect, it } from "vitest";
import { madeEmbedder } from "#app/bench/made-embedder.ts";
import { topicOf } from "#app/bench/made-skills.ts";
import { labelledGoals, shipped } from "#app/calibration.ts";
import type { RecallData } from "#app/eval/recall/data-sets.ts";
import { evalRecall } from "#app/eval/recall/run.ts";
import type { Embedder } from "#core/ports/index.ts";

const { signal } = new AbortController();

/** So many made skills, asked in other words than they have, among goals that no skill is for. */
function made(count: number): RecallData {
  const topics = Array.from({ length: count }, (_, n) => topicOf(n * 67));
  const skills = topics.map(({ name, verb, thing, place }) => ({
    name,
    whenToUse: "",
    examples: [`${verb} the ${thing} of the ${place}`, `please ${verb} my ${thing}, that of the ${place}`, `I want to ${verb} a ${thing} at the ${place}`],
  }));
  const asked = topics.map(({ name, verb, thing, place }) => ({ text: `could you ${verb} a ${thing} from the ${place}?`, skill: name }));
  const outside = labelledGoals.outOfScope.map((text) => ({ text, skill: null }));
  return { name: "made", skills, queries: [...asked, ...outside], stream: [] };
}

/** Embeds by words, with the thresholds of the embedder that is shipped. */
function embedder(): Embedder {
  const inner = madeEmbedder(384);
  const [modelHash = "", quantisation = "", dimension = "", prefixes = ""] = shipped[0]?.key.split(":") ?? [];
  return { ...inner, key: { modelHash, quantisation, dimension: Number(dimension), prefixes } };
}

describe("recall, measured over stores of 150 skills", () => {
  it("REC-04: few goals out of scope recall one, and no control finds what is meant: no skill, vectors of nothing, and skills under other names", async () => {
    const { sets } = await evalRecall([made(150)], embedder(), { phrasings: [3], answers: 0, most: 150 }, signal);
    const [{ skills, thresholds, settings, controls } = { skills: 0, thresholds: null, settings: [], controls: null }] = sets;
    expect([skills, thresholds?.calibrated, settings[0]?.inScope, settings[0]?.outOfScope]).toEqual([150, true, 90, 60]);
    expect(settings[0]?.falseRecalls).toBeLessThanOrEqual(0.01);
    expect(settings[0]?.precision).toBeGreaterThanOrEqual(0.95);
    // Not by recalling nothing.
    expect(settings[0]?.recall).toBeGreaterThan(0.4);
    const nothing = { precision: 0, recall: 0, falseRecalls: 0 };
    expect(controls).toEqual({ null: nothing, random: nothing, shuffled: nothing });
  }, 60_000);
});
