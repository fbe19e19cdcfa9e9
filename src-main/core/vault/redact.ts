import type { Brand } from "#base/brand.ts";
import type { Clock } from "#base/clock.ts";
import { type Finder, type Hit, makeFinder } from "./automaton.ts";
import { decodeMapped } from "./decode-text.ts";
import { foldMapped } from "./fold-text.ts";
import { type MappedText, mapOf } from "./mapped-text.ts";
import { needlesOf, type Redactability, redactability } from "./needles.ts";

/** A text that went through `redact`: the only kind trace, logs and prompts accept. */
export type Redacted = Brand<string, "Redacted">;

/** What stands for an output whose redaction failed. */
export const droppedText = "[left out: it could not be checked for secrets]" as Redacted;

/** Layers of escapes that are read: an escaped text inside an escaped text, and one more. */
const deepest = 3;

interface Active {
  readonly name: string;
  readonly value: string;
  readonly until: number;
}

/**
 * Masks the known values of one context wherever text leaves it. The second line behind never handing values out
 * (SPEC 7); every sink asks it, no source does.
 */
export class Redactor {
  readonly #clock: Clock;
  #active: Active[] = [];
  #find: Finder | null = null;
  #masks = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From now on, for `ttlMs` (default: until removed), the value is masked as `[vault:name]`. Says so when it cannot be told from ordinary text. */
  add(name: string, value: string, ttlMs = Number.POSITIVE_INFINITY): Redactability {
    const verdict = redactability(value);
    if (!verdict.redactable) return verdict;
    this.#active.push({ name: name.replace(/[^A-Za-z0-9._-]/gu, "_"), value, until: this.#clock() + ttlMs });
    this.#find = null;
    return verdict;
  }

  remove(name: string): void {
    this.#active = this.#active.filter((active) => active.name !== name);
    this.#find = null;
  }

  clear(): void {
    this.#active = [];
    this.#find = null;
  }

  /** Masks made so far; for the audit row. */
  get masks(): number {
    return this.#masks;
  }

  redact(text: string): Redacted {
    try {
      const finder = this.#finder();
      return (finder === null ? text : this.#mask(text, hitsIn(text, finder), 0)) as Redacted;
    } catch {
      return droppedText;
    }
  }

  /** Texts that stand side by side on a page: masked also where a value is spread over several of them. */
  redactNodes(nodes: readonly string[]): Redacted[] {
    try {
      const finder = this.#finder();
      if (finder === null) return [...nodes] as Redacted[];
      const hits = hitsIn(nodes.join(""), finder);
      let from = 0;
      return nodes.map((node) => {
        const inside = hits.filter((hit) => hit.start < from + node.length && hit.end > from);
        const own = hitsIn(node, finder).map((hit) => ({ ...hit, start: hit.start + from, end: hit.end + from }));
        const text = this.#mask(node, merge([...inside, ...own]), from);
        from += node.length;
        return text as Redacted;
      });
    } catch {
      return nodes.map(() => droppedText);
    }
  }

  /** Every text in plain data, keys too. */
  redactDeep<T>(value: T): T {
    if (typeof value === "string") return this.redact(value) as T;
    if (Array.isArray(value)) return value.map((item: unknown) => this.redactDeep(item)) as T;
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [this.redact(key), this.redactDeep(inner as unknown)])) as T;
  }

  #finder(): Finder | null {
    const now = this.#clock();
    if (this.#active.some((active) => active.until <= now)) {
      this.#active = this.#active.filter((active) => active.until > now);
      this.#find = null;
    }
    if (this.#active.length === 0) return null;
    this.#find ??= makeFinder(this.#active.flatMap(({ name, value }) => needlesOf(name, value)));
    return this.#find;
  }

  /** `offset`: where `text` begins in what the hits were counted in. Masks are not looked at again. */
  #mask(text: string, hits: readonly Hit[], offset: number): string {
    let masked = "";
    let at = 0;
    for (const hit of hits) {
      const start = Math.max(0, hit.start - offset);
      masked += `${text.slice(at, start)}[vault:${hit.name}]`;
      at = Math.min(text.length, hit.end - offset);
      this.#masks += 1;
    }
    return masked + text.slice(at);
  }
}

/** Hits in the text as it stands and with its escapes read, as places in the original, joined where they touch. */
function hitsIn(text: string, find: Finder): Hit[] {
  const hits: Hit[] = [];
  let layer: MappedText | null = mapOf(text);
  for (let depth = 0; layer !== null && depth <= deepest; depth += 1) {
    const folded = foldMapped(layer);
    for (const hit of find(folded.units)) hits.push({ name: hit.name, start: folded.starts[hit.start] as number, end: endOf(text, folded, hit.end) });
    layer = decodeMapped(layer);
  }
  return merge(hits);
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
