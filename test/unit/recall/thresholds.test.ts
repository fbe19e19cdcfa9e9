import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shipped } from "#app/calibration.ts";
import type { Calibration } from "#contract/models/schema.ts";
import type { RecallAnswer } from "#core/ports/stores.ts";
import { thresholdsFor } from "#core/recall/index.ts";
import { learnedShift } from "#core/recall/learn-from-answers.ts";
import { similarity } from "#core/recall/similarity.ts";
import { certaintyOf, chanceOf, highestLead, thresholdsOf } from "#core/recall/thresholds.ts";
import { memoryStores } from "../../store/fixtures/stores.ts";

const miniLm = shipped[0] as Calibration;
const key = { modelHash: "made", quantisation: "F16", dimension: 2, prefixes: "" };
const keyText = "made:F16:2:";

const score = fc.double({ min: -1, max: 1, noNaN: true });
const answer: fc.Arbitrary<RecallAnswer> = fc.record({ certainty: fc.double({ min: -1, max: 1.075, noNaN: true }), right: fc.boolean() });
const answers = fc.oneof(fc.array(answer, { maxLength: 40 }), fc.array(answer, { minLength: 300, maxLength: 500 }));
const calibration: fc.Arbitrary<Calibration> = fc
  .record({
    slope: fc.double({ min: 0.01, max: 60, noNaN: true }),
    intercept: fc.double({ min: -40, max: 20, noNaN: true }),
    gap: fc.double({ min: 0, max: 0.5, noNaN: true }),
  })
  .map(({ slope, intercept, gap }) => ({ ...miniLm, free: { ...miniLm.free, suggest: miniLm.free.use - gap }, curve: { slope, intercept, points: [] } }));

describe("what answers move", () => {
  it("is nothing where there are none", () => {
    fc.assert(
      fc.property(calibration, (made) => {
        expect(learnedShift(made, [])).toBe(0);
      }),
    );
  });
  it("is never more than 0.1 either way, and leaves the threshold of use no lower than that of suggestion", () => {
    fc.assert(
      fc.property(calibration, answers, (made, given) => {
        const shift = learnedShift(made, given);
        expect(Math.abs(shift)).toBeLessThanOrEqual(0.1);
        expect(made.free.use + shift).toBeGreaterThanOrEqual(made.free.suggest - 1e-9);
      }),
    );
  });
  it("is never less for one more wrong answer, nor more for one more right one", () => {
    fc.assert(
      fc.property(calibration, answers, fc.double({ min: -1, max: 1.075, noNaN: true }), (made, given, certainty) => {
        const shift = learnedShift(made, given);
        expect(learnedShift(made, [...given, { certainty, right: false }])).toBeGreaterThanOrEqual(shift);
        expect(learnedShift(made, [...given, { certainty, right: true }])).toBeLessThanOrEqual(shift);
      }),
    );
  });
  it("does not depend on the order they came in", () => {
    fc.assert(
      fc.property(calibration, answers, (made, given) => {
        expect(learnedShift(made, [...given].reverse())).toBeCloseTo(learnedShift(made, given), 6);
      }),
    );
  });
  it("is all the way up after five hundred wrong answers to what was sure, and all the way down after as many right ones to what was not", () => {
    const all = (certainty: number, right: boolean): RecallAnswer[] => Array.from({ length: 500 }, () => ({ certainty, right }));
    expect([learnedShift(miniLm, all(1, false)), learnedShift(miniLm, all(0.3, true))]).toEqual([0.1, -0.1]);
  });
  it("is nothing where the curve does not rise, for then certainty says nothing", () => {
    const given = [{ certainty: 0.9, right: false }];
    for (const slope of [0, -3]) expect(learnedShift({ ...miniLm, curve: { ...miniLm.curve, slope } }, given)).toBe(0);
  });
});

describe("certainty", () => {
  it("is never less for a further lead, and a lead adds 0.075 at most", () => {
    fc.assert(
      fc.property(score, score, score, (first, a, b) => {
        const [near, far] = [Math.max(a, b), Math.min(a, b)].map((one) => Math.min(one, first)) as [number, number];
        expect(certaintyOf(first, far)).toBeGreaterThanOrEqual(certaintyOf(first, near));
        expect(certaintyOf(first, near)).toBeGreaterThanOrEqual(first);
        expect(certaintyOf(first, undefined)).toBeCloseTo(first + highestLead, 9);
        expect(certaintyOf(first, far)).toBeLessThanOrEqual(first + 0.075 + 1e-9);
      }),
    );
  });
  it("is the score alone on a site, where any may be far behind", () => expect(certaintyOf(0.5, 0.1, true)).toBe(0.5));
  it("owes 0.05 to chance for every ten times as many phrasings", () => {
    expect([0, 1, 10, 100].map(chanceOf)).toEqual([0, 0, 0.05, 0.1]);
  });
});

describe("similarity", () => {
  it("is half to the nearest phrasing, half to all of them together", () => {
    const [east, north] = [Float32Array.from([1, 0]), Float32Array.from([0, 1])];
    const mean = Float32Array.from([Math.SQRT1_2, Math.SQRT1_2]);
    expect(similarity(east, [north, east], mean)).toBeCloseTo((1 + Math.SQRT1_2) / 2, 6);
  });
  it("of vectors of two embedders with other dimensions is an error", () => {
    const [flat, deep] = [Float32Array.from([1, 0]), Float32Array.from([1, 0, 0])];
    expect(() => similarity(flat, [deep], deep)).toThrow("dimensions");
  });
});

describe("thresholds", () => {
  it("of an embedder nobody has calibrated are those of 0.82, and say so", () => {
    const { calibrations } = memoryStores();
    expect(thresholdsFor(calibrations, key, false)).toEqual({ use: 0.895, suggest: 0.775, margin: 0.05, calibrated: false, onSite: false });
    expect(thresholdsFor(calibrations, key, true)).toMatchObject({ calibrated: false, onSite: true });
  });
  it("of a calibrated one are its own, among all skills and on a site", () => {
    const { calibrations } = memoryStores();
    calibrations.put({ ...miniLm, key: keyText });
    expect(thresholdsFor(calibrations, key, false)).toEqual({ ...miniLm.free, calibrated: true, onSite: false });
    expect(thresholdsFor(calibrations, key, true)).toEqual({ ...miniLm.site, calibrated: true, onSite: true });
  });
  it.each(["modelHash", "quantisation", "prefixes", "dimension"] as const)("are not those of an embedder with another %s", (field) => {
    const { calibrations } = memoryStores();
    calibrations.put({ ...miniLm, key: keyText });
    expect(thresholdsFor(calibrations, { ...key, [field]: field === "dimension" ? 3 : "other" }, false).calibrated).toBe(false);
  });
  it("answers move that of use alone, and nothing on a site", () => {
    const { calibrations } = memoryStores();
    calibrations.put({ ...miniLm, key: keyText });
    for (let at = 0; at < 100; at += 1) calibrations.addAnswer(keyText, { certainty: 0.9, right: false }, at);
    expect(thresholdsFor(calibrations, key, false)).toEqual({ ...thresholdsOf(miniLm, false), use: miniLm.free.use + 0.1 });
    expect(thresholdsFor(calibrations, key, true)).toEqual(thresholdsOf(miniLm, true));
  });
  it("answers given under another embedder move nothing", () => {
    const { calibrations } = memoryStores();
    calibrations.put({ ...miniLm, key: keyText });
    calibrations.addAnswer("other:F16:2:", { certainty: 0.9, right: false }, 1);
    expect(thresholdsFor(calibrations, key, false).use).toBe(miniLm.free.use);
  });
});
