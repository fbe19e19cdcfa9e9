import type { Brand } from "#base/brand.ts";
import type { Clock } from "#base/clock.ts";
import { type Finder, type Hit, makeFinder } from "./automaton.ts";
import { decodeMapped } from "./decode-text.ts";
import { foldMapped, withoutSpaces } from "./fold-text.ts";
import { type MappedText, mapOf } from "./mapped-text.ts";
import { needlesOf, type Redactability, redactability, spacelessNeedlesOf } from "./needles.ts";

/** A text that went through `redact`: the only kind trace, logs and prompts accept. */
export type Redacted = Brand<string, "Redacted">;

/** What stands for an output whose redaction failed. */
export const droppedText = "[left out: it could not be checked for secrets]" as Redacted;

/** Layers of escapes that are read: an escaped text inside an escaped text, and one more. */
const deepest = 3;

/** Deeper data is no plain data of ours: it is left out rather than looked through for ever. */
const deepestData = 64;

interface Secret {
  readonly name: string;
  readonly value: string;
}

interface Used extends Secret {
  readonly until: number;
}

/** What finds a set of values: as they stand, and where white space was put into them or taken out. */
interface Finders {
  readonly plain: Finder;
  readonly spaceless: Finder | null;
}

/**
 * Masks the known values of one agent wherever text leaves it. The second line behind never handing values out
 * (SPEC 7); every sink asks it, no source does.
 */
export class Redactor {
  readonly #clock: Clock;
  #known: readonly Secret[] = [];
  #used: Used[] = [];
  #knownFinders: Finders | null = null;
  #usedFinders: Finders | null = null;
  #nextEnd = Number.POSITIVE_INFINITY;
  #masks = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What the open vault holds, in place of what it held before: masked until the next call. What cannot be told from ordinary text is left out. */
  know(secrets: readonly Secret[]): void {
    this.#known = secrets.filter(({ value }) => redactability(value).redactable).map(({ name, value }) => ({ name: safeName(name), value }));
    this.#knownFinders = null;
    this.#usedFinders = null;
  }

