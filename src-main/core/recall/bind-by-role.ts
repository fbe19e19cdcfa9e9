import { stopWords } from "#base/stop-words.ts";
import { words } from "#base/text.ts";
import type { SkillInput } from "#contract/skills/schema.ts";
import { findValues, literalIn, overlap, withoutUrls } from "../skills/values/index.ts";
import { type Bindable, ownWords, shownRoles } from "./example-places.ts";
import { agreement, decidedPairs, type Place, type Role, rolesOf, tellApart } from "./value-roles.ts";

const nameRun = /\p{Lu}[\p{L}\p{N}'’-]*(?: (?:(?:of|the|upon|de|la) )?\p{Lu}[\p{L}\p{N}'’-]*)*/gu;

/**
 * Runs of capitalised words that are whole: nothing follows that may belong to the name, such as "on the Wold" or "Ives" of "St. Ives". The
 * small word that opens a sentence is none.
 * @param cues small words that begin another value
 */
function namesIn(text: string, found: readonly Place[], cues: ReadonlySet<string>): Place[] {
  const tails = new Set<number>();
  return [...text.matchAll(nameRun)].flatMap((match) => {
    const opening = /^(?:\P{L}*|.*[.!?]\s+)$/su.test(text.slice(0, match.index)) ? /^\S+\s+/u.exec(match[0])?.[0] : undefined;
    const lead = opening && stopWords.has(opening.trim().toLowerCase()) ? opening.length : 0;
    const place = { start: match.index + lead, end: match.index + match[0].length };
    const rest = text.slice(place.end);
    const next = /^ ([\p{L}\p{N}]+)/u.exec(rest)?.[1]?.toLowerCase();
    const goesOn = /^(?:(?: \p{Ll}{1,3}){1,2} |\. )(?=\p{Lu})/u.exec(rest);
    const leadsTo = place.end + (goesOn?.[0].length ?? 0);
    const isPart =
      goesOn !== null &&
      !cues.has(next ?? "") &&
      !found.some((value) => value.start === leadsTo) &&
      (next !== undefined || /(?:^| )\p{L}{1,3}$/u.test(match[0]));
    if (isPart) tails.add(leadsTo);
    const isWhole = (next === undefined || stopWords.has(next)) && !isPart && !tails.has(match.index);
    return isWhole && !found.some((value) => overlap(place, value)) ? [place] : [];
  });
}

/**
 * Text inputs by the words around them (REC-09): values that were shown or that a list offers, and names where several inputs are told apart by
 * such words. A shown value that stands in this goal is the same value, unless the words around it give it another part.
 * @param fromPage inputs whose value is taken from the page's own text: a name of the goal may be less than that
 */
export function bindByRole(
  revision: Bindable,
  goal: string,
  bound: Readonly<Record<string, string>>,
  fromPage: ReadonlySet<string>,
  now: Date,
): Record<string, string> {
  const text = withoutUrls(goal);
  const inputs = Object.entries(revision.inputs.properties).filter(
    ([name, input]) => bound[name] === undefined && input.kind === "text" && input.default === undefined,
  );
  if (inputs.length === 0) return {};
  const shown = shownRoles(revision, now);
  const told = inputs.flatMap(([name]) => shown.flatMap((example) => example.get(name) ?? []));
  const found = findValues(goal, now).filter((value) => value.kind !== "text");
  const stand = (values: readonly string[]): Place[] => values.flatMap((value) => literalIn(text, value) ?? []);
  const offered = inputs.flatMap(([, input]) => stand(input.choices ?? []));
  const known = [...inputs.flatMap(([, input]) => stand(input.examples)), ...offered];
  const small = new Set(told.flatMap((role) => role.before[0] ?? []));
  const isName = inputs.every(([name]) => revision.bindings.every((example) => /^\p{Lu}/u.test(example.inputs[name] ?? "A")));
  const names = inputs.length > 1 && isName && tellApart(told) ? namesIn(text, found, small) : [];
  const places: Place[] = [];
  for (const place of [...known.toSorted((a, b) => b.end - b.start - (a.end - a.start)), ...names])
    if (!places.some((other) => overlap(place, other))) places.push(place);
  const written = places.map((place) => text.slice(place.start, place.end));
  const roles = rolesOf(text, places, [...places, ...found]);
  const same = (index: number, input: SkillInput): string | undefined =>
    input.examples.find((example) => words(example).join("") === words(written[index] ?? "").join(""));
  const at = (index: number): Place => places[index] ?? { start: 0, end: 0 };
  const isKnown = (index: number): boolean => known.some((place) => overlap(place, at(index)));
  const isOfList = (index: number): boolean => offered.some((place) => overlap(place, at(index)));
  const isTyped = (index: number): boolean => found.some((value) => overlap(value, at(index)));
  const scores = inputs.map(([name, input]) => {
    const examples = shown.flatMap((example) => example.get(name) ?? []);
    return written.map((value, index) => {
      const isListed = input.choices?.some((choice) => words(choice).join("") === words(value).join(""));
      const isFree = same(index, input) !== undefined || (isKnown(index) ? !isTyped(index) && !isOfList(index) : !fromPage.has(name));
      return (isListed ?? isFree) && roles[index] ? agreement(examples, ownWords(revision, name), roles[index]) : undefined;
    });
  });
  const values: Record<string, string> = {};
  const pairs = inputs.length > 1 ? decidedPairs(scores) : new Map<number, number>();
  for (const [row, column] of pairs) {
    const entry = inputs[row];
    if (entry) values[entry[0]] = same(column, entry[1]) ?? written[column] ?? "";
  }
  const used = new Set(pairs.values());
  for (const [row, [name, input]] of inputs.entries()) {
    if (pairs.has(row)) continue;
    // Of several inputs that may change places only their words tell; a list is asked what the goal says of it as a whole.
    if (input.choices || changesPlaces(name, shown)) continue;
    const index = places.findIndex((_, column) => !used.has(column) && same(column, input) !== undefined && (scores[row]?.[column] ?? -1) >= 0);
    // Its own words stand before something else: "a note about Kim to Lee" is not for Kim.
    const cues = new Set(shown.flatMap((example) => example.get(name)?.before[0] ?? []));
    const isCued = (role: Role | undefined): boolean => cues.has(role?.before[0] ?? "");
    if (index < 0 || claimed(scores, row, index) || (!isCued(roles[index]) && rolesOf(text, namesIn(text, found, cues)).some(isCued))) continue;
    values[name] = same(index, input) ?? "";
    used.add(index);
  }
  return values;
}

/** Whether an input is one end of something whose other end is an input too. */
function changesPlaces(name: string, shown: readonly ReadonlyMap<string, Role>[]): boolean {
  return shown.some((example) => {
    const end = example.get(name)?.end;
    return end !== undefined && [...example.values()].some((role) => role.end !== undefined && role.end !== end);
  });
}

/** Whether another input's words speak more for a value than those of the input at `row` do. */
function claimed(scores: readonly (readonly (number | undefined)[])[], row: number, column: number): boolean {
  return scores.some((line, other) => other !== row && (line[column] ?? 0) > Math.max(0, scores[row]?.[column] ?? 0));
}
