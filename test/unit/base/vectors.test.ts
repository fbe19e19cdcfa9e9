import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seeded, seedOf } from "#base/seeded.ts";
import { cosine, meanOf } from "#base/vectors.ts";

const vector = (...values: number[]): Float32Array => Float32Array.from(values);

describe("the mean of vectors", () => {
  it("is the direction of them together, of length one", () => {
    const [x = 0, y = 0] = meanOf([vector(1, 0), vector(0, 1), vector(0, 1)]);
    expect([x, y, x ** 2 + y ** 2].map((value) => Number(value.toFixed(5)))).toEqual([0.44721, 0.89443, 1]);
  });
  it("of vectors that cancel out is zero, and of none has no dimension", () => {
    expect([meanOf([vector(1, 0), vector(-1, 0)]), meanOf([])]).toEqual([vector(0, 0), vector()]);
  });
  it("is the same in whatever order they come, but for what single precision loses", () => {
    const unit = fc.double({ min: 0, max: 6.28, noNaN: true }).map((angle) => vector(Math.cos(angle), Math.sin(angle), 2));
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 8 }), (list) => {
        expect(cosine(meanOf(list), meanOf([...list].reverse()))).toBeCloseTo(1, 5);
      }),
    );
  });
  it("leaves what it was made of as it was", () => {
    const one = vector(3, 4);
    meanOf([one]);
    expect(one).toEqual(vector(3, 4));
  });
});

describe("the cosine", () => {
  it("is the inner product", () => expect(cosine(vector(0.6, 0.8), vector(0.8, 0.6))).toBeCloseTo(0.96, 6));
  it("of vectors of two dimensions is an error, for no embedder made both", () => {
    expect(() => cosine(vector(1, 0), vector(1, 0, 0))).toThrow("2 dimensions was compared with one of 3");
    expect(() => cosine(vector(1, 0, 0), vector(1, 0))).toThrow("3 dimensions was compared with one of 2");
  });
});

describe("seeded chance", () => {
  it("is the same for the same seed, from 0 up to but never 1, also of seed 0", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
        const draw = (): number[] => Array.from({ length: 20 }, seeded(seed));
        const drawn = draw();
        expect(draw()).toEqual(drawn);
        expect(drawn.every((value) => value >= 0 && value < 1)).toBe(true);
        expect(new Set(drawn).size).toBeGreaterThan(1);
      }),
    );
  });
  it("is spread evenly", () => {
    const pick = seeded(7);
    const tenths = new Array<number>(10).fill(0);
    for (let draw = 0; draw < 10_000; draw += 1) tenths[Math.floor(pick() * 10)]! += 1;
    expect(Math.min(...tenths)).toBeGreaterThan(900);
    expect(Math.max(...tenths)).toBeLessThan(1100);
  });
  it("takes a seed from a text, another from another", () => {
    expect([seedOf("set"), seedOf("set"), seedOf("sets"), seedOf("")].map((seed, _, all) => seed === all[0])).toEqual([true, true, false, false]);
  });
});
