import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { clip } from "#base/text.ts";
import { badInput } from "#contract/errors.ts";
import { labelledGoals } from "../../calibration.ts";

export interface RecallQuery {
  readonly text: string;
  /** The skill it is meant for; null where there is none. */
  readonly skill: string | null;
}

/** Skills as they were learned, and what is asked of them. */
export interface RecallData {
  readonly name: string;
  readonly skills: readonly { readonly name: string; readonly whenToUse: string; readonly examples: readonly string[] }[];
  readonly queries: readonly RecallQuery[];
  /** What a user asks, and answers, before it is measured again; none of it is among the queries. */
  readonly stream: readonly RecallQuery[];
}

const said = z.string().refine((text) => text.trim() !== "", "there is no word in it");
const ownSchema = z.object({
  skills: z
    .array(
      z
        .object({ name: z.string().min(1), whenToUse: z.string(), examples: z.array(z.string()) })
        .refine(({ whenToUse, examples }) => [whenToUse, ...examples].some((text) => text.trim() !== ""), "it says neither when to use it nor an example"),
    )
    .min(1, "there is no skill in it"),
  queries: z.array(z.object({ text: said, skill: z.string().nullable() })).min(1, "there is no query in it"),
});

const pairs = z.array(z.tuple([said, z.string().min(1)]));
/** CLINC150 as it is published: sentences with their intent, those out of scope apart. */
const clincSchema = z.object({ train: pairs, val: pairs, test: pairs, oos_train: pairs, oos_val: pairs, oos_test: pairs });
/** One line of SLURP's text part. */
const slurpSchema = z.object({ sentence: said, intent: z.string().min(1) });

/**
 * Data from a file, or from every file of a folder that is known: our own form ({skills, queries}), CLINC150, or SLURP's two parts, of which "devel"
 * gives the skills and "test" the queries. Without a path the goals that thresholds are calibrated with, half of each kind. Throws bad-input.
 */
export function readRecallData(path: string | undefined): RecallData[] {
  if (path === undefined) return [calibrationGoals()];
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info) throw badInput(`There is no file or folder ${path}`);
  if (!info.isDirectory()) return [readOne(path)];
  const names = readdirSync(path).sort();
  const found = names.filter((name) => name.endsWith(".json")).flatMap((name) => readIfKnown(join(path, name)));
  const [devel, test] = ["devel", "test"].map((part) => names.find((name) => name.includes(part) && name.endsWith(".jsonl")));
  if (devel !== undefined && test !== undefined) found.push(slurp(join(path, devel), join(path, test)));
  if (found.length === 0) throw badInput(`No file in ${path} has skills and queries, or is CLINC150 or SLURP`);
  return found;
}

function readOne(path: string): RecallData {
  if (path.endsWith(".jsonl")) throw badInput(`${path} is one part of a data set; name the folder with its "devel" and its "test" part`);
  const json = readJson(path);
  const clinc = clincSchema.safeParse(json);
  if (clinc.success) return fromClinc(path, clinc.data);
  const own = ownSchema.safeParse(json);
  if (!own.success)
    throw badInput(
      `${path}: ${own.error.issues
        .map((issue) => `${issue.path.join(".") || "the file"}: ${issue.message}`)
        .slice(0, 5)
        .join("; ")}`,
    );
  const known = new Set(own.data.skills.map(({ name }) => name));
  const twice = own.data.skills.find(({ name }, at) => own.data.skills.findIndex((other) => other.name === name) !== at);
  if (twice) throw badInput(`${path}: the skill "${clip(twice.name, 80)}" is there twice; name each once, with all its examples`);
  const mute = own.data.skills.find(({ whenToUse, examples }) => [whenToUse, ...examples].every((text) => text.trim() === ""));
  if (mute) throw badInput(`${path}: the skill "${clip(mute.name, 80)}" says neither when to use it nor one example, so nothing could find it`);
  const stray = own.data.queries.find(({ skill }) => skill !== null && !known.has(skill));
  if (stray) throw badInput(`${path}: a query is for the skill "${stray.skill}", which is not among its skills`);
  return halved(basename(path), own.data.skills, own.data.queries);
}

