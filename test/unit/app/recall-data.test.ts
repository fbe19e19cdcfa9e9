import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readRecallData } from "#app/eval/recall/data-sets.ts";
import { KnackError } from "#contract/errors.ts";

/** A folder with these files, gone after the test. */
function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), "knack-recall-data-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return folder;
}
const fileWith = (content: unknown, name = "own.json"): string => join(folderWith({ [name]: content }), name);

/** What is wrong, without the folder; fails where nothing is. */
function refusal(path: string): string {
  try {
    readRecallData(path);
  } catch (error) {
    expect(error).toBeInstanceOf(KnackError);
    expect(error).toMatchObject({ code: "bad-input", exit: 2 });
    return (error as KnackError).message.replaceAll(/\S*knack-recall-data-[^/\s]*\/?/gu, "");
  }
  throw new Error("nothing was refused");
}

const skill = (name: string, ...examples: string[]) => ({ name, whenToUse: "", examples });
const bills = skill("bills", "Fetch my bill", "Get the bill");
const own = { skills: [bills], queries: [{ text: "My bill", skill: "bills" }] };

const clinc = {
  train: [
    ["move it to tomorrow", "reschedule"],
    ["fetch my bill", "bill"],
    ["get the bill", "bill"],
    ["get the bill", "bill"],
  ],
  val: [
    ["my bill", "bill"],
    ["bill please", "bill"],
    ["the bill", "bill"],
    ["another day", "reschedule"],
  ],
  test: [
    ["show the bill", "bill"],
    ["of an intent without a sentence to learn from", "untaught"],
  ],
  oos_train: [["why is the sky blue", "oos"]],
  oos_val: [["sing to me", "oos"]],
  oos_test: [["how far is the moon", "oos"]],
};

const line = (sentence: string, intent: string): string => JSON.stringify({ sentence, intent, scenario: "x", action: "y" });

describe("data of one's own", () => {
  it("is every second query to measure with, and the others to answer before", () => {
    const queries = ["a", "b", "c", "d", "e"].map((text, at) => ({ text, skill: at < 3 ? "bills" : null }));
    expect(readRecallData(fileWith({ skills: [bills], queries }))).toEqual([
      {
        name: "own.json",
        skills: [bills],
        queries: [queries[0], queries[2], queries[4]],
        stream: [queries[1], queries[3]],
      },
    ]);
  });

  it.each<[string, unknown, string]>([
    ["no JSON", "{", "own.json is no JSON: "],
    ["empty", "", "own.json is no JSON: "],
    ["something else", [1], "own.json: the file: Invalid input: expected object, received array"],
    ["no skills", { queries: own.queries }, "own.json: skills: Invalid input: expected array, received undefined"],
    ["an empty list of skills", { ...own, skills: [] }, "own.json: skills: there is no skill in it"],
    ["no queries", { skills: [bills] }, "own.json: queries: Invalid input: expected array, received undefined"],
    ["an empty list of queries", { ...own, queries: [] }, "own.json: queries: there is no query in it"],
    ["a skill without a name", { ...own, skills: [{ ...bills, name: "" }] }, "own.json: skills.0.name: "],
    ["a skill nothing is said of", { ...own, skills: [bills, skill("empty", " ")] }, "own.json: skills.1: it says neither when to use it nor an example"],
    ["examples that are no list", { ...own, skills: [{ ...bills, examples: "a" }] }, "own.json: skills.0.examples: "],
    ["a query without a word", { ...own, queries: [{ text: " ", skill: null }] }, "own.json: queries.0.text: there is no word in it"],
    ["a query that does not say for what it is", { ...own, queries: [{ text: "a" }] }, "own.json: queries.0.skill: "],
    [
      "a query for a skill that is not there",
      { ...own, queries: [{ text: "a", skill: "gone" }] },
      'own.json: a query is for the skill "gone", which is not among its skills',
    ],
    ["two skills of one name", { ...own, skills: [bills, bills] }, 'own.json: the skill "bills" is there twice; name each once, with all its examples'],
  ])("with %s is refused, and it is said what is wrong where", (_what, content, says) => expect(refusal(fileWith(content))).toContain(says));

  it("is told of five faults at most", () => {
    const queries = Array.from({ length: 9 }, () => ({ text: "", skill: null }));
    expect(refusal(fileWith({ skills: [bills], queries })).split("; ")).toHaveLength(5);
  });

  it("that is not there is named", () => expect(refusal("/nowhere/own.json")).toBe("There is no file or folder /nowhere/own.json"));
});

