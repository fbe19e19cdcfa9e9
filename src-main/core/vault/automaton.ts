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
  /** Next state, by state × width + class. */
  readonly steps: Int32Array;
  /** Needle that ends in a state, −1 for none. */
  readonly needle: Int32Array;
  /** Next state on the way of failures that ends a needle, 0 for none. */
  readonly ending: Int32Array;
  readonly needles: readonly Needle[];
}

/** Finds every needle in one pass over a text (Aho and Corasick, CACM 1975), with all steps worked out beforehand. */
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
  const steps = new Int32Array(most * width);
  const needle = new Int32Array(most).fill(-1);
  let states = 1;
  for (const [number, { text, needsBoundary }] of needles.entries()) {
    let state = 0;
    for (let index = 0; index < text.length; index += 1) {
      const at = state * width + (classes[text.charCodeAt(index)] as number);
      if (steps[at] === 0) steps[at] = states++;
      state = steps[at] as number;
    }
    const before = needles[needle[state] as number];
    // Of two equal needles the one without a boundary finds more.
    if (before === undefined || (before.needsBoundary && !needsBoundary)) needle[state] = number;
  }
  return { classes, width, steps, needle, ending: link(steps, needle, width, states), needles };
}

/** Breadth first: a step that leads nowhere becomes the step of the state one falls back to. */
function link(steps: Int32Array, needle: Int32Array, width: number, states: number): Int32Array {
  const fail = new Int32Array(states);
  const ending = new Int32Array(states);
  const queue: number[] = [];
  for (let unit = 1; unit < width; unit += 1) if (steps[unit] !== 0) queue.push(steps[unit] as number);
  for (let head = 0; head < queue.length; head += 1) {
    const state = queue[head] as number;
    const back = fail[state] as number;
    ending[state] = (needle[back] as number) >= 0 ? back : (ending[back] as number);
    for (let unit = 1; unit < width; unit += 1) {
      const at = state * width + unit;
      const fallback = steps[back * width + unit] as number;
      if (steps[at] === 0) steps[at] = fallback;
      else {
        fail[steps[at] as number] = fallback;
        queue.push(steps[at] as number);
      }
    }
  }
  return ending;
}

function scan({ classes, width, steps, needle, ending, needles }: Tables, units: Uint16Array): Hit[] {
  const hits: Hit[] = [];
  let state = 0;
  for (let index = 0; index < units.length; index += 1) {
    const unit = classes[units[index] as number] as number;
    state = unit === 0 ? 0 : (steps[state * width + unit] as number);
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
