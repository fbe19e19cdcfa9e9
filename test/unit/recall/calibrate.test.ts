import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scriptedEmbedder } from "#adapters/scripted/index.ts";
import { madeEmbedder } from "#app/bench/made-embedder.ts";
import { labelledGoals } from "#app/calibration.ts";
import { type Calibration, calibrationSchema } from "#contract/models/schema.ts";
import type { Embedder } from "#core/ports/index.ts";
import { type Asked, askMadeStores, type LabelledGoals } from "#core/recall/ask-made-stores.ts";
import { calibrate } from "#core/recall/index.ts";

const letters = [..."bcdefghjklmnopqrstuvwxyz"];
const never = new AbortController().signal;
const patience = { now: new Date(Date.UTC(2027, 0, 10)), giveWay: async () => undefined };
const of = (goals: LabelledGoals, embedder: Embedder): Promise<Calibration> => calibrate(goals, embedder, patience, never);

/** What the thresholds would do with what they were made from. */
function outcome(asked: readonly Asked[], { use, suggest, margin }: Calibration["free"]) {
  const isUsed = ({ certainty, lead }: Asked): boolean => certainty >= use && lead >= margin;
  const isSuggested = ({ certainty, chance }: Asked): boolean => certainty >= Math.min(use, suggest + chance);
  const of = (truth: Asked["truth"], passes: (one: Asked) => boolean): number => {
    const all = asked.filter((one) => one.truth === truth);
    return all.length === 0 ? 0 : all.filter(passes).length / all.length;
  };
  const used = asked.filter((one) => one.truth !== "near-miss" && isUsed(one));
  return {
    precision: used.length === 0 ? 1 : used.filter(({ right }) => right).length / used.length,
    found: used.filter(({ right }) => right).length,
    falseRecalls: of("out-of-scope", isUsed),
    nearMisses: of("near-miss", isUsed),
    falseSuggestions: of("out-of-scope", isSuggested),
  };
}

/** Goals of made-up words: kinds share some of them, those nearly the same most. */
const madeGoals: fc.Arbitrary<LabelledGoals> = fc
  .record({
    words: fc.array(fc.integer({ min: 0, max: 14 }), { minLength: 60, maxLength: 120 }),
    kinds: fc.integer({ min: 2, max: 6 }),
    outside: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ words, kinds, outside }) => {
    let at = 0;
    const word = (): string => `word${letters[words[at++ % words.length] ?? 0]}`;
    const kind = (index: number) => ({
      id: `kind-${index}`,
      whenToUse: `kind${letters[index]} ${word()}`,
      goals: Array.from({ length: 8 }, (_, goal) => `kind${letters[index]} ${word()} ${word()} goal${letters[goal]}`),
    });
    return {
      kinds: Array.from({ length: kinds }, (_, index) => kind(index)),
      pairs: kinds > 3 ? [{ class: "same-object-other-verb", a: "kind-0", b: "kind-1" }] : [],
      outOfScope: Array.from({ length: outside }, () => `${word()} ${word()} ${word()}`),
    };
  });

/** An embedder of few directions, so that many goals are equally near. */
const coarse = scriptedEmbedder((text) => {
  const counts = [0.1, 0, 0, 0];
  for (const letter of text) counts[(letter.codePointAt(0) ?? 0) % 4]! += 1;
  return counts.map((count) => Math.round(count / 3) + 0.01);
});

