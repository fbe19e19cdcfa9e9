import { seeded } from "#base/seeded.ts";
import { cosine, meanOf } from "#base/vectors.ts";
import type { Embedder } from "../ports/embedder.ts";
import { asksForAnswer, recallText } from "../skills/index.ts";
import { whyOpposed } from "./opposites.ts";
import { outvotes, similarity } from "./similarity.ts";
import { certaintyOf, chanceOf } from "./thresholds.ts";

/** Goals that people might ask, by what they want done; written for this, by the project itself. */
export interface LabelledGoals {
  readonly kinds: readonly { readonly id: string; readonly whenToUse: string; readonly goals: readonly string[] }[];
  /** Kinds that are nearly the same and must not be taken for one another, by what tells them apart. */
  readonly pairs: readonly { readonly class: string; readonly a: string; readonly b: string }[];
  readonly outOfScope: readonly string[];
}

/** How many phrasings a skill has: shown once, learned from three runs, in use for a while. */
const phrasings = [1, 3, 5];
const stores = 4;

export interface Patience {
  readonly now: Date;
  /** Called every few hundredths of a second of reckoning, to let others have the processor. */
  readonly giveWay: () => Promise<void>;
}

/** One goal asked of one store: the best that stands, and what it should have been. */
export interface Asked {
  readonly certainty: number;
  /** 0 where the nearest phrasings speak for the next one. */
  readonly lead: number;
  /** Of the best. */
  readonly chance: number;
  readonly truth: "in-scope" | "out-of-scope" | "near-miss";
  readonly right: boolean;
  readonly pairClass: string;
}

export interface Kind {
  readonly texts: readonly string[];
  readonly answers: boolean;
  /** As phrasings of a skill: its when-to-use first, then its goals. */
  readonly documents: readonly Float32Array[];
  readonly queries: readonly Float32Array[];
  /** Kinds nearly the same, and the class of the pair. */
  readonly near: ReadonlyMap<number, string>;
}

/** What was asked of the stores, and how near goals came to the nearest phrasing of their own skill, nearest first. */
interface AskedOfStores {
  readonly kinds: readonly Kind[];
  readonly free: readonly Asked[];
  readonly onSite: readonly number[];
}

/**
 * Asks stores of made skills goals of their own kinds in other words, goals of kinds nearly the same, and goals that no skill is for; what is in a store is
 * chosen by chance that is the same each time. Embeds every goal once or twice. Throws what the embedder throws.
 */
export async function askMadeStores(goals: LabelledGoals, embedder: Embedder, { now, giveWay }: Patience, signal: AbortSignal): Promise<AskedOfStores> {
  const { kinds, outside } = await embedAll(goals, embedder, now, signal);
  const free: Asked[] = [];
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
  onSite.sort((a, b) => b - a);
  return { kinds, free, onSite };
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
  const isClear = second === undefined || outvotes(query, vectors, second.skill.vectors);
  return { certainty: certaintyOf(first.score, second?.score), lead: isClear ? first.score - (second?.score ?? 0) : 0, chance: chanceOf(vectors.length), kind };
}

function shuffled<T>(list: readonly T[], pick: () => number): T[] {
  const left = [...list];
  for (let at = left.length - 1; at > 0; at -= 1) {
    const other = Math.floor(pick() * (at + 1));
    [left[at], left[other]] = [left[other] as T, left[at] as T];
  }
  return left;
}
