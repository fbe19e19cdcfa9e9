import { seeded } from "#base/seeded.ts";
import { cosine, meanOf } from "#base/vectors.ts";
import type { Calibration } from "#contract/models/schema.ts";
import { type Embedder, embedderKeyText } from "../ports/embedder.ts";
import { asksForAnswer, recallText } from "../skills/index.ts";
import { whyOpposed } from "./opposites.ts";
import { similarity } from "./similarity.ts";
import { certaintyOf, chanceOf } from "./thresholds.ts";

/** Goals that people might ask, by what they want done; written for this, by the project itself. */
export interface LabelledGoals {
  readonly kinds: readonly { readonly id: string; readonly whenToUse: string; readonly goals: readonly string[] }[];
  /** Kinds that are nearly the same and must not be taken for one another, by what tells them apart. */
  readonly pairs: readonly { readonly class: string; readonly a: string; readonly b: string }[];
  readonly outOfScope: readonly string[];
}

/** What a threshold must hold (SPEC 4): the share of the skills used that were meant, and of the goals that no skill is for, how many may use or be suggested one. */
interface Wanted {
  readonly precision: number;
  readonly falseRecalls: number;
  readonly falseSuggestions: number;
}

const wantedFree: Wanted = { precision: 0.95, falseRecalls: 0.01, falseSuggestions: 0.25 };
/**
 * Who names a site means one of the few things it is used for, and what each of them needs tells which (see `structuralFit`): there a skill is used from
 * where half of all goals come to the nearest phrasing of their own skill, and suggested from where all but one in fifty do. Measured on nine sites.
 */
const usedOnSite = 0.5;
const suggestedOnSite = 0.98;
const marginOnSite = 0.04;
/** Share of the goals of a kind nearly the same that may pass, after what is opposite was told apart. */
const nearMissesAllowed = 0.05;
/** How many phrasings a skill has: shown once, learned from three runs, in use for a while. */
const phrasings = [1, 3, 5];
const stores = 4;
const margins = [0.02, 0.05];

/** One goal asked of one store: the best that stands, and what it should have been. */
interface Asked {
  readonly certainty: number;
  readonly lead: number;
  /** Of the best. */
  readonly chance: number;
  readonly truth: "in-scope" | "out-of-scope" | "near-miss";
  readonly right: boolean;
  readonly pairClass: string;
}

interface Kind {
  readonly texts: readonly string[];
  readonly answers: boolean;
  /** As phrasings of a skill: its when-to-use first, then its goals. */
  readonly documents: readonly Float32Array[];
  readonly queries: readonly Float32Array[];
  /** Kinds nearly the same, and the class of the pair. */
  readonly near: ReadonlyMap<number, string>;
}

/**
 * Finds where the similarities of an embedder begin to mean that a skill is meant: stores of made skills are asked goals of their own kinds in other words,
 * goals of kinds nearly the same, and goals that no skill is for; chosen are the lowest thresholds that hold. The same goals and embedder give the same
 * result. Embeds every goal once or twice. Throws what the embedder throws.
 * @param giveWay called every few hundredths of a second of reckoning, to let others have the processor
 */
