import type { RecallQuery } from "./data-sets.ts";

/** One query as it was decided. `named` is the skill used or suggested, null for none. */
export interface Decided {
  readonly query: RecallQuery;
  readonly verdict: "used" | "suggested" | "neither";
  readonly named: string | null;
  /** The best that stood, whatever became of it, and how sure that was. */
  readonly best: string | null;
  readonly certainty: number;
}

/** Shares, 0 to 1. */
export interface RecallFigures {
  readonly inScope: number;
  readonly outOfScope: number;
  /** Of the skills used, those that were meant. */
  readonly precision: number;
  /** Of the goals in scope, those whose skill was used. */
  readonly recall: number;
  /** Of the goals out of scope, those that used a skill. */
  readonly falseRecalls: number;
  /** Of the goals in scope, those whose skill was used or suggested. */
  readonly usedOrSuggested: number;
  /** Of the goals out of scope, those that got a suggestion or a use. */
  readonly falseSuggestions: number;
}

export function figuresOf(decided: readonly Decided[]): RecallFigures {
  const inScope = decided.filter(({ query }) => query.skill !== null);
  const outOfScope = decided.filter(({ query }) => query.skill === null);
  const used = decided.filter(({ verdict }) => verdict === "used");
  const right = used.filter(isRight);
  const named = (some: readonly Decided[]): Decided[] => some.filter(({ verdict }) => verdict !== "neither");
  return {
    inScope: inScope.length,
    outOfScope: outOfScope.length,
    precision: share(right.length, used.length),
    recall: share(right.length, inScope.length),
    falseRecalls: share(outOfScope.filter(({ verdict }) => verdict === "used").length, outOfScope.length),
    usedOrSuggested: share(named(inScope).filter(isRight).length, inScope.length),
    falseSuggestions: share(named(outOfScope).length, outOfScope.length),
  };
}

function isRight({ query, named }: Decided): boolean {
  return named !== null && named === query.skill;
}

/** 0 of none. */
function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}

export interface CurvePoint {
  readonly threshold: number;
  readonly precision: number;
  readonly recall: number;
  readonly falseRecalls: number;
}

/** What each threshold of use would have given. */
export function curveOf(decided: readonly Decided[]): CurvePoint[] {
  return Array.from({ length: 15 }, (_, at) => Math.round((0.3 + at * 0.05) * 100) / 100).map((threshold) => {
    const { precision, recall, falseRecalls } = figuresOf(
      decided.map((one) => (one.certainty >= threshold ? { ...one, verdict: "used", named: one.best } : { ...one, verdict: "neither", named: null })),
    );
    return { threshold, precision, recall, falseRecalls };
  });
}

/** The highest recall with at least this precision and no more than this share of false recalls, over all thresholds. */
export function recallAt(decided: readonly Decided[], precision: number, falseRecalls: number): number {
  const sorted = [...decided].sort((a, b) => b.certainty - a.certainty);
  const total = { inScope: decided.filter(({ query }) => query.skill !== null).length, out: decided.filter(({ query }) => query.skill === null).length };
  const count = { right: 0, used: 0, out: 0 };
  let highest = 0;
  for (const [at, { query, best, certainty }] of sorted.entries()) {
    count.used += 1;
    if (query.skill === null) count.out += 1;
    if (best !== null && best === query.skill) count.right += 1;
    // No threshold parts what is equally sure.
    if (sorted[at + 1]?.certainty === certainty) continue;
    if (count.right >= precision * count.used && count.out <= falseRecalls * total.out) highest = Math.max(highest, share(count.right, total.inScope));
  }
  return highest;
}

/** Verbs of deeds on one object that must not be taken for one another; a class is dangerous where two skills share an object and differ in these. */
const dangerous: Readonly<Record<string, readonly string[]>> = {
  "set, query, remove": ["set", "add", "create", "createoradd", "query", "read", "check", "update", "change", "remove", "delete"],
  "book, cancel, confirm": ["book", "make", "accept", "cancel", "confirm", "decline", "reschedule", "move"],
  "pay, when due": ["pay", "due", "owe", "balance"],
};

export interface DangerousClass {
  readonly class: string;
  readonly pairs: number;
  /** Goals of a skill that stands in such a pair, and those of them that used, or were suggested, the other one of it. */
  readonly goals: number;
  readonly used: number;
  readonly suggested: number;
}

/** How often a goal of one skill got another that does something else with the same thing, by the words of their names. */
export function dangerousClasses(names: readonly string[], decided: readonly Decided[]): DangerousClass[] {
  return Object.entries(dangerous).map(([name, verbs]) => {
    const partners = new Map<string, Set<string>>();
    for (const one of names)
      for (const other of names)
        if (one !== other && isDangerous(wordsOf(one), wordsOf(other), verbs)) partners.set(one, (partners.get(one) ?? new Set()).add(other));
    const asked = decided.filter(({ query }) => query.skill !== null && partners.has(query.skill));
    const confused = asked.filter(({ query, named }) => named !== null && partners.get(query.skill ?? "")?.has(named) === true);
    return {
      class: name,
      pairs: [...partners.values()].reduce((sum, of) => sum + of.size, 0) / 2,
      goals: asked.length,
      used: confused.filter(({ verdict }) => verdict === "used").length,
      suggested: confused.filter(({ verdict }) => verdict === "suggested").length,
    };
  });
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^a-z]+/u)
    .filter((word) => word !== "");
}

function isDangerous(a: readonly string[], b: readonly string[], verbs: readonly string[]): boolean {
  const objects = (words: readonly string[]): string[] => words.filter((word) => !verbs.includes(word));
  const deed = (words: readonly string[]): string | undefined => words.find((word) => verbs.includes(word));
  const [left, right] = [objects(a), objects(b)];
  const [one, other] = [deed(a), deed(b)];
  return left.some((word) => right.includes(word)) && one !== other && one !== undefined && other !== undefined;
}