  /** From now on, for `ttlMs` (default: until removed), the value is masked as `[vault:name]`. Says so when it cannot be told from ordinary text. */
  add(name: string, value: string, ttlMs = Number.POSITIVE_INFINITY): Redactability {
    const verdict = redactability(value);
    if (!verdict.redactable) return verdict;
    const used = { name: safeName(name), value, until: this.#clock() + ttlMs };
    this.#used = [...this.#used.filter((other) => other.name !== used.name || other.value !== value || other.until > used.until), used];
    this.#changed();
    return verdict;
  }

  remove(name: string): void {
    this.#used = this.#used.filter((used) => used.name !== name);
    this.#changed();
  }

  clear(): void {
    this.#used = [];
    this.know([]);
    this.#changed();
  }

  /** Masks made so far; for the audit row. */
  get masks(): number {
    return this.#masks;
  }

  /** Nothing is to be masked now. */
  get isIdle(): boolean {
    if (this.#nextEnd <= this.#clock()) this.#forgetOver();
    return this.#known.length === 0 && this.#used.length === 0;
  }

  redact(text: string): Redacted {
    try {
      const finders = this.#finders();
      return (finders.length === 0 ? text : this.#mask(text, hitsIn(text, finders), 0)) as Redacted;
    } catch {
      return droppedText;
    }
  }

  /** Texts that stand side by side on a page: masked also where a value is spread over several of them. */
  redactNodes(nodes: readonly string[]): Redacted[] {
    try {
      const finders = this.#finders();
      if (finders.length === 0) return [...nodes] as Redacted[];
      const hits = hitsIn(nodes.join(""), finders);
      let from = 0;
      let first = 0;
      return nodes.map((node) => {
        const to = from + node.length;
        // Hits are in order: those that end before this text are never looked at again.
        while ((hits[first]?.end ?? Number.POSITIVE_INFINITY) <= from) first += 1;
        const inside: Hit[] = [];
        for (let at = first; (hits[at]?.start ?? Number.POSITIVE_INFINITY) < to; at += 1) inside.push(hits[at] as Hit);
        const own = hitsIn(node, finders).map((hit) => ({ ...hit, start: hit.start + from, end: hit.end + from }));
        const text = this.#mask(node, merge([...inside, ...own]), from);
        from = to;
        return text as Redacted;
      });
    } catch {
      return nodes.map(() => droppedText);
    }
  }

  /** Every text in plain data, keys too; texts in a list as neighbours. What holds nothing to mask is returned as it is, and so is what is no plain data. */
  redactDeep<T>(value: T): T {
    return this.isIdle ? value : (this.#deep(value, 0) as T);
  }

  #deep(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.redact(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth > deepestData) return droppedText;
    if (Array.isArray(value)) {
      const isText = value.length > 1 && value.every((item) => typeof item === "string");
      const masked: unknown[] = isText ? this.redactNodes(value as string[]) : value.map((item) => this.#deep(item, depth + 1));
      return masked.every((item, at) => item === value[at]) ? value : masked;
    }
    if (value instanceof Error) return this.#error(value, depth);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return value;
    const entries = Object.entries(value);
    const masked = entries.map(([key, inner]): [string, unknown] => [this.redact(key), this.#deep(inner, depth + 1)]);
    return masked.every(([key, inner], at) => key === entries[at]?.[0] && inner === entries[at][1]) ? value : Object.fromEntries(masked);
  }

  /** Of an error that a log is given: its texts, and what it carries. Where something is masked, an error of the same kind that says what is left. */
  #error(error: Error, depth: number): Error {
    const texts = { message: this.redact(error.message), ...(error.stack === undefined ? {} : { stack: this.redact(error.stack) }) };
    const own = Object.fromEntries(Object.entries(error).map(([key, inner]) => [key, this.#deep(inner, depth + 1)]));
    const cause = error.cause === undefined ? {} : { cause: this.#deep(error.cause, depth + 1) };
    const isSame =
      texts.message === error.message &&
      (texts.stack ?? error.stack) === error.stack &&
      cause.cause === error.cause &&
      Object.entries(error).every(([key, inner]) => own[key] === inner);
    if (isSame) return error;
    const clean = Object.create(Object.getPrototypeOf(error) as object) as Error;
    for (const [key, inner] of Object.entries({ ...own, name: error.name, ...texts, ...cause }))
      Object.defineProperty(clean, key, { value: inner, enumerable: Object.hasOwn(own, key), writable: true, configurable: true });
    return clean;
  }

  #changed(): void {
    this.#usedFinders = null;
    this.#nextEnd = Math.min(Number.POSITIVE_INFINITY, ...this.#used.map(({ until }) => until));
  }

  #forgetOver(): void {
    const now = this.#clock();
    this.#used = this.#used.filter(({ until }) => until > now);
    this.#changed();
  }

  #finders(): readonly Finders[] {
    if (this.isIdle) return [];
    const found: Finders[] = [];
    if (this.#known.length > 0) found.push((this.#knownFinders ??= findersOf(this.#known)));
    // A value that was used is mostly one the open vault holds anyway.
    const others = this.#used.filter(({ name, value }) => !this.#known.some((known) => known.value === value && known.name === name));
    if (others.length > 0) found.push((this.#usedFinders ??= findersOf(others)));
    return found;
  }

  /** `offset`: where `text` begins in what the hits were counted in. Masks are not looked at again. */
  #mask(text: string, hits: readonly Hit[], offset: number): string {
    if (hits.length === 0) return text;
    const parts: string[] = [];
    let at = 0;
    for (const hit of hits) {
      parts.push(text.slice(at, Math.max(0, hit.start - offset)), `[vault:${hit.name}]`);
      at = Math.min(text.length, hit.end - offset);
      this.#masks += 1;
    }
    parts.push(text.slice(at));
    return parts.join("");
  }
}

function safeName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/gu, "_");
}

function findersOf(secrets: readonly Secret[]): Finders {
  const spaceless = secrets.flatMap(({ name, value }) => spacelessNeedlesOf(name, value));
  return {
    plain: makeFinder(secrets.flatMap(({ name, value }) => needlesOf(name, value))),
    spaceless: spaceless.length === 0 ? null : makeFinder(spaceless),
  };
}

/** Hits in the text as it stands and with its escapes read, as places in the original, joined where they touch. */
function hitsIn(text: string, finders: readonly Finders[]): Hit[] {
  const hits: Hit[] = [];
  let layer: MappedText | null = mapOf(text);
  for (let depth = 0; layer !== null && depth <= deepest; depth += 1) {
    const folded = foldMapped(layer);
    let dense: MappedText | null = null;
    for (const { plain, spaceless } of finders) {
      collect(text, folded, plain, hits);
      if (spaceless !== null) collect(text, (dense ??= withoutSpaces(folded)), spaceless, hits);
    }
    layer = decodeMapped(layer);
  }
  return merge(hits);
}

function collect(text: string, folded: MappedText, find: Finder, hits: Hit[]): void {
  for (const hit of find(folded.units)) hits.push({ name: hit.name, start: folded.starts[hit.start] as number, end: endOf(text, folded, hit.end) });
}

/** Accents and invisible characters right behind a value belong to it. */
function endOf(text: string, folded: MappedText, end: number): number {
  let at = folded.ends[end - 1] as number;
  while (at < text.length && /[\p{M}\p{Cf}]/u.test(text[at] as string)) at += 1;
  return at;
}

function merge(hits: Hit[]): Hit[] {
  const sorted = [...hits].sort((one, other) => one.start - other.start || other.end - one.end);
  const merged: Hit[] = [];
  for (const hit of sorted) {
    const last = merged.at(-1);
    if (last === undefined || hit.start >= last.end) merged.push(hit);
    else if (hit.end > last.end) merged[merged.length - 1] = { ...last, end: hit.end };
  }
  return merged;
}