function readIfKnown(path: string): RecallData[] {
  const json = readJson(path);
  return clincSchema.safeParse(json).success || ownSchema.safeParse(json).success ? [readOne(path)] : [];
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw badInput(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readJson(path: string): unknown {
  return parseJson(readText(path), path);
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badInput(`${where} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fromClinc(path: string, { train, val, test, oos_train, oos_val, oos_test }: z.infer<typeof clincSchema>): RecallData {
  const empty = train.length === 0 ? "train" : test.length + oos_test.length === 0 ? "test" : null;
  if (empty !== null) throw badInput(`${path}: there is no sentence in "${empty}"`);
  const skills = skillsOf(train);
  const known = new Set(skills.map((skill) => skill.name));
  const asked = (rows: z.infer<typeof pairs>, inScope: boolean): RecallQuery[] =>
    rows.map(([text, intent]) => ({ text, skill: inScope && known.has(intent) ? intent : null }));
  const stream = interleaved(asked(val, true), [...asked(oos_val, false), ...asked(oos_train, false)]);
  return { name: basename(path), skills, queries: [...asked(test, true), ...asked(oos_test, false)], stream };
}

function slurp(develPath: string, testPath: string): RecallData {
  const [devel, test] = [develPath, testPath].map((path) =>
    readText(path)
      .split("\n")
      .flatMap((line, index): [string, string][] => {
        if (line.trim() === "") return [];
        const row = slurpSchema.safeParse(parseJson(line, `${path}, line ${index + 1},`));
        if (!row.success) throw badInput(`${path}, line ${index + 1}: expected a sentence and an intent`);
        return [[row.data.sentence, row.data.intent]];
      }),
  ) as [[string, string][], [string, string][]];
  if (devel.length === 0 || test.length === 0) throw badInput(`${devel.length === 0 ? develPath : testPath}: there is no sentence in it`);
  const skills = skillsOf(devel);
  const known = new Set(skills.map((skill) => skill.name));
  return halved(
    "slurp",
    skills,
    test.map(([text, intent]) => ({ text, skill: known.has(intent) ? intent : null })),
  );
}

function skillsOf(rows: readonly (readonly [string, string])[]): { name: string; whenToUse: string; examples: string[] }[] {
  const byIntent = new Map<string, string[]>();
  for (const [text, intent] of rows) byIntent.set(intent, [...(byIntent.get(intent) ?? []), text]);
  return [...byIntent].map(([name, examples]) => ({ name, whenToUse: "", examples: [...new Set(examples)] }));
}

function calibrationGoals(): RecallData {
  const skills = labelledGoals.kinds.map(({ id, whenToUse, goals }) => ({ name: id, whenToUse, examples: goals.filter((_, at) => at % 2 === 0) }));
  const queries = labelledGoals.kinds.flatMap(({ id, goals }) => goals.filter((_, at) => at % 2 === 1).map((text) => ({ text, skill: id })));
  return halved("the goals thresholds are calibrated with", skills, [...queries, ...labelledGoals.outOfScope.map((text) => ({ text, skill: null }))]);
}

/** Every second query is asked, and answered, before the others are measured. */
function halved(name: string, skills: RecallData["skills"], queries: readonly RecallQuery[]): RecallData {
  return { name, skills, queries: queries.filter((_, at) => at % 2 === 0), stream: queries.filter((_, at) => at % 2 === 1) };
}

/** Both in their order, in proportion, so that no stretch of it is all of one kind. */
function interleaved(many: readonly RecallQuery[], few: readonly RecallQuery[]): RecallQuery[] {
  return [...many.map((query, at) => ({ query, place: at / many.length })), ...few.map((query, at) => ({ query, place: (at + 0.5) / few.length }))]
    .sort((a, b) => a.place - b.place)
    .map(({ query }) => query);
}
