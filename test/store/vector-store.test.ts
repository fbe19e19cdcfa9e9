import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EmbedderKey } from "#core/ports/embedder.ts";
import { codeThrown, memoryStores } from "./fixtures/stores.ts";

const key: EmbedderKey = { modelHash: "aa", quantisation: "", dimension: 3, prefixes: "" };
const otherModel: EmbedderKey = { modelHash: "bb", quantisation: "", dimension: 3, prefixes: "" };
const otherPrefixes: EmbedderKey = { ...key, prefixes: "search" };
const vector = (...values: number[]): Float32Array => new Float32Array(values);

describe("vectors", () => {
  it("are found nearest first, by cosine similarity", () => {
    const { vectors } = memoryStores();
    vectors.replace(key, "phrasing", "east", [{ text: "east", vector: vector(2, 0, 0) }]);
    vectors.replace(key, "phrasing", "north-east", [{ text: "north-east", vector: vector(1, 1, 0) }]);
    vectors.replace(key, "phrasing", "west", [{ text: "west", vector: vector(-1, 0, 0) }]);
    const hits = vectors.search(key, "phrasing", vector(1, 0, 0), 10);
    expect(hits.map(({ ownerId, text, score }) => [ownerId, text, Number(score.toFixed(5))])).toEqual([
      ["east", "east", 1],
      ["north-east", "north-east", 0.70711],
      ["west", "west", -1],
    ]);
    expect(vectors.search(key, "phrasing", vector(1, 0, 0), 2)).toHaveLength(2);
  });

  it("are compared only under their own key and kind", () => {
    const { vectors } = memoryStores();
    vectors.replace(key, "phrasing", "a", [{ text: "a", vector: vector(1, 0, 0) }]);
    vectors.replace(otherModel, "phrasing", "b", [{ text: "b", vector: vector(1, 0, 0) }]);
    vectors.replace(otherPrefixes, "phrasing", "c", [{ text: "c", vector: vector(1, 0, 0) }]);
    vectors.replace(key, "episode", "d", [{ text: "d", vector: vector(1, 0, 0) }]);
    const owners = (which: EmbedderKey, kind: "phrasing" | "episode") => vectors.search(which, kind, vector(1, 0, 0), 10).map(({ ownerId }) => ownerId);
    expect([owners(key, "phrasing"), owners(otherModel, "phrasing"), owners(otherPrefixes, "phrasing"), owners(key, "episode")]).toEqual([
      ["a"],
      ["b"],
      ["c"],
      ["d"],
    ]);
    expect(vectors.otherKeys(key, "phrasing")).toEqual(["bb::3:", "aa::3:search"]);
  });

  it("of another dimension, or without direction, are refused before anything changes", () => {
    const { vectors } = memoryStores();
    const stored = [{ text: "a", vector: vector(1, 0, 0) }];
    vectors.replace(key, "phrasing", "a", stored);
    const replaceWith = (wrong: Float32Array) =>
      codeThrown(() =>
        vectors.replace(key, "phrasing", "a", [
          { text: "b", vector: vector(1, 0, 0) },
          { text: "c", vector: wrong },
        ]),
      );
    expect(replaceWith(vector(1, 0))).toBe("store.dimension");
    expect(replaceWith(vector(0, 0, 0))).toBe("store.vector");
    expect(replaceWith(vector(1, Number.NaN, 0))).toBe("store.vector");
    expect(codeThrown(() => vectors.search(key, "phrasing", vector(1, 0, 0, 0), 1))).toBe("store.dimension");
    expect(codeThrown(() => vectors.search(key, "phrasing", vector(0, 0, 0), 1))).toBe("store.vector");
    expect(vectors.vectorsOf(key, "phrasing", "a")).toEqual(stored);
  });

  it("of an owner are replaced as a whole, in the order given, the same text once", () => {
    const { vectors } = memoryStores();
    vectors.replace(key, "phrasing", "a", [{ text: "old", vector: vector(1, 0, 0) }]);
    const next = [
      { text: "z", vector: vector(0, 1, 0) },
      { text: "b", vector: vector(0, 0, 1) },
    ];
    vectors.replace(key, "phrasing", "a", [...next, { text: "z", vector: vector(0, 1, 0) }]);
    expect(vectors.vectorsOf(key, "phrasing", "a")).toEqual(next);
    vectors.replace(key, "phrasing", "a", []);
    expect(vectors.vectorsOf(key, "phrasing", "a")).toEqual([]);
    expect(vectors.searchText("phrasing", "old z b", 5)).toEqual([]);
  });

  it("taken from the middle of a larger array come back the same", () => {
    const { vectors } = memoryStores();
    const all = vector(9, 1, 2, 3, 9);
    vectors.replace(key, "phrasing", "a", [{ text: "a", vector: all.subarray(1, 4) }]);
    expect(vectors.vectorsOf(key, "phrasing", "a")[0]?.vector).toEqual(vector(1, 2, 3));
  });

  it("of a second embedder stand beside the first while the texts are the same", () => {
    const { vectors } = memoryStores();
    const entries = [{ text: "a", vector: vector(1, 0, 0) }];
    vectors.replace(key, "phrasing", "a", entries);
    expect(vectors.missing(otherModel, "phrasing", ["a", "never"])).toEqual(["a", "never"]);
    vectors.replace(otherModel, "phrasing", "a", entries);
    expect([vectors.missing(key, "phrasing", ["a"]), vectors.missing(otherModel, "phrasing", ["a"])]).toEqual([[], []]);
  });

  it("of the first embedder are missing again once the texts changed under the second", () => {
    const { vectors } = memoryStores();
    vectors.replace(key, "phrasing", "a", [{ text: "one", vector: vector(1, 0, 0) }]);
    vectors.replace(otherModel, "phrasing", "a", [{ text: "two", vector: vector(1, 0, 0) }]);
    expect(vectors.missing(key, "phrasing", ["a"])).toEqual(["a"]);
    expect(vectors.search(key, "phrasing", vector(1, 0, 0), 5)).toEqual([]);
    expect(vectors.searchText("phrasing", "one", 5)).toEqual([]);
  });

  it("go with their owner, under every key and kind", () => {
    const { vectors } = memoryStores();
    const entries = [{ text: "a", vector: vector(1, 0, 0) }];
    for (const which of [key, otherModel]) vectors.replace(which, "phrasing", "a", entries);
    vectors.replace(key, "episode", "a", entries);
    vectors.replace(key, "phrasing", "b", entries);
    vectors.remove("a");
    expect([vectors.vectorsOf(key, "phrasing", "a"), vectors.vectorsOf(otherModel, "phrasing", "a"), vectors.vectorsOf(key, "episode", "a")]).toEqual([
      [],
      [],
      [],
    ]);
    expect(vectors.searchText("phrasing", "a", 5)).toEqual([{ ownerId: "b", text: "a" }]);
    expect(vectors.otherKeys(key, "phrasing")).toEqual([]);
  });

  it("rank exactly as computing every cosine by hand does", () => {
    const component = fc.float({ min: -1, max: 1, noNaN: true });
    const direction = fc.tuple(component, component, component).filter((values) => Math.hypot(...values) > 0.01);
    fc.assert(
      fc.property(fc.array(direction, { minLength: 1, maxLength: 12 }), direction, (stored, query) => {
        const { vectors } = memoryStores();
        for (const [index, values] of stored.entries()) vectors.replace(key, "phrasing", `o${index}`, [{ text: "t", vector: vector(...values) }]);
        const best = Math.max(...stored.map((values) => cosine(values, query)));
        expect(vectors.search(key, "phrasing", vector(...query), 1)[0]?.score).toBeCloseTo(best, 4);
      }),
      { numRuns: 40 },
    );
  });
});

describe("full-text candidates", () => {
  it("are texts with any of the words, best first, of the kind asked for", () => {
    const { vectors } = memoryStores();
    const entries = (...texts: string[]) => texts.map((text) => ({ text, vector: vector(1, 0, 0) }));
    vectors.replace(key, "phrasing", "bill", entries("download my bills"));
    vectors.replace(key, "phrasing", "permit", entries("apply for a visitor permit", "bill a visitor"));
    vectors.replace(key, "episode", "e", entries("download a bill"));
    expect(vectors.searchText("phrasing", "download the bill", 5)).toEqual([
      { ownerId: "bill", text: "download my bills" },
      { ownerId: "permit", text: "bill a visitor" },
    ]);
    expect(vectors.searchText("phrasing", "download the bill", 1)).toHaveLength(1);
    expect(vectors.searchText("phrasing", "?!", 5)).toEqual([]);
  });
});

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}