describe("calibrating", () => {
  it("gives the same again, on another day too", async () => {
    const goals = { ...labelledGoals, kinds: labelledGoals.kinds.slice(0, 12) };
    const made = await of(goals, madeEmbedder(64));
    expect(await calibrate(goals, madeEmbedder(64), { ...patience, now: new Date(Date.UTC(2029, 5, 17)) }, never)).toEqual(made);
    expect(made).toMatchObject({ embedder: "made", key: "made::64:", goals: { kinds: 12, phrasings: 96, outOfScope: 100 } });
  });

  it.each<[string, Embedder]>([
    ["words", scriptedEmbedder()],
    ["a few directions", coarse],
  ])("gives thresholds that hold what they promise on their own goals, whatever the goals: %s", async (_name, embedder) => {
    await fc.assert(
      fc.asyncProperty(madeGoals, async (goals) => {
        const { free } = await of(goals, embedder);
        const { free: asked } = await askMadeStores(goals, embedder, patience, never);
        const { precision, falseRecalls, nearMisses } = outcome(asked, free);
        expect(precision).toBeGreaterThanOrEqual(0.95);
        expect(falseRecalls).toBeLessThanOrEqual(0.01);
        expect(nearMisses).toBeLessThanOrEqual(0.05);
        expect(free.suggest).toBeLessThanOrEqual(free.use);
        // Where the threshold of use does not keep them out by itself: what is sure enough to be used, but too close to another, is suggested.
        const sure = asked.filter((one) => one.truth === "out-of-scope" && one.certainty >= free.use).length / goals.outOfScope.length / 12;
        if (free.suggest < free.use && sure === 0) expect(outcome(asked, free).falseSuggestions).toBeLessThanOrEqual(0.25);
      }),
      { numRuns: 8 },
    );
  });

  it("holds them on the goals of the project, and no lower threshold does with that margin", async () => {
    const embedder = madeEmbedder(64);
    const goals = { ...labelledGoals, kinds: labelledGoals.kinds.slice(0, 30) };
    const { free } = await of(goals, embedder);
    const { free: asked } = await askMadeStores(goals, embedder, patience, never);
    const own = outcome(asked, free);
    expect(own.found).toBeGreaterThan(0);
    expect([own.precision >= 0.95, own.falseRecalls <= 0.01, own.nearMisses <= 0.05, own.falseSuggestions <= 0.25]).toEqual([true, true, true, true]);
    for (let lower = free.use - 0.001; lower > free.use - 0.2; lower -= 0.01) {
      const { precision, falseRecalls, nearMisses, found } = outcome(asked, { ...free, use: lower });
      expect(precision >= 0.95 && falseRecalls <= 0.01 && nearMisses <= 0.05 && found > own.found).toBe(false);
    }
  });

  it("of an embedder to which all goals are one lets no goal use or suggest a skill", async () => {
    const one = scriptedEmbedder(() => [1, 0]);
    const { free } = await of(perfect(8), one);
    expect(free.use).toBeGreaterThan(1.075);
    const { free: asked } = await askMadeStores(perfect(8), one, patience, never);
    expect(outcome(asked, free).falseSuggestions).toBe(0);
  });

  it.each<[string, Embedder, LabelledGoals]>([
    [
      "tells every kind from every other",
      scriptedEmbedder((text) => Array.from({ length: 9 }, (_, at) => (text.includes(`kind ${letters[at]}`) ? 1 : 0.001))),
      perfect(8),
    ],
    ["tells nothing apart", scriptedEmbedder(() => [1, 0]), perfect(8)],
    ["has one kind only", scriptedEmbedder(), perfect(1)],
    ["has no goals out of scope", scriptedEmbedder(), { ...perfect(4), outOfScope: [] }],
    ["has a pair whose kind is not there", scriptedEmbedder(), { ...perfect(4), pairs: [{ class: "x", a: "kind-0", b: "gone" }] }],
  ])("gives numbers that can be kept and read where it %s", async (_name, embedder, goals) => {
    const made = await of(goals, embedder);
    expect(calibrationSchema.parse(JSON.parse(JSON.stringify(made)))).toEqual(made);
  });

  it("embeds goals as queries and phrasings as documents, once where no prefix tells them apart", async () => {
    const kinds = async (prefixes: string): Promise<number[]> => {
      const embedder = scriptedEmbedder(undefined, { key: { prefixes } });
      await of(perfect(2), embedder);
      const count = (kind: string): number => embedder.asked.filter((one) => one.kind === kind).reduce((sum, { texts }) => sum + texts.length, 0);
      return [count("document"), count("query")];
    };
    expect([await kinds(""), await kinds("q|d|c")]).toEqual([
      [18, 5],
      [18, 21],
    ]);
  });

  it("gives way on the way, and stops where it is told to", async () => {
    let times = 0;
    const stop = new AbortController();
    const giveWay = async (): Promise<void> => {
      times += 1;
      if (times === 5) stop.abort(new Error("a message came"));
    };
    await expect(calibrate(perfect(4), scriptedEmbedder(), { ...patience, giveWay }, stop.signal)).rejects.toThrow("a message came");
    expect(times).toBe(5);
  });

  it("passes on what the embedder throws", async () => {
    const broken = scriptedEmbedder((text) => {
      if (text.includes("kind c")) throw new Error("out of memory");
      return [1, 0];
    });
    await expect(of(perfect(2), broken)).rejects.toThrow("out of memory");
  });
});

/** Kinds that one word each tells apart; a number would be taken for a value. */
function perfect(count: number): LabelledGoals {
  const kinds = Array.from({ length: count }, (_, at) => {
    const whenToUse = `kind ${letters[at]}`;
    return { id: `kind-${at}`, whenToUse, goals: Array.from({ length: 8 }, (_, goal) => `${whenToUse} said so ${"very ".repeat(goal)}`) };
  });
  return { kinds, pairs: [], outOfScope: ["a", "b", "c", "d", "e"] };
}

describe("the goals of the project", () => {
  const { kinds, pairs, outOfScope } = labelledGoals;
  it("are at least 60 kinds of 8 phrasings and 100 goals no skill is for, none of them twice", () => {
    expect(kinds.length).toBeGreaterThanOrEqual(60);
    expect(kinds.filter(({ goals }) => goals.length < 8).map(({ id }) => id)).toEqual([]);
    expect(outOfScope.length).toBeGreaterThanOrEqual(100);
    const said = [...kinds.flatMap(({ goals }) => goals), ...outOfScope].map((goal) => goal.toLowerCase().trim());
    expect(said.filter((goal, at) => said.indexOf(goal) !== at)).toEqual([]);
    expect(new Set(kinds.map(({ id }) => id)).size).toBe(kinds.length);
  });
  it("have pairs of every kind of near miss, between kinds there are", () => {
    const ids = new Set(kinds.map(({ id }) => id));
    expect(pairs.filter(({ a, b }) => !ids.has(a) || !ids.has(b) || a === b)).toEqual([]);
    expect([...new Set(pairs.map((pair) => pair.class))].sort()).toEqual([
      "book-cancel-confirm",
      "pay-when-due",
      "same-object-other-verb",
      "same-verb-other-object",
      "send-draft",
      "set-query-remove",
      "swapped-roles",
    ]);
  });
});
