import { seeded, seedOf } from "#base/seeded.ts";
import { cosine } from "#base/vectors.ts";
import { KnackError } from "#contract/errors.ts";
import type { Recall } from "#contract/skills/schema.ts";
import { type Embedder, embedderKeyText } from "#core/ports/index.ts";
import { countAnswer, keepAnswer, thresholdsFor } from "#core/recall/index.ts";
import { recallText } from "#core/skills/index.ts";
import type { RecallData, RecallQuery } from "./data-sets.ts";
import { type CurvePoint, curveOf, type DangerousClass, type Decided, dangerousClasses, figuresOf, type RecallFigures, recallAt } from "./figures.ts";
import { openRecallStand, type RecallStand } from "./stand.ts";

export interface RecallSetting extends RecallFigures {
  /** Examples each skill was asked with; null for all of them. */
  readonly phrasings: number | null;
  /** Highest recall that any threshold gives with precision 0.95 and 1 % of false recalls. */
  readonly best: number;
  readonly curve: readonly CurvePoint[];
  readonly dangerous: readonly DangerousClass[];
}

export interface RecallDataReport {
  readonly data: string;
  readonly skills: number;
  readonly queries: number;
  readonly thresholds: { readonly use: number; readonly suggest: number; readonly margin: number; readonly calibrated: boolean };
  readonly settings: readonly RecallSetting[];
  /** By the nearest of three phrasings alone, from a cosine of 0.82: what an embedder that nobody calibrated would do. */
  readonly reference: { readonly phrasings: 3; readonly threshold: 0.82; readonly recall: number; readonly precision: number; readonly falseRecalls: number };
  /** Three phrasings a skill, then what a user answered to suggestions. */
  readonly answers: {
    readonly phrasings: number;
    readonly answered: number;
    readonly taken: number;
    readonly asked: number;
    readonly before: RecallFigures & { readonly use: number };
    readonly after: RecallFigures & { readonly use: number };
    /** Recall after over recall before, each at the threshold then in use; and where both are held to the precision there was before. */
    readonly gain: number;
    readonly gainAtSamePrecision: number;
  };
  /** Where nothing can be right: no skill, vectors that mean nothing, and skills under the names of others. */
  readonly controls: Readonly<Record<"null" | "random" | "shuffled", Pick<RecallFigures, "precision" | "recall" | "falseRecalls">>>;
}

export interface RecallReport {
  readonly embedder: string;
  readonly key: string;
  readonly sets: readonly RecallDataReport[];
}

export interface RecallEvalOptions {
  readonly phrasings: readonly (number | null)[];
  readonly answers: number;
  /** At most so many queries of each set, for a quick look. */
  readonly most?: number;
  readonly onNote?: (note: string) => void;
}

/** How well goals find their skills, through the whole of matching over real stores. Throws where the embedder does. */
export async function evalRecall(sets: readonly RecallData[], embedder: Embedder, options: RecallEvalOptions, signal: AbortSignal): Promise<RecallReport> {
  const remembering = remember(embedder);
  const reports: RecallDataReport[] = [];
  for (const data of sets) reports.push(await evalSet(withMost(data, options.most), remembering, options, signal));
  return { embedder: embedder.id, key: embedderKeyText(embedder.key), sets: reports };
}

