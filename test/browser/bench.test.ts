import { describe, expect, it } from "vitest";
import { benchBrowser } from "#app/bench/browser.ts";

const { signal } = new AbortController();
const options = {
  sitesFolder: "test/fixtures/sites",
  pairs: 2,
  decisions: 500,
  grants: 3,
  env: { ...process.env, KNACK_NO_SANDBOX: process.getuid?.() === 0 ? "1" : "" },
};

describe("knack bench browser", () => {
  it("loads every site in both browsers and times decisions", async () => {
    const notes: string[] = [];
    const { pages, load, decision } = await benchBrowser({ ...options, onNote: (note) => notes.push(note) }, signal);
    expect(pages).toBeGreaterThanOrEqual(9);
    expect(load).toMatchObject({ pairs: 2, ratio: load.guarded.median / load.plain.median });
    expect(load.plain.min).toBeGreaterThan(0);
    expect(decision).toMatchObject({ count: 500, grants: 3, isWithin: decision.microseconds.median < 50 });
    expect(notes).toEqual(["starting both browsers", "pair 1 of 2", "pair 2 of 2", "timing decisions"]);
  });

  it.each([{ pairs: 0 }, { decisions: 1.5 }, { grants: -1 }])("takes no %j", async (wrong) => {
    await expect(benchBrowser({ ...options, ...wrong }, signal)).rejects.toThrow(/expected a whole number from 1/u);
  });
});