export async function calibrate(
  goals: LabelledGoals,
  embedder: Embedder,
  { now, giveWay }: { readonly now: Date; readonly giveWay: () => Promise<void> },
  signal: AbortSignal,
): Promise<Calibration> {
  const { kinds, outside } = await embedAll(goals, embedder, now, signal);
  const free: Asked[] = [];
  /** How near goals come to the nearest phrasing of their own skill. */
  const onSite: number[] = [];
  for (let store = 0; store < stores; store += 1) {
    for (const count of phrasings) {
      for (const asked of askStore(kinds, outside, count, seeded(1 + store))) {
        free.push(...asked);
        await giveWay();
        signal.throwIfAborted();
      }
      for (const kind of kinds.keys()) onSite.push(...nearestOwn(kinds, makeSkill(kinds, kind, count, seeded(101 + store + 7 * kind))));
    }
  }
  const use = chooseUse(free, wantedFree);
  onSite.sort((a, b) => b - a);
  const suggest = chooseSuggest(free, use.threshold, wantedFree);
  return {
    embedder: embedder.id,
    key: embedderKeyText(embedder.key),
    goals: { kinds: goals.kinds.length, phrasings: goals.kinds.reduce((sum, kind) => sum + kind.goals.length, 0), outOfScope: goals.outOfScope.length },
    free: { use: rounded(use.threshold), suggest: rounded(suggest), margin: use.margin },
    site: { use: rounded(shareAbove(onSite, usedOnSite)), suggest: rounded(shareAbove(onSite, suggestedOnSite)), margin: marginOnSite },
    cluster: rounded(chooseCluster(kinds)),
    curve: { ...fitCurve(free.filter(({ truth, certainty }) => truth !== "near-miss" && certainty >= suggest)), points: curvePoints(free) },
    nearMisses: countNearMisses(free, use),
  };
}

async function embedAll(goals: LabelledGoals, embedder: Embedder, now: Date, signal: AbortSignal): Promise<{ kinds: Kind[]; outside: Outside[] }> {
  const { pairs, outOfScope } = goals;
  const byId = new Map(goals.kinds.map(({ id }, index) => [id, index]));
  const embed = (texts: readonly string[], kind: "query" | "document"): Promise<Float32Array[]> =>
    embedder.embed(
      texts.map((text) => recallText(text, now)),
      kind,
      signal,
    );
  const kinds: Kind[] = [];
  for (const [index, { whenToUse, goals: said }] of goals.kinds.entries()) {
    const documents = await embed([whenToUse, ...said], "document");
    const near = pairs.flatMap((pair): [number, string][] => {
      const [a, b] = [byId.get(pair.a), byId.get(pair.b)];
      return a === index && b !== undefined ? [[b, pair.class]] : b === index && a !== undefined ? [[a, pair.class]] : [];
    });
    const queries = embedder.key.prefixes === "" ? documents.slice(1) : await embed(said, "query");
    const answers = said.filter(asksForAnswer).length * 2 > said.length;
    kinds.push({ texts: [whenToUse, ...said], answers, documents, queries, near: new Map(near) });
  }
  const vectors = await embed(outOfScope, "query");
  return { kinds, outside: outOfScope.flatMap((goal, index) => (vectors[index] ? [{ goal, vector: vectors[index] }] : [])) };
}

interface Outside {
  readonly goal: string;
  readonly vector: Float32Array;
}

interface MadeSkill {
  readonly kind: number;
  readonly vectors: readonly Float32Array[];
  readonly mean: Float32Array;
  readonly texts: readonly string[];
  /** Places of the goals that it was not made from. */
  readonly others: readonly number[];
}

function makeSkill(kinds: readonly Kind[], kind: number, count: number, pick: () => number): MadeSkill {
  const { documents = [], texts = [], queries = [] } = kinds[kind] ?? {};
  const places = shuffled([...queries.keys()], pick);
  const own = [0, ...places.slice(0, count).map((place) => place + 1)];
  const vectors = own.flatMap((place) => documents[place] ?? []);
  return { kind, vectors, mean: meanOf(vectors), texts: own.map((place) => texts[place] ?? ""), others: places.slice(count) };
}

/** A store in which no two kinds are nearly the same, asked its own goals, those of kinds nearly the same, and those that no skill is for. */
function* askStore(kinds: readonly Kind[], outside: readonly Outside[], count: number, pick: () => number): Generator<Asked[]> {
  const chosen: number[] = [];
  for (const kind of shuffled([...kinds.keys()], pick)) if (!chosen.some((other) => kinds[kind]?.near.has(other) === true)) chosen.push(kind);
  const skills = chosen.map((kind) => makeSkill(kinds, kind, count, pick));
  for (const skill of skills) yield askOwn(kinds, skill, skills);
  for (const { goal, vector } of outside) yield [{ ...best(goal, vector, skills, kinds), truth: "out-of-scope", right: false, pairClass: "" }];
  for (const [kind, { near }] of kinds.entries()) {
    if (chosen.includes(kind)) continue;
    for (const [other, pairClass] of near) if (chosen.includes(other)) yield askAll(kinds, kind, skills, "near-miss", pairClass);
  }
}