async function evalSet(data: RecallData, embedder: Embedder, options: RecallEvalOptions, signal: AbortSignal): Promise<RecallDataReport> {
  const note = (text: string): void => options.onNote?.(`${data.name}: ${text}`);
  const names = data.skills.map(({ name }) => name);
  const settings: RecallSetting[] = [];
  let first: readonly Decided[] = [];
  let thresholds: RecallDataReport["thresholds"] | undefined;
  for (const phrasings of options.phrasings) {
    note(`${phrasings ?? "all"} phrasings a skill`);
    await withStand(data, phrasings, embedder, signal, async (stand) => {
      thresholds ??= thresholdsFor(stand.world.stores.calibrations, embedder.key, false);
      const decided = await decideAll(data.queries, stand, signal);
      if (settings.length === 0) first = decided;
      settings.push({
        phrasings,
        ...figuresOf(decided),
        best: recallAt(decided, 0.95, 0.01),
        curve: curveOf(decided),
        dangerous: dangerousClasses(names, decided),
      });
    });
  }
  if (!thresholds) throw new KnackError("bad-input", "Say with how many phrasings a skill is to be asked.");
  note("answers");
  const answers = await answering(data, embedder, options.answers, signal);
  note("controls");
  const sample = { ...data, queries: spread(data.queries, 1000) };
  const random = await withStand(sample, 3, madeOfNothing(embedder), signal, (stand) => decideAll(sample.queries, stand, signal), embedder);
  const none = await withStand({ ...sample, skills: [] }, 3, embedder, signal, (stand) => decideAll(sample.queries, stand, signal));
  const bare = ({ precision, recall, falseRecalls }: RecallFigures): Pick<RecallFigures, "precision" | "recall" | "falseRecalls"> => ({
    precision,
    recall,
    falseRecalls,
  });
  return {
    data: data.name,
    skills: data.skills.length,
    queries: data.queries.length,
    thresholds,
    settings,
    reference: await byNearestAlone(data, embedder, signal),
    answers,
    controls: { null: bare(figuresOf(none)), random: bare(figuresOf(random)), shuffled: bare(figuresOf(renamed(first, names))) },
  };
}

async function withStand<T>(
  data: Pick<RecallData, "skills">,
  phrasings: number | null,
  embedder: Embedder,
  signal: AbortSignal,
  work: (stand: RecallStand) => Promise<T>,
  calibratedAs = embedder,
): Promise<T> {
  const stand = await openRecallStand(data.skills, phrasings ?? Number.POSITIVE_INFINITY, embedder, calibratedAs, signal);
  try {
    return await work(stand);
  } finally {
    await stand.close();
  }
}

async function decideAll(queries: readonly RecallQuery[], stand: RecallStand, signal: AbortSignal): Promise<Decided[]> {
  const decided: Decided[] = [];
  for (const query of queries) {
    signal.throwIfAborted();
    decided.push(decidedAs(query, await stand.ask(query.text, signal), stand));
  }
  return decided;
}

function decidedAs(query: RecallQuery, { verdict, skillId, certainty }: Recall, { nameOf }: RecallStand): Decided {
  const best = nameOf(skillId);
  const what = verdict === "matched" ? "used" : verdict === "suggested" ? "suggested" : "neither";
  return { query, verdict: what, named: what === "neither" ? null : best, best, certainty: certainty ?? 0 };
}

/** A user takes what was meant and declines the rest; what is used and right goes by without a word, what is used and wrong is corrected. */
async function answering(data: RecallData, embedder: Embedder, wanted: number, signal: AbortSignal): Promise<RecallDataReport["answers"]> {
  return withStand(data, 3, embedder, signal, async (stand) => {
    const { stores, clock } = stand.world;
    const world = { ...stores, embedder: async () => embedder, now: clock() };
    const use = (): number => thresholdsFor(stores.calibrations, embedder.key, false).use;
    const before = await decideAll(data.queries, stand, signal);
    const useBefore = use();
    const count = { answered: 0, taken: 0, asked: 0 };
    for (const query of data.stream) {
      if (count.answered >= wanted) break;
      signal.throwIfAborted();
      const recall = await stand.ask(query.text, signal);
      const { verdict, best } = decidedAs(query, recall, stand);
      const right = best !== null && best === query.skill;
      count.asked += 1;
      if (verdict === "suggested") {
        await keepAnswer(world, { recall, episodeId: "" }, right, signal);
        count.answered += 1;
        if (right) count.taken += 1;
      } else if (verdict === "used" && right) countAnswer(stores.calibrations, recall, true, clock());
      else if (verdict === "used") await keepAnswer(world, { recall, episodeId: "" }, false, signal);
    }
    const after = await decideAll(data.queries, stand, signal);
    const [was, is] = [figuresOf(before), figuresOf(after)];
    return {
      phrasings: 3,
      ...count,
      before: { ...was, use: useBefore },
      after: { ...is, use: use() },
      gain: ratio(is.recall, was.recall),
      gainAtSamePrecision: ratio(recallAt(after, Math.min(was.precision, 0.95), 0.01), was.recall),
    };
  });
}

