import { escapePattern, words } from "#base/text.ts";
import type { ValueKind } from "#contract/skills/schema.ts";
import { type FoundValue, findValues, hostOfSite, literalIn, overlap, quotedIn, sitesIn, withoutUrls } from "../skills/values/index.ts";
import { type Bindable, fits, ownWords, placesIn, shownRoles } from "./example-places.ts";
import { agreement, decidedPairs, endOfName, type Role, rolesOf, tellApart } from "./value-roles.ts";

/**
 * The inputs whose words were quoted in an example, with what is quoted here, whole: it may hold a day or a number. Several are told apart by the
 * words before them ("Headline: …"), then by their order where there are as many as there were.
 */
function bindQuoted(revision: Bindable, goal: string, shown: readonly ReadonlyMap<string, Role>[], now: Date): ReadonlyMap<string, FoundValue> {
  const quoted = quotedIn(withoutUrls(goal));
  const inputs = Object.entries(revision.inputs.properties)
    .filter(
      ([name, input]) =>
        input.kind === "text" &&
        input.choices === undefined &&
        input.default === undefined &&
        revision.bindings.some((example) => quotedIn(example.goal).some((value) => value.text === example.inputs[name])),
    )
    .map(([name]) => name);
  const bound = new Map<string, FoundValue>();
  if (quoted.length === 0) return bound;
  const roles = rolesOf(withoutUrls(goal), quoted);
  const scores = inputs.map((name) => {
    const examples = shown.flatMap((example) => example.get(name) ?? []);
    return roles.map((role) => agreement(examples, ownWords(revision, name), role));
  });
  if (inputs.length > 1)
    for (const [row, column] of decidedPairs(scores)) if (inputs[row] !== undefined && quoted[column]) bound.set(inputs[row], quoted[column]);
  const left = quoted.filter((value) => ![...bound.values()].includes(value));
  const [example] = revision.bindings;
  const places = example ? placesIn(revision, example, now) : new Map<string, { start: number }>();
  const open = inputs.filter((name) => !bound.has(name)).sort((a, b) => (places.get(a)?.start ?? 0) - (places.get(b)?.start ?? 0));
  if (open.length === left.length) for (const [index, name] of open.entries()) if (left[index]) bound.set(name, left[index]);
  return bound;
}

/**
 * Where choices of several words stand in the goal as they are called, whatever their figures: the "2" of "2 Mill Cottages" is no number of its
 * own, nor is the "5" of "5 litre pot" where the page offered a "2 litre pot".
 */
function chosenPlaces(revision: Bindable, goal: string): { start: number; end: number }[] {
  const text = withoutUrls(goal);
  return Object.values(revision.inputs.properties).flatMap(({ choices }) =>
    (choices ?? [])
      .filter((choice) => /\d/u.test(choice) && /\p{L}{2}/u.test(choice))
      .flatMap((choice) => {
        const shape = words(choice)
          .map((word) => (/^\d+$/u.test(word) ? "\\d+" : escapePattern(word)))
          .join("[^\\p{L}\\p{N}]+");
        const alike = new RegExp(`(?<![\\p{L}\\p{N}])${shape}(?![\\p{L}\\p{N}])`, "iu").exec(text);
        return literalIn(text, choice) ?? (alike ? { start: alike.index, end: alike.index + alike[0].length } : []);
      }),
  );
}

/**
 * Typed inputs: a date is a date wherever it stands. Several of one kind are told apart by the words around them, as in the examples and as
 * the inputs are called; by their order only where neither example nor goal has such words; else they stay open and are asked for (INP-03).
 */
