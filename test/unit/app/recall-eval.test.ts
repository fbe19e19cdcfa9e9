import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { scriptedEmbedder } from "#adapters/scripted/index.ts";
import { shipped } from "#app/calibration.ts";
import type { RecallData } from "#app/eval/recall/data-sets.ts";
import { evalRecall, type RecallDataReport } from "#app/eval/recall/run.ts";
import type { Embedder } from "#core/ports/index.ts";

const never = new AbortController().signal;
const things = ["bill", "permit", "parcel", "class", "letter", "ticket", "song", "table"];
const asking = ["kindly", "quickly", "today", "once", "again"];

/** Under the key of the embedder that is calibrated, so that its thresholds are in use. */
const [modelHash = "", quantisation = ""] = shipped[0]?.key.split(":") ?? [];
const calibrated = (direction: (text: string) => readonly number[]) => scriptedEmbedder(direction, { key: { modelHash, quantisation, dimension: 384 } });
function direction(weights: Readonly<Record<number, number>>): number[] {
  return Array.from({ length: 384 }, (_, at) => weights[at] ?? 0);
}

/** Each thing in a direction of its own, and what it is asked with in another, which parts goals of one thing the more the rarer the word is. */
const byThing = (ownWord: number): Embedder =>
  calibrated((text) => {
    const words = text.toLowerCase().split(/\W+/u);
    const thing = things.findIndex((one) => words.includes(one));
    const ask = asking.findIndex((one) => words.includes(one));
    return direction({ 0: 0.05, ...(thing < 0 ? { 300: 1 } : { [1 + thing]: 1 }), ...(ask < 0 ? {} : { [100 + ask]: ownWord }) });
  });

const goal = (thing: string, ask: string): string => `show the ${thing} ${ask}`;
/** Each thing is asked for in the first three ways; then in the last two, many times over, and in between for what there is no skill for. */
const data: RecallData = {
  name: "made",
  skills: things.map((thing) => ({ name: thing, whenToUse: "", examples: asking.slice(0, 3).map((ask) => goal(thing, ask)) })),
  queries: [
    ...things.map((thing) => ({ text: `now ${goal(thing, "again")}`, skill: thing })),
    ...["moon", "whale"].map((what) => ({ text: `show the ${what} again`, skill: null })),
  ],
  stream: things.flatMap((thing) => [
    { text: `please ${goal(thing, "again")}`, skill: thing },
    { text: "why is the sky blue", skill: null },
  ]),
};

/** Where the evaluation makes its stores in this test. */
function ownTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "knack-eval-test-"));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

async function measured(embedder: Embedder, change: Partial<RecallData> = {}, most?: number): Promise<RecallDataReport> {
  const report = await evalRecall([{ ...data, ...change }], embedder, { phrasings: [3], answers: 200, ...(most === undefined ? {} : { most }) }, never);
  return report.sets[0] as RecallDataReport;
}

describe("evaluating recall", () => {
  it("finds every skill where the embedder tells them apart, and none for what there is none for; no control finds any", async () => {
    const folder = ownTemporaryFolder();
    const report = await measured(byThing(0.1));
    expect(report).toMatchObject({ data: "made", skills: 8, queries: 10, thresholds: { ...shipped[0]?.free, calibrated: true } });
    expect(report.settings).toMatchObject([
      { phrasings: 3, inScope: 8, outOfScope: 2, precision: 1, recall: 1, falseRecalls: 0, usedOrSuggested: 1, falseSuggestions: 0, best: 1 },
    ]);
    expect(report.reference).toMatchObject({ recall: 1, precision: 1, falseRecalls: 0 });
    expect(report.controls).toEqual({
      null: { precision: 0, recall: 0, falseRecalls: 0 },
      random: { precision: 0, recall: 0, falseRecalls: 0 },
      shuffled: { precision: 0, recall: 0, falseRecalls: 0 },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("shows that recall grows with what the user answers, and that precision stays", async () => {
    const { answers } = await measured(byThing(1.3));
    expect(answers.before.recall).toBe(0);
    expect([answers.taken, answers.after.recall, answers.after.precision, answers.after.falseRecalls]).toEqual([8, 1, 1, 0]);
    expect(answers.after.use).toBeLessThan(answers.before.use);
    expect([answers.answered, answers.asked]).toEqual([8, 16]);
  });

  it("stops to answer when as many are answered as were wanted", async () => {
    const report = await evalRecall([data], byThing(1.3), { phrasings: [3], answers: 2 }, never);
    expect(report.sets[0]?.answers).toMatchObject({ answered: 2, taken: 2, asked: 3 });
  });

  it("of one skill has a shuffled control too: there is no other name for it to go under", async () => {
    const report = await measured(byThing(0.1), { skills: data.skills.slice(0, 1), queries: data.queries.slice(0, 1) });
    expect([report.settings[0]?.recall, report.controls.shuffled.recall]).toEqual([1, 0]);
  });

  it("is the same again, asks no more queries than were wanted, and embeds each text once", async () => {
    const embedder = scriptedEmbedder();
    const first = await measured(embedder, {}, 4);
    const texts = embedder.asked.flatMap((one) => one.texts);
    expect([first.queries, texts.length]).toEqual([4, new Set(texts).size]);
    expect(await measured(scriptedEmbedder(), {}, 4)).toEqual(first);
  });

  it("says that an embedder is not calibrated, and measures it with the thresholds it then has", async () => {
    expect((await measured(scriptedEmbedder())).thresholds).toEqual({ use: 0.895, suggest: 0.775, margin: 0.05, calibrated: false, onSite: false });
  });

  it("stops when it is told to, and leaves nothing behind, nor where the embedder fails", async () => {
    const folder = ownTemporaryFolder();
    await expect(evalRecall([data], scriptedEmbedder(), { phrasings: [3], answers: 1 }, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    const broken = { ...scriptedEmbedder(), embed: () => Promise.reject(new Error("out of memory")) };
    await expect(evalRecall([data], broken, { phrasings: [3], answers: 1 }, never)).rejects.toThrow("out of memory");
    expect(readdirSync(folder)).toEqual([]);
  });
});
