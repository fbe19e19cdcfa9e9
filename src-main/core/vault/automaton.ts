/** One text to look for, in folded form. */
export interface Needle {
  readonly text: string;
  readonly name: string;
  /** Counts only where no letter or digit touches it. */
  readonly needsBoundary: boolean;
}

export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Finds, at each place, the longest needle that ends there. */
export type Finder = (units: Uint16Array) => Hit[];

interface Tables {
  /** Class of each code unit; 0 for units that are in no needle. */
  readonly classes: Uint16Array;
  readonly width: number;
  /** Next state by state × width + class, where there is one: a vault of hundreds of values has a million states, each with one or two ways on. */
  readonly steps: Steps;
  /** The state that knows the longest end of what a state knows. */
  readonly fail: Int32Array;
  /** Needle that ends in a state, −1 for none. */
  readonly needle: Int32Array;
  /** Next state on the way of failures that ends a needle, 0 for none. */
  readonly ending: Int32Array;
  readonly needles: readonly Needle[];
}

/** Finds every needle in one pass over a text (Aho and Corasick, CACM 1975). */
export function makeFinder(needles: readonly Needle[]): Finder {
  const tables = buildTables(needles.filter((needle) => needle.text !== ""));
  return (units) => scan(tables, units);
}

function buildTables(needles: readonly Needle[]): Tables {
  const classes = new Uint16Array(0x10000);
  let width = 1;
  let most = 1;
  for (const { text } of needles) {
    most += text.length;
    for (let index = 0; index < text.length; index += 1) if (classes[text.charCodeAt(index)] === 0) classes[text.charCodeAt(index)] = width++;
  }
  const steps = new Steps(most);
  const needle = new Int32Array(most).fill(-1);
  const parents: number[] = [0];
  const last: number[] = [0];
  for (const [number, { text, needsBoundary }] of needles.entries()) {
    let state = 0;
    for (let index = 0; index < text.length; index += 1) {
      const unit = classes[text.charCodeAt(index)] as number;
      const key = state * width + unit;
      let next = steps.get(key);
      if (next === 0) {
        next = parents.length;
        steps.set(key, next);
        parents.push(state);
        last.push(unit);
      }
      state = next;
    }
    const before = needles[needle[state] as number];
    // Of two equal needles the one without a boundary finds more.
    if (before === undefined || (before.needsBoundary && !needsBoundary)) needle[state] = number;
  }
  return { classes, width, steps, needle, needles, ...link(steps, needle, width, parents, last) };
}

/** Shorter beginnings first: where a state falls back to is found from where the one before it does. */
function link(
  steps: Steps,
  needle: Int32Array,
  width: number,
  parents: readonly number[],
  last: readonly number[],
): { readonly fail: Int32Array; readonly ending: Int32Array } {
  const fail = new Int32Array(parents.length);
  const ending = new Int32Array(parents.length);
  for (const state of byDepth(parents)) {
    const unit = last[state] as number;
    let back = parents[state] as number;
    let found = 0;
    while (back !== 0 && found === 0) {
      back = fail[back] as number;
      found = steps.get(back * width + unit);
    }
    fail[state] = found;
    ending[state] = (needle[found] as number) >= 0 ? found : (ending[found] as number);
  }
  return { fail, ending };
}

function byDepth(parents: readonly number[]): number[] {
  const depths = new Int32Array(parents.length);
  const levels: number[][] = [];
  // A state is made after the one before it.
  for (let state = 1; state < parents.length; state += 1) {
    const depth = (depths[state] = (depths[parents[state] as number] as number) + 1);
    (levels[depth] ??= []).push(state);
  }
  return levels.flat();
}

/** Whole numbers from 1 on by whole-number keys, in an open table that is never more than half full. */
class Steps {
  readonly #mask: number;
  readonly #keys: Int32Array;
  readonly #values: Int32Array;

  constructor(most: number) {
    const size = 2 ** Math.ceil(Math.log2(most * 2 + 2));
    this.#mask = size - 1;
    this.#keys = new Int32Array(size);
    this.#values = new Int32Array(size);
  }

  /** 0 where there is none. */
  get(key: number): number {
    for (let at = placeOf(key) & this.#mask; ; at = (at + 1) & this.#mask) {
      const value = this.#values[at] as number;
      if (value === 0 || this.#keys[at] === key) return value;
    }
  }

  /** Of a key that is not there yet. */
  set(key: number, value: number): void {
    let at = placeOf(key) & this.#mask;
    while (this.#values[at] !== 0) at = (at + 1) & this.#mask;
    this.#keys[at] = key;
    this.#values[at] = value;
  }
}

/** Spreads neighbouring keys over the table (Knuth's multiplicative hashing). */
function placeOf(key: number): number {
  const mixed = Math.imul(key, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

function scan({ classes, width, steps, fail, needle, ending, needles }: Tables, units: Uint16Array): Hit[] {
  const hits: Hit[] = [];
  // From the beginning most units lead nowhere; those ways are looked up most.
  const first = Int32Array.from({ length: width }, (_, unit) => (unit === 0 ? 0 : steps.get(unit)));
  let state = 0;
  for (let index = 0; index < units.length; index += 1) {
    const unit = classes[units[index] as number] as number;
    if (unit === 0) {
      state = 0;
      continue;
    }
    let next = 0;
    while (state !== 0 && next === 0) {
      next = steps.get(state * width + unit);
      if (next === 0) state = fail[state] as number;
    }
    state = next === 0 ? (first[unit] as number) : next;
    for (let end = (needle[state] as number) >= 0 ? state : (ending[state] as number); end !== 0; end = ending[end] as number) {
      const { text, name, needsBoundary } = needles[needle[end] as number] as Needle;
      const start = index + 1 - text.length;
      if (needsBoundary && (isWordUnit(units[start - 1]) || isWordUnit(units[index + 1]))) continue;
      hits.push({ start, end: index + 1, name });
      break;
    }
  }
  return hits;
}

function isWordUnit(unit: number | undefined): boolean {
  return unit !== undefined && /[\p{L}\p{N}]/u.test(String.fromCharCode(unit));
}