export function bindTyped(revision: Bindable, goal: string, now: Date): Record<string, string> {
  const shown = shownRoles(revision, now);
  const quotes = bindQuoted(revision, goal, shown, now);
  const places = [...quotes.values(), ...chosenPlaces(revision, goal)];
  const found = findValues(goal, now).filter((value) => !places.some((place) => overlap(value, place)));
  const bound: Record<string, string> = Object.fromEntries([...quotes].map(([name, { text }]) => [name, text]));
  Object.assign(bound, bindSites(revision, goal));
  const taken = new Set<FoundValue>();
  const typed = Object.entries(revision.inputs.properties).filter(([, input]) => input.kind !== "text");
  // "I'm away on Monday, so bring it on 23 June": days that are written out stand above those that are only spoken of.
  const days = found.filter(({ kind, text }) => kind === "date" && /\d/u.test(text)).length;
  const isSpoken = ({ kind, text }: FoundValue): boolean =>
    kind === "date" && !/\d/u.test(text) && days > 0 && days >= typed.filter(([, input]) => input.kind === "date").length;
  // "16 Station Road" and "Flat 3" are houses before they are how many, where the goal has another number.
  const isHouse = (value: FoundValue): boolean =>
    value.kind === "number" &&
    (/^\s+\p{Lu}/u.test(goal.slice(value.end)) ||
      /\b(?:flat|apartment|apt|unit|room|suite|house|floor|platform|gate|plot)\s+$/iu.test(goal.slice(0, value.start)));
  const standing = (kind: ValueKind): FoundValue[] =>
    found.filter(
      (value) =>
        !taken.has(value) &&
        !isSpoken(value) &&
        fits(kind, value) !== undefined &&
        (value.kind === kind || !found.some((other) => other.kind === kind && !taken.has(other))),
    );
  const candidates = (kind: ValueKind): FoundValue[] => {
    const all = standing(kind);
    const counts = all.filter((value) => !isHouse(value));
    return counts.length >= typed.filter(([name, input]) => input.kind === kind && bound[name] === undefined).length ? counts : all;
  };
  const bind = (name: string, kind: ValueKind, value: FoundValue): void => {
    bound[name] = fits(kind, value) ?? value.canonical;
    taken.add(value);
  };
  const byKind = Map.groupBy(typed, ([, input]) => input.kind);
  for (const [kind, inputs] of byKind) {
    const [only, ...more] = candidates(kind);
    if (inputs.length === 1 && inputs[0] && only && more.length === 0) bind(inputs[0][0], kind, only);
  }
  // "number 11 from the year 2025": of several numbers the one that is a year is the one that was.
  const numbers = byKind.get("number") ?? [];
  const years = numbers.filter(([, { examples }]) => examples.length > 0 && examples.every(isYear));
  const yearsSaid = candidates("number").filter(({ text }) => isYear(text));
  if (numbers.length > 1 && years.length === 1 && yearsSaid.length === 1 && years[0] && yearsSaid[0]) bind(years[0][0], "number", yearsSaid[0]);
  const roles = rolesOf(withoutUrls(goal), found);
  const open = typed.filter(([name]) => bound[name] === undefined);
  const scores = open.map(([name, input]) => {
    const fitting = new Set(candidates(input.kind));
    const examples = shown.flatMap((example) => example.get(name) ?? []);
    return found.map((value, index) => (fitting.has(value) && roles[index] ? agreement(examples, ownWords(revision, name), roles[index]) : undefined));
  });
  // "KX-3055 and KX-3056" are two of a kind: neither alone is what is meant.
  const isListed = (value: FoundValue): boolean =>
    found.some((other) => {
      const [first, second] = other.start < value.start ? [other, value] : [value, other];
      return (
        other !== value && other.kind === value.kind && /^\s*(?:,|,?\s*(?:and|or)|&)\s*(?:the\s+)?$/iu.test(withoutUrls(goal).slice(first.end, second.start))
      );
    });
  const isOnly = (kind: ValueKind): boolean => (byKind.get(kind)?.length ?? 0) < 2;
  for (const [row, column] of decidedPairs(scores)) {
    const [entry, value] = [open[row], found[column]];
    if (entry && value && !(isOnly(entry[1].kind) && isListed(value))) bind(entry[0], entry[1].kind, value);
  }
  for (const [kind, inputs] of byKind) {
    const unsaid = inputs.filter(([name]) => bound[name] === undefined);
    const left = candidates(kind);
    if (unsaid.length !== left.length) continue;
    const score = (name: string, value: FoundValue): number => scores[open.findIndex(([other]) => other === name)]?.[found.indexOf(value)] ?? 0;
    if (unsaid.length === 1 && unsaid[0] && left[0]) {
      if (score(unsaid[0][0], left[0]) >= 0) bind(unsaid[0][0], kind, left[0]);
      continue;
    }
    const example = revision.bindings[0];
    const places = example ? placesIn(revision, example, now) : undefined;
    const told = unsaid.flatMap(([name]) => shown[0]?.get(name) ?? []);
    if (!example || !places || told.length !== unsaid.length) continue;
    const inOrder = unsaid.toSorted(([a], [b]) => (places.get(a)?.start ?? 0) - (places.get(b)?.start ?? 0));
    const isTold = tellApart(told) || tellApart(left.flatMap((value) => roles[found.indexOf(value)] ?? []));
    // Where words tell days apart in ways of their own, their order in the sentence is believed when the order in time is the example's as well.
    const isInTime =
      kind === "date" &&
      new Set(told.map(({ end }) => end)).size < 2 &&
      new Set(unsaid.map(([name]) => endOfName(words(name)))).size < 2 &&
      inOrder.every(([name], index) => left[index] !== undefined && score(name, left[index]) >= 0) &&
      runsAlike(
        inOrder.map(([name]) => example.inputs[name] ?? ""),
        left.map(({ canonical }) => canonical),
      );
    if (isTold && !isInTime) continue;
    for (const [index, [name]] of inOrder.entries()) if (left[index]) bind(name, kind, left[index]);
  }
  return bound;
}

/** The one input that takes an address, and the one address of the goal that is none of the routine's own. */
function bindSites(revision: Bindable, goal: string): Record<string, string> {
  const own = new Set(revision.steps.flatMap(({ call }) => (typeof call?.args.url === "string" ? [hostOfSite(call.args.url)] : [])));
  const inputs = Object.entries(revision.inputs.properties).filter(([, input]) => input.kind === "site");
  const sites = sitesIn(goal).filter((site) => !own.has(hostOfSite(site)));
  return inputs.length === 1 && sites.length === 1 && inputs[0] && sites[0] ? { [inputs[0][0]]: sites[0] } : {};
}

function isYear(text: string): boolean {
  return /^(?:19|20)\d\d$/u.test(text);
}

/** Whether two rows of days, canonical, go up and down in time alike. Days that only one row gives a year are compared without it. */
function runsAlike(shown: readonly string[], here: readonly string[]): boolean {
  const step = (days: readonly string[], index: number): number => {
    const [a, b] = [days[index - 1] ?? "", days[index] ?? ""];
    return a.startsWith("--") || b.startsWith("--") ? compare(a.slice(-5), b.slice(-5)) : compare(a, b);
  };
  return shown.every((_, index) => index === 0 || step(shown, index) === step(here, index));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