function nearestOwn(kinds: readonly Kind[], { kind, others, vectors }: MadeSkill): number[] {
  return others.flatMap((place) => {
    const query = kinds[kind]?.queries[place];
    return query ? [Math.max(...vectors.map((vector) => cosine(query, vector)))] : [];
  });
}

/** What this share of them reaches. */
function shareAbove(falling: readonly number[], share: number): number {
  return falling[Math.min(falling.length - 1, Math.floor(share * falling.length))] ?? 1;
}

function askOwn(kinds: readonly Kind[], { kind, others }: MadeSkill, skills: readonly MadeSkill[]): Asked[] {
  const { queries = [], texts = [] } = kinds[kind] ?? {};
  return others.flatMap((place): Asked[] => {
    const vector = queries[place];
    if (!vector) return [];
    const found = best(texts[place + 1] ?? "", vector, skills, kinds);
    return [{ ...found, truth: "in-scope", right: found.kind === kind, pairClass: "" }];
  });
}

function askAll(kinds: readonly Kind[], kind: number, skills: readonly MadeSkill[], truth: Asked["truth"], pairClass: string): Asked[] {
  const { queries = [], texts = [] } = kinds[kind] ?? {};
  return queries.map((vector, place) => ({ ...best(texts[place + 1] ?? "", vector, skills, kinds), truth, right: false, pairClass }));
}

/** As recall does it: the nearest skills, those out that say the opposite, and the lead of the first over the second that stands. */
function best(
  goal: string,
  query: Float32Array,
  skills: readonly MadeSkill[],
  kinds: readonly Kind[],
): Pick<Asked, "certainty" | "lead" | "chance"> & { kind: number } {
  const ranked = skills.map((skill) => ({ skill, score: similarity(query, skill.vectors, skill.mean) })).sort((a, b) => b.score - a.score);
  const standing: typeof ranked = [];
  for (const one of ranked.slice(0, 5)) {
    if (standing.length === 2) break;
    if (one.score < 0.2 || whyOpposed(goal, one.skill.texts, kinds[one.skill.kind]?.answers === true) === null) standing.push(one);
  }
  const [first, second] = standing;
  if (!first) return { certainty: 0, lead: 0, chance: 0, kind: -1 };
  const { vectors, kind } = first.skill;
  return { certainty: certaintyOf(first.score, second?.score), lead: first.score - (second?.score ?? 0), chance: chanceOf(vectors.length), kind };
}

interface Choice {
  readonly threshold: number;
  readonly margin: number;
}

/** The margin, and the lowest threshold, with which most goals find their skill while what is wanted holds; 1 where nothing does. */
function chooseUse(asked: readonly Asked[], { precision, falseRecalls }: Wanted): Choice {
  let chosen: Choice & { found: number } = { threshold: 1, margin: margins[0] ?? 0, found: 0 };
  const total = (truth: Asked["truth"]): number => Math.max(1, asked.filter((one) => one.truth === truth).length);
  const [outOfScope, nearMisses] = [total("out-of-scope"), total("near-miss")];
  for (const margin of margins) {
    const sorted = asked.filter(({ lead }) => lead >= margin).sort((a, b) => b.certainty - a.certainty);
    const count = { right: 0, used: 0, out: 0, near: 0 };
    for (const { right, truth, certainty } of sorted) {
      if (truth === "near-miss") count.near += 1;
      else count.used += 1;
      if (right) count.right += 1;
      if (truth === "out-of-scope") count.out += 1;
      const holds =
        count.right / Math.max(1, count.used) >= precision && count.out <= falseRecalls * outOfScope && count.near <= nearMissesAllowed * nearMisses;
      if (holds && count.right > chosen.found) chosen = { threshold: certainty, margin, found: count.right };
    }
  }
  return chosen;
}

