import { stopWords } from "#base/stop-words.ts";
import { escapePattern, fold, squash, standInRow, words } from "#base/text.ts";
import type { ValueKind } from "#contract/skills/schema.ts";
import { blank, type FoundValue, findValues, literalIn, type NamedValue, sitesIn, toTemplate, withoutUrls } from "../skills/values/index.ts";
import { isWholeTrace, withQuoted } from "./whole-trace.ts";

/** A value of this run that became an input. */
export interface Known extends NamedValue {
  /** What it was called where it was found: the field or the kind of value. */
  readonly wish: string;
  readonly hasDefault: boolean;
  readonly text: string;
  readonly choices: readonly string[] | undefined;
}

/** Collects the inputs while the actions are read in order. */
export class Values {
  readonly known: Known[] = [];
  readonly #goal: string;
  readonly #typed: FoundValue[];

  readonly #now: Date;
  readonly #seen: readonly string[];
  readonly #sites: readonly string[];

  /** @param seen values and names of the run's actions: what is quoted in the goal and stands there whole is one value, whatever it holds */
  constructor(goal: string, now: Date, seen: readonly string[]) {
    this.#goal = withoutUrls(goal);
    this.#now = now;
    this.#seen = seen;
    this.#sites = sitesIn(goal);
    this.#typed = withQuoted(goal, findValues(goal, now), seen);
  }

  get goal(): string {
    return this.#goal;
  }

