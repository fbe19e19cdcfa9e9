import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { benchLearn } from "#app/bench/learn.ts";
import { madeEmbedder } from "#app/bench/made-embedder.ts";
import { contentOf, topicOf } from "#app/bench/made-skills.ts";
import { benchRecall } from "#app/bench/recall.ts";
import { timesOf } from "#app/bench/times.ts";
import { revisionContentSchema } from "#contract/skills/schema.ts";
import { fullyMechanical } from "#core/skills/index.ts";

const { signal } = new AbortController();

/** Where the bench makes its stores in this test; gone afterwards. */
function ownTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "knack-bench-test-"));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

describe("times", () => {
  it("are told as least, middle, ninety-fifth of a hundred and most", () =>
    expect(timesOf(Array.from({ length: 100 }, (_, at) => 100 - at))).toEqual({ min: 1, median: 50, p95: 95, max: 100 }));
  it("of one are that one", () => expect(timesOf([7])).toEqual({ min: 7, median: 7, p95: 7, max: 7 }));
  it("of none are an error", () => expect(() => timesOf([])).toThrow("nothing was timed"));
});

describe("the skills of a bench", () => {
  it("have names and goals of their own, ten thousand of them and more", () => {
    const numbers = Array.from({ length: 12_000 }, (_, n) => n);
    expect(new Set(numbers.map((n) => topicOf(n).name)).size).toBe(12_000);
  });

  it("are procedures of twelve mechanical steps, another in each revision and the same in each run", () => {
    const content = contentOf(17, 3);
    expect(revisionContentSchema.parse(content)).toEqual(content);
    expect([content.steps.length, fullyMechanical(content)]).toEqual([12, true]);
    expect(contentOf(17, 3)).toEqual(content);
    expect(contentOf(17, 4).steps).not.toEqual(content.steps);
  });

  it("are embedded without a model: the same text to the same unit vector, and those that share words alike", async () => {
    const embed = (texts: string[]) => madeEmbedder(64).embed(texts, "query", signal);
    const [a, b, c] = await embed(["fetch the bill", "fetch my bill", "sing a song"]);
    const dot = (one?: Float32Array, other?: Float32Array): number => one?.reduce((sum, value, at) => sum + value * (other?.[at] ?? 0), 0) ?? 0;
    expect(await embed(["fetch the bill"])).toEqual([a]);
    expect(dot(a, a)).toBeCloseTo(1, 5);
    expect(dot(a, b)).toBeGreaterThan(dot(a, c) + 0.2);
  });
});

describe("knack bench recall", () => {
  it("times list, show, history and match beside a tenth of the skills, and leaves nothing behind", async () => {
    const folder = ownTemporaryFolder();
    const notes: string[] = [];
    const report = await benchRecall({ skills: 40, revisions: 3, repetitions: 12, dimension: 64, onNote: (note) => notes.push(note) }, signal);
    expect(report.operations.map(({ operation }) => operation)).toEqual(["list", "show", "history", "match"]);
    for (const { times, reference, processor, growth } of report.operations) {
      expect([times.min <= times.median && times.median <= times.p95 && times.p95 <= times.max, reference.min > 0, processor.max >= 0, growth > 0]).toEqual(
        Array(4).fill(true),
      );
    }
    expect([report.store, report.reference]).toMatchObject([
      { skills: 40, revisions: 120, runs: 400 },
      { skills: 4, revisions: 12, runs: 40 },
    ]);
    // Not a bench of finding nothing.
    expect((report.verdicts.matched ?? 0) + (report.verdicts.suggested ?? 0)).toBeGreaterThan(0);
    expect(notes.join("\n")).toContain("making 40 skills of 3 revisions");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("stopped meanwhile, it leaves nothing behind either", async () => {
    const folder = ownTemporaryFolder();
    const control = new AbortController();
    const running = benchRecall(
      { skills: 200, revisions: 2, repetitions: 5, dimension: 8, onNote: (note) => note.startsWith("list") && control.abort(new Error("stopped")) },
      control.signal,
    );
    await expect(running).rejects.toThrow("stopped");
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["skills", { skills: 0 }],
    ["revisions", { revisions: 1.5 }],
    ["repetitions", { repetitions: -1 }],
    ["dimension", { dimension: 5000 }],
  ])("refuses %s that make no sense", async (name, change) => {
    await expect(benchRecall({ skills: 10, revisions: 1, repetitions: 1, dimension: 8, ...change }, signal)).rejects.toThrow(
      new RegExp(`^${name} is .*expected a whole number`, "u"),
    );
  });
});

describe("knack bench learn", () => {
  const size = { episodes: 60, fresh: 40, kinds: 3, repetitions: 2, messages: 2, dimension: 32, realFrom: null };

  it("times passes in a full store and an empty one and answers in the middle of them, finds something, and leaves nothing behind", async () => {
    const folder = ownTemporaryFolder();
    const notes: string[] = [];
    const report = await benchLearn({ ...size, onNote: (note) => notes.push(note) }, signal);
    expect(report.store).toMatchObject({ episodes: 60, steps: 600, kinds: 3 });
    for (const { full, empty, ratio } of [report.pass, report.processor])
      expect([full.min > 0, empty.min > 0, full.min <= full.median && full.median <= full.max, ratio]).toEqual([true, true, true, full.median / empty.median]);
    expect([report.firstToken.messages, report.firstToken.inPass.min > 200, report.firstToken.without.min > 200]).toEqual([2, true, true]);
    // Not a bench of finding nothing.
    expect(report.decisions.added ?? report.decisions.unchanged).toBeGreaterThan(0);
    expect(notes.join("\n")).toContain("pass 2 over 40 new episodes, full store");
    expect(readdirSync(folder)).toEqual([]);
  }, 60_000);

  it("stopped meanwhile, it leaves nothing behind either", async () => {
    const folder = ownTemporaryFolder();
    const control = new AbortController();
    const running = benchLearn({ ...size, onNote: (note) => note.startsWith("pass 1") && control.abort(new Error("stopped")) }, control.signal);
    await expect(running).rejects.toThrow("stopped");
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([["episodes"], ["fresh"], ["kinds"], ["repetitions"], ["messages"], ["dimension"]])("refuses %s that make no sense", async (name) => {
    await expect(benchLearn({ ...size, [name]: 0 }, signal)).rejects.toThrow(new RegExp(`^${name} is 0; expected a whole number`, "u"));
  });
});