describe("CLINC150", () => {
  it("is a skill per intent from its training sentences, its test sentences as queries, and the rest to answer, those out of scope in between", () => {
    expect(readRecallData(fileWith(clinc, "clinc.json"))).toEqual([
      {
        name: "clinc.json",
        skills: [skill("reschedule", "move it to tomorrow"), skill("bill", "fetch my bill", "get the bill")],
        queries: [
          { text: "show the bill", skill: "bill" },
          { text: "of an intent without a sentence to learn from", skill: null },
          { text: "how far is the moon", skill: null },
        ],
        stream: [
          { text: "my bill", skill: "bill" },
          { text: "bill please", skill: "bill" },
          { text: "sing to me", skill: null },
          { text: "the bill", skill: "bill" },
          { text: "another day", skill: "reschedule" },
          { text: "why is the sky blue", skill: null },
        ],
      },
    ]);
  });
  it.each<[string, unknown, string]>([
    ["without a sentence to learn from", { ...clinc, train: [] }, 'clinc.json: there is no sentence in "train"'],
    ["without a sentence to ask", { ...clinc, test: [], oos_test: [] }, 'clinc.json: there is no sentence in "test"'],
    ["with a part missing", { ...clinc, oos_val: undefined }, "clinc.json: skills: "],
    ["with a sentence of no intent", { ...clinc, test: [["a", ""]] }, "clinc.json: skills: "],
  ])("%s is refused", (_what, content, says) => expect(refusal(fileWith(content, "clinc.json"))).toContain(says));
});

describe("SLURP", () => {
  const devel = [line("set an alarm", "alarm_set"), "", line("wake me", "alarm_set"), line("play music", "music")].join("\n");
  const test = [line("alarm at six", "alarm_set"), line("what is love", "qa"), line("a song", "music")].join("\n");

  it("is a folder: its devel part gives the skills, its test part the queries; an intent that is not in both has no skill", () => {
    expect(readRecallData(folderWith({ "slurp-devel.jsonl": devel, "slurp-test.jsonl": test, "README.md": "no data" }))).toEqual([
      {
        name: "slurp",
        skills: [skill("alarm_set", "set an alarm", "wake me"), skill("music", "play music")],
        queries: [
          { text: "alarm at six", skill: "alarm_set" },
          { text: "a song", skill: "music" },
        ],
        stream: [{ text: "what is love", skill: null }],
      },
    ]);
  });
  it.each<[string, Record<string, string>, string]>([
    ["a line that is no JSON, with its number", { devel: `\n\n${devel}\n{"sentence`, test }, "devel.jsonl, line 7, is no JSON: "],
    [
      "a line that has no intent, with its number",
      { devel: `\n${JSON.stringify({ sentence: "a" })}`, test },
      "devel.jsonl, line 2: expected a sentence and an intent",
    ],
    ["a line without a word", { devel, test: line(" ", "qa") }, "test.jsonl, line 1: expected a sentence and an intent"],
    ["an empty part", { devel: "\n", test }, "devel.jsonl: there is no sentence in it"],
    ["another empty part", { devel, test: "" }, "test.jsonl: there is no sentence in it"],
  ])("is refused for %s", (_what, parts, says) => expect(refusal(folderWith({ "devel.jsonl": parts.devel, "test.jsonl": parts.test }))).toContain(says));
  it("is refused as one part alone", () =>
    expect(refusal(join(folderWith({ "slurp-test.jsonl": test }), "slurp-test.jsonl"))).toContain(
      'slurp-test.jsonl is one part of a data set; name the folder with its "devel" and its "test" part',
    ));
});

describe("a folder", () => {
  it("is read whole, in the order of names, but for what is no data", () => {
    const folder = folderWith({ "b.json": own, "a-clinc.json": clinc, "package.json": { name: "something else" }, "notes.txt": "" });
    expect(readRecallData(folder).map(({ name }) => name)).toEqual(["a-clinc.json", "b.json"]);
  });
  it("in which nothing is data is refused", () =>
    expect(refusal(folderWith({ "a.json": {}, "test.jsonl": "" }))).toMatch(/^No file in .* has skills and queries, or is CLINC150 or SLURP$/u));
  it("with a file that is damaged, or cannot be read, is refused by that file's name", () => {
    expect(refusal(folderWith({ "a.json": own, "b.json": "{" }))).toContain("b.json is no JSON");
    const folder = folderWith({ "a.json": own });
    mkdirSync(join(folder, "c.json"));
    expect(refusal(folder)).toContain("c.json cannot be read");
  });
});

it("without a path it is the goals of the calibration: half of each kind learned from, none of these asked", () => {
  const [data] = readRecallData(undefined);
  const learned = new Set(data?.skills.flatMap(({ examples }) => examples));
  const asked = [...(data?.queries ?? []), ...(data?.stream ?? [])];
  expect(asked.filter(({ text }) => learned.has(text))).toEqual([]);
  expect([learned.size >= 240, asked.some(({ skill: meant }) => meant === null)]).toEqual([true, true]);
});