function ratio(after: number, before: number): number {
  return before === 0 ? 0 : Math.round((after / before) * 100) / 100;
}

/** What one fixed cosine to the nearest of three phrasings gives. */
async function byNearestAlone(data: RecallData, embedder: Embedder, signal: AbortSignal): Promise<RecallDataReport["reference"]> {
  return withStand(data, 3, embedder, signal, async ({ world, nameOf }) => {
    const now = new Date(world.clock());
    const known = world.stores.skills
      .list()
      .map(({ id }) => ({ name: nameOf(id), vectors: world.stores.vectors.vectorsOf(embedder.key, "phrasing", id).map(({ vector }) => vector) }));
    const decided: Decided[] = [];
    for (const query of data.queries) {
      signal.throwIfAborted();
      const [vector] = await embedder.embed([recallText(query.text, now)], "query", signal);
      const scored = known.map(({ name, vectors }) => ({ name, score: vector ? Math.max(-1, ...vectors.map((one) => cosine(one, vector))) : -1 }));
      const best = scored.reduce((a, b) => (b.score > a.score ? b : a), { name: null as string | null, score: -1 });
      const isUsed = best.score >= 0.82;
      decided.push({ query, verdict: isUsed ? "used" : "neither", named: isUsed ? best.name : null, best: best.name, certainty: best.score });
    }
    const { recall, precision, falseRecalls } = figuresOf(decided);
    return { phrasings: 3, threshold: 0.82, recall, precision, falseRecalls };
  });
}

/** Each text is embedded once: the same sentences are asked of several stores. */
function remember(embedder: Embedder): Embedder {
  const known = new Map<string, Float32Array>();
  const keyOf = (text: string, kind: string): string => (embedder.key.prefixes === "" ? text : `${kind} ${text}`);
  return {
    ...embedder,
    async embed(texts, kind, signal) {
      const fresh = [...new Set(texts)].filter((text) => !known.has(keyOf(text, kind)));
      for (const [at, vector] of (fresh.length === 0 ? [] : await embedder.embed(fresh, kind, signal)).entries())
        known.set(keyOf(fresh[at] ?? "", kind), vector);
      return texts.flatMap((text) => known.get(keyOf(text, kind)) ?? []);
    },
  };
}

/** Vectors that have nothing to do with the text but that the same text gets the same. */
function madeOfNothing({ id, key }: Embedder): Embedder {
  return {
    id,
    key,
    async embed(texts) {
      return texts.map((text) => {
        const pick = seeded(seedOf(text));
        const made = Float32Array.from({ length: key.dimension }, () => pick() + pick() + pick() - 1.5);
        const length = Math.hypot(...made);
        return made.map((value) => value / length);
      });
    },
    async dispose() {},
  };
}

/** The same decisions, where every skill goes under the name of another; a single one has none to go under. */
function renamed(decided: readonly Decided[], names: readonly string[]): Decided[] {
  const other = new Map(names.length < 2 ? [] : names.map((name, at) => [name, names[(at + 1) % names.length]]));
  return decided.map((one) => ({ ...one, named: one.named === null ? null : (other.get(one.named) ?? null) }));
}

function withMost(data: RecallData, most: number | undefined): RecallData {
  return most === undefined ? data : { ...data, queries: spread(data.queries, most) };
}

/** At most so many, from all over the list. */
function spread<T>(list: readonly T[], most: number): T[] {
  const every = Math.max(1, list.length / most);
  return list.filter((_, at) => Math.floor(at / every) !== Math.floor((at - 1) / every));
}
