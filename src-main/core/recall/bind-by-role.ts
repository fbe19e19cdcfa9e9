import { stopWords } from "#base/stop-words.ts";
import { words } from "#base/text.ts";
import type { SkillInput } from "#contract/skills/schema.ts";
import { findValues, literalIn, withoutUrls } from "../skills/values/index.ts";
import { type Bindable, ownWords, shownRoles } from "./example-places.ts";
import { agreement, decidedPairs, type Place, type Role, rolesOf, tellApart } from "./value-roles.ts";

const nameRun = /\p{Lu}[\p{L}\p{N}'’-]*(?: (?:(?:of|the|upon|de|la) )?\p{Lu}[\p{L}\p{N}'’-]*)*/gu;

/** Runs of capitalised words that are whole: a small word, a stop or nothing follows; the word that opens the sentence aside. */
function namesIn(text: string): Place[] {
  return [...text.matchAll(nameRun)].flatMap((match) => {
    const opening = /^(?:\P{L}*|.*[.!?]\s+)$/su.test(text.slice(0, match.index)) ? /^\S+\s+/u.exec(match[0])?.[0] : undefined;
    const lead = opening && stopWords.has(opening.trim().toLowerCase()) ? opening.length : 0;
    const end = match.index + match[0].length;
    const next = /^ ([\p{L}\p{N}]+)/u.exec(text.slice(end))?.[1];
    return next === undefined || stopWords.has(next.toLowerCase()) ? [{ start: match.index + lead, end }] : [];
  });
}

const overlap = (a: Place, b: Place): boolean => a.start < b.end && b.start < a.end;

/**
 * Text inputs by the words around them (REC-09): values that were shown or that a list offers, and names where several inputs are told apart by
 * such words. A shown value that stands in this goal is the same value, unless the words around it give it another part.
 */
export function bindByRole(revision: Bindable, goal: string, bound: Readonly<Record<string, string>>, now: Date): Record<string, string> {
  const text = withoutUrls(goal);
  const inputs = Object.entries(revision.inputs.properties).filter(
    ([name, input]) => bound[name] === undefined && input.kind === "text" && input.default === undefined,
  );
  if (inputs.length === 0) return {};
  const shown = shownRoles(revision, now);
  const told = inputs.flatMap(([name]) => shown.flatMap((example) => example.get(name) ?? []));
  const found = findValues(goal, now).filter((value) => value.kind !== "text");
  const known = inputs.flatMap(([, input]) => [...input.examples, ...(input.choices ?? [])]).flatMap((value) => literalIn(text, value) ?? []);
  const isName = inputs.every(([name]) => revision.bindings.every((example) => /^\p{Lu}/u.test(example.inputs[name] ?? "A")));
  const names = inputs.length > 1 && isName && tellApart(told) ? namesIn(text).filter((name) => !found.some((value) => overlap(name, value))) : [];
  const places: Place[] = [];
  for (const place of [...known.sort((a, b) => b.end - b.start - (a.end - a.start)), ...names])
    if (!places.some((other) => overlap(place, other))) places.push(place);
  const written = places.map((place) => text.slice(place.start, place.end));
  const roles = rolesOf(text, places, [...places, ...found]);
  const scores = inputs.map(([name, input]) => {
    const examples = shown.flatMap((example) => example.get(name) ?? []);
    return written.map((value, index) => {
      const isOffered = input.choices === undefined || input.choices.some((choice) => words(choice).join("") === words(value).join(""));
      return isOffered && roles[index] ? agreement(examples, ownWords(revision, name), roles[index]) : undefined;
    });
  });
  const same = (index: number, input: SkillInput): string | undefined =>
    input.examples.find((example) => words(example).join("") === words(written[index] ?? "").join(""));
  const values: Record<string, string> = {};
  const pairs = inputs.length > 1 ? decidedPairs(scores) : new Map<number, number>();
  for (const [row, column] of pairs) {
    const entry = inputs[row];
    if (entry) values[entry[0]] = same(column, entry[1]) ?? written[column] ?? "";
  }
  const used = new Set(pairs.values());
  for (const [row, [name, input]] of inputs.entries()) {
    if (pairs.has(row)) continue;
    const index = places.findIndex((_, at) => !used.has(at) && same(at, input) !== undefined && (scores[row]?.[at] ?? -1) >= 0);
    // Its own words stand before something else: "a note about Kim to Lee" is not for Kim.
    const cues = new Set(shown.flatMap((example) => example.get(name)?.before[0] ?? []));
    const isCued = (role: Role | undefined): boolean => cues.has(role?.before[0] ?? "");
    if (index < 0 || claimed(scores, row, index) || (!isCued(roles[index]) && rolesOf(text, namesIn(text)).some(isCued))) continue;
    values[name] = same(index, input) ?? "";
    used.add(index);
  }
  return values;
}

/** Whether another input's words speak more for a value than those of the input at `row` do. */
function claimed(scores: readonly (readonly (number | undefined)[])[], row: number, column: number): boolean {
  return scores.some((line, other) => other !== row && (line[column] ?? 0) > Math.max(0, scores[row]?.[column] ?? 0));
}