  /** The goal without its typed values that do not stand whole in a literal: the "3" of "3 March" is no trace of a field's "3". */
  goalFor(literal: string): string {
    const squeezed = words(literal).join("");
    let goal = this.#goal;
    for (const { text, start, end } of this.#typed)
      if (!squeezed.includes(words(text).join(""))) goal = goal.slice(0, start) + blank.repeat(end - start) + goal.slice(end);
    return goal;
  }

  /** Template of a literal; as it is where it would take a longer date, time or number of the literal's own apart. */
  template(literal: string, values: readonly NamedValue[]): string {
    const found = values.filter((value) => isWholeTrace(literal, value, this.#now));
    return found.length === 0 ? literal : toTemplate(literal, found);
  }

  #name(wish: string): string {
    const all = words(wish);
    const telling = all.filter((word) => !stopWords.has(word));
    const base =
      (telling.length > 0 ? telling : all)
        .slice(0, 3)
        .join("-")
        .replace(/[^a-z0-9-]/gu, "") || "value";
    let name = /^[a-z]/u.test(base) ? base : `value-${base}`;
    for (let count = 2; this.known.some((value) => value.name === name); count++) name = `${base}-${count}`;
    return name;
  }

  add(wish: string, kind: ValueKind, canonical: string, text: string, hasDefault: boolean, choices?: readonly string[]): Known {
    const alike = this.known.filter((value) => value.kind === kind && fold(value.canonical) === fold(canonical));
    // "2 adults and 2 children" are two values that happen to be equal.
    const isSaidTwice = kind !== "text" && this.#typed.filter((value) => value.kind === kind && value.canonical === canonical).length > alike.length;
    const there = alike.find((value) => value.wish === wish) ?? (alike.length > 0 && !isSaidTwice ? alike[0] : undefined);
    if (there) return there;
    const made: Known = { name: this.#name(wish), wish, kind, canonical, text, hasDefault, choices };
    this.known.push(made);
    return made;
  }

  /** Template of a literal after the typed values of the goal that stand in it have become inputs. */
  typedTemplate(literal: string, wish: (kind: ValueKind) => string): string {
    for (const value of this.#typed) {
      const probe: NamedValue = { name: "probe", kind: value.kind, canonical: value.canonical };
      const shorter = value.kind === "number" && value.canonical.length < 2 && words(literal).length > 1;
      const isTrace = (!shorter && this.template(literal, [probe]) !== literal) || this.#numberedPlace(value, literal) !== undefined;
      if (isTrace) this.add(wish(value.kind), value.kind, value.canonical, value.text, false);
    }
    return this.template(this.#numbered(literal), this.known);
  }

  /**
   * Where a literal has a number of the goal behind the same word ("Episode 18: Night Bus" for "episode 18 of Field Notes"). A number of one or two
   * figures alone would be a trace in any counter; in a title that the goal has as a whole it is a part of that.
   */
  #numberedPlace(value: FoundValue, literal: string): { readonly start: number; readonly end: number } | undefined {
    if (value.kind !== "number" || value.canonical.length > 2 || literalIn(this.#goal, literal)) return undefined;
    const said = /([\p{L}][\p{L}'’-]*)[\s#.]*$/u.exec(this.#goal.slice(0, value.start))?.[1];
    if (said === undefined || stopWords.has(said.toLowerCase())) return undefined;
    const match = new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(said)}[\\s#.]*(${value.canonical})(?![\\p{L}\\p{N}]|[.,:/-]\\d)`, "iu").exec(literal);
    return match ? { start: match.index + match[0].length - value.canonical.length, end: match.index + match[0].length } : undefined;
  }

  #numbered(literal: string): string {
    let text = literal;
    for (const value of this.#typed) {
      const place = this.#numberedPlace(value, text);
      const input = place && this.known.find((one) => one.kind === "number" && one.canonical === value.canonical);
      if (input) text = `${text.slice(0, place.start)}{{${input.name}}}${text.slice(place.end)}`;
    }
    return text;
  }

  /** Template of a literal with the days, months and times of the goal in it as inputs. */
  calendarTemplate(literal: string, wish: string): string {
    for (const value of this.#typed) {
      if (value.kind !== "date" && value.kind !== "month" && value.kind !== "time") continue;
      if (this.template(literal, [{ name: "probe", kind: value.kind, canonical: value.canonical }]) !== literal)
        this.add(wish, value.kind, value.canonical, value.text, false);
    }
    return this.template(
      literal,
      this.known.filter((value) => value.kind === "date" || value.kind === "month" || value.kind === "time"),
    );
  }

  /** The typed value of the goal that is the whole of a literal ("2027-02-14" for "14 Feb 2027"), as an input; empty when there is none. */
  wholly(literal: string, wish: string): Known[] {
    for (const value of this.#typed) {
      const probe: NamedValue = { name: "probe", kind: value.kind, canonical: value.canonical };
      if (value.kind !== "text" && /^\{\{probe(?:\|[^}]*)?\}\}$/u.test(toTemplate(literal, [probe])))
        return [this.add(wish, value.kind, value.canonical, value.text, false)];
    }
    // An address as something to be typed: "block chatterbox.example".
    return this.#sites.some((site) => fold(site) === fold(literal)) ? [this.add(wish, "site", literal, literal, false)] : [];
  }

  /** The days and months of the goal. */
  get days(): readonly FoundValue[] {
    return this.#typed.filter(({ kind }) => kind === "date" || kind === "month");
  }

  /** Whether a literal holds a day, a month, a time or a sum. */
  hasCalendar(literal: string): boolean {
    return findValues(literal, this.#now).some(({ kind }) => kind === "date" || kind === "month" || kind === "time" || kind === "amount");
  }

  /** Whether a literal holds more than one of the goal's typed values, such as both ends of a range. */
  holdsSeveral(literal: string): boolean {
    return findValues(literal, this.#now).filter(({ kind }) => kind !== "text").length > 1;
  }

  /** Whether a span of the goal stands there only as a part of what another action of the run was about, as a whole. */
  isInsideOther(span: string, name: string): boolean {
    const longer = this.#seen.filter((text) => text !== name && words(text).length > words(span).length && standInRow(words(text), words(span)));
    let rest = this.#goal;
    for (const text of longer) {
      const place = literalIn(rest, text);
      if (place) rest = `${rest.slice(0, place.start)}\u00b6${rest.slice(place.end)}`;
    }
    return rest !== this.#goal && literalIn(rest, span) === undefined;
  }

  /** A word in small letters that the goal uses for the kind of thing ("entry", "loan") tells no row apart. */
  isKindWord(span: string): boolean {
    return !/[\p{Lu}\d]/u.test(span) && words(span).length === 1;
  }

  /** The kind of a span of the goal: that of the typed value that covers it exactly, else text. */
  kindOf(span: string): { kind: ValueKind; canonical: string } {
    // A bare weekday is what the page calls a day; which day that is does not matter there.
    const typed = this.#typed.find((value) => fold(value.text) === fold(span) && !(value.kind === "date" && !/\d/u.test(value.text)));
    return typed ? { kind: typed.kind, canonical: typed.canonical } : { kind: "text", canonical: squash(span) };
  }
}

export function hasPlaceholder(text: string): boolean {
  return text.includes("{{");
}
