import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readRecallData } from "#app/eval/recall/data-sets.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "knack-data-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe("data that recall is measured with", () => {
  it("says which line of SLURP is no sentence, also where it is no JSON", () => {
    const slurp = folder();
    mkdirSync(slurp, { recursive: true });
    const line = JSON.stringify({ sentence: "wake me", intent: "alarm" });
    writeFileSync(join(slurp, "devel.jsonl"), line);
    writeFileSync(join(slurp, "test.jsonl"), `${line}\n{broken\n`);
    expect(() => readRecallData(slurp)).toThrow("test.jsonl, line 2: expected a sentence and an intent");
  });

  it.each([
    ["a skill that nothing could find", [{ name: "bills", whenToUse: " ", examples: [""] }], 'the skill "bills" says neither'],
    [
      "two skills of one name",
      [
        { name: "bills", whenToUse: "x", examples: [] },
        { name: "bills", whenToUse: "y", examples: [] },
      ],
      'the skill "bills" is there twice',
    ],
  ])("refuses %s", (_what, skills, message) => {
    const file = join(folder(), "own.json");
    writeFileSync(file, JSON.stringify({ skills, queries: [{ text: "Show bills", skill: "bills" }] }));
    expect(() => readRecallData(file)).toThrow(message);
  });
});