/** The certainty that no more than the allowed share of goals without a skill reach. */
function chooseSuggest(asked: readonly Asked[], use: number, { falseSuggestions }: Wanted): number {
  const outside = asked.filter(({ truth }) => truth === "out-of-scope").map(({ certainty, chance }) => certainty - chance);
  outside.sort((a, b) => b - a);
  return Math.min(use, outside[Math.floor(falseSuggestions * outside.length)] ?? use);
}

/** Similarity that one in a hundred pairs of goals of different kinds reaches, those nearly the same aside: the way of doing it tells them apart. */
function chooseCluster(kinds: readonly Kind[]): number {
  const apart: number[] = [];
  for (const [index, { queries, near }] of kinds.entries())
    for (const [other, { queries: others }] of kinds.entries())
      if (other > index && !near.has(other)) for (const a of queries.slice(0, 4)) for (const b of others.slice(0, 4)) apart.push(cosine(a, b));
  apart.sort((a, b) => b - a);
  return apart[Math.floor(apart.length / 100)] ?? 1;
}

/** Logistic regression of "the best one is meant" on the certainty, by Newton's method. */
function fitCurve(asked: readonly Asked[]): { slope: number; intercept: number } {
  let [intercept, slope] = [0, 0];
  for (let round = 0; round < 50; round += 1) {
    // A little is added to the diagonal, so that goals without a wrong one give a curve too.
    const sums = { g0: 0, g1: 0, h00: 1e-3, h01: 0, h11: 1e-3 };
    for (const { certainty, right } of asked) {
      const probability = 1 / (1 + Math.exp(-(intercept + slope * certainty)));
      const [rest, weight] = [(right ? 1 : 0) - probability, probability * (1 - probability)];
      sums.g0 += rest;
      sums.g1 += rest * certainty;
      sums.h00 += weight;
      sums.h01 += weight * certainty;
      sums.h11 += weight * certainty ** 2;
    }
    const determinant = sums.h00 * sums.h11 - sums.h01 ** 2;
    if (determinant <= 0) break;
    intercept += (sums.h11 * sums.g0 - sums.h01 * sums.g1) / determinant;
    slope += (sums.h00 * sums.g1 - sums.h01 * sums.g0) / determinant;
  }
  return { slope: rounded(slope), intercept: rounded(intercept) };
}

function curvePoints(asked: readonly Asked[]): Calibration["curve"]["points"] {
  const inScope = Math.max(1, asked.filter(({ truth }) => truth === "in-scope").length);
  const outOfScope = Math.max(1, asked.filter(({ truth }) => truth === "out-of-scope").length);
  return Array.from({ length: 15 }, (_, at) => rounded(0.3 + at * 0.05)).map((threshold) => {
    const used = asked.filter(({ certainty, truth }) => certainty >= threshold && truth !== "near-miss");
    const right = used.filter((one) => one.right).length;
    return {
      threshold,
      precision: rounded(used.length === 0 ? 1 : right / used.length),
      recall: rounded(right / inScope),
      falseRecalls: rounded(used.filter(({ truth }) => truth === "out-of-scope").length / outOfScope),
    };
  });
}

function countNearMisses(asked: readonly Asked[], { threshold, margin }: Choice): Calibration["nearMisses"] {
  const classes = [...new Set(asked.filter(({ truth }) => truth === "near-miss").map(({ pairClass }) => pairClass))].sort();
  return classes.map((pairClass) => {
    const goals = asked.filter((one) => one.pairClass === pairClass);
    return { class: pairClass, goals: goals.length, recalled: goals.filter(({ certainty, lead }) => certainty >= threshold && lead >= margin).length };
  });
}

function shuffled<T>(list: readonly T[], pick: () => number): T[] {
  const left = [...list];
  for (let at = left.length - 1; at > 0; at -= 1) {
    const other = Math.floor(pick() * (at + 1));
    [left[at], left[other]] = [left[other] as T, left[at] as T];
  }
  return left;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
