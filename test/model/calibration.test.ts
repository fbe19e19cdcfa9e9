import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shipped } from "#app/calibration.ts";
import { foldersOf } from "#app/folders.ts";
import type { Calibration } from "#contract/models/schema.ts";
import { knackIn } from "../shell/cli-process.ts";
import { realModel } from "./fixtures/real-models.ts";

let folder: string;
beforeAll(async () => {
  await realModel("all-minilm-l6-v2");
  folder = await mkdtemp(join(tmpdir(), "knack-calibration-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The command line with the models of this machine. */
const knack = (...args: string[]) => knackIn(folder, args, { env: { KNACK_CACHE: foldersOf(process.env).cacheFolder } });

/** Every number to two decimals; the curve, in logits, to one. */
function told(made: Calibration): unknown {
  const { curve, ...rest } = made;
  const at = (digits: number) => (_key: string, value: unknown) => (typeof value === "number" ? Number(value.toFixed(digits)) : value);
  return [JSON.parse(JSON.stringify({ ...rest, points: curve.points }, at(2))), JSON.parse(JSON.stringify([curve.slope, curve.intercept], at(1)))];
}

describe("all-MiniLM-L6-v2", () => {
  it("is shipped with what `knack models calibrate` finds", { timeout: 1_200_000 }, async () => {
    const { code, out, err } = await knack("models", "calibrate", "--json");
    expect([code, err]).toEqual([0, ""]);
    expect(told(JSON.parse(out))).toEqual(told(shipped[0] as Calibration));
  });
});

describe("knack eval recall", () => {
  const skills = [
    { name: "download-bill", whenToUse: "Download a bill from the portal", examples: ["Fetch my bill", "Get me the electricity bill", "Download the invoice"] },
    { name: "book-class", whenToUse: "Book a yoga class", examples: ["Book me a yoga class", "Reserve a place in the yoga class", "Sign me up for yoga"] },
  ];
  const queries = [
    { text: "Download my bill please", skill: "download-bill" },
    { text: "Sing me a song about whales", skill: null },
    { text: "Please book a yoga class", skill: "book-class" },
    { text: "How far is the moon?", skill: null },
  ];

  it("says with --json one document, and what happens meanwhile on stderr", async () => {
    const file = join(folder, "own.json");
    await writeFile(file, JSON.stringify({ skills, queries }));
    const { code, out, err } = await knack("eval", "recall", "--data", file, "--phrasings", "3", "--answers", "1", "--json");
    expect([code, err.split("\n").filter((line) => line.includes("own.json")).length]).toEqual([0, 3]);
    const report = JSON.parse(out);
    expect(report).toMatchObject({
      embedder: "all-minilm-l6-v2",
      key: shipped[0]?.key,
      sets: [{ data: "own.json", skills: 2, queries: 2, thresholds: { calibrated: true } }],
    });
    expect(Object.keys(report.sets[0].controls)).toEqual(["null", "random", "shuffled"]);
  });

  it("and for people a table for each set", async () => {
    const { code, out } = await knack("eval", "recall", "--data", join(folder, "own.json"), "--phrasings", "1,all", "--answers", "1");
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^own\.json: 2 skills, 2 goals; all-minilm-l6-v2\n[\s\S]*1 phrasings[\s\S]*all phrasings[\s\S]*control: shuffled/u),
    ]);
  });
});
