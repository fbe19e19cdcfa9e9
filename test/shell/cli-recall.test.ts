import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectOneLine, knackIn } from "./cli-process.ts";

let folder: string;
const knack = (...args: string[]) => knackIn(folder, args);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-cli-recall-"));
  await writeFile(
    join(folder, "own.json"),
    JSON.stringify({ skills: [{ name: "bills", whenToUse: "Fetch a bill", examples: [] }], queries: [{ text: "My bill", skill: "bills" }] }),
  );
  await writeFile(join(folder, "damaged.json"), "{");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("knack eval recall", () => {
  test("says what it takes", async () => {
    const { code, out } = await knack("eval", "recall", "--help");
    expect(code).toBe(0);
    for (const option of ["--data <path>", "--phrasings <list>", "--answers <n>", "--most <n>", "--model <id>", "--json"]) expect(out).toContain(option);
  });

  test.each<[readonly string[], string]>([
    [["--phrasings", "few"], '--phrasings "few" is no number; expected numbers from 1, or "all"'],
    [["--phrasings", "3,0"], '--phrasings "0" is no number'],
    [["--phrasings", "1.5"], '--phrasings "1.5" is no number'],
    [["--phrasings", ""], '--phrasings "" is no number'],
    [["--answers", "0"], "--answers"],
    [["--most", "many"], "--most"],
    [["--data", "nowhere.json"], "There is no file or folder"],
    [["--data", "damaged.json"], "damaged.json is no JSON"],
    [["--data", "own.json", "--model", "nothing"], "nothing"],
    [["--speed", "1"], "--speed"],
  ])("refuses %j with what is allowed, and code 2", async (args, says) => {
    expectOneLine(await knack("eval", "recall", ...args), 2, says);
  });

  test("says where the model is missing, and how to get it", async () => {
    expectOneLine(await knack("eval", "recall", "--data", "own.json"), 1, "No embedding model is on this machine", "knack models get all-minilm-l6-v2");
    const { code, out } = await knack("eval", "recall", "--data", "own.json", "--json");
    expect([code, out]).toEqual([1, ""]);
  });
});

describe("knack models calibrate", () => {
  test("says where the model is missing, and how to get it", async () => {
    expectOneLine(await knack("models", "calibrate"), 1, "knack models get");
    expectOneLine(await knack("models", "calibrate", "--json"), 1, "knack models get");
  });
  test("takes nothing more", async () => {
    expectOneLine(await knack("models", "calibrate", "minilm"), 2, "calibrate");
  });
});
