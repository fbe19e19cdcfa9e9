import { stopWords } from "#base/stop-words.ts";
import { escapePattern, fold, standInRow, words } from "#base/text.ts";
import { matchesWildcard } from "#base/wildcard.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import { isChoiceRole, isFixedLandmark, isMarkRole, isPager } from "../skills/index.ts";
import { chosenIn, literalIn, longestSharedSpan, tellingStems, toTemplate } from "../skills/values/index.ts";
import { isDeed } from "./deed.ts";
import { hasPlaceholder, type Values } from "./goal-values.ts";

/** Siblings that begin and end as a name does, with something between. */
function alike(before: string, after: string, siblings: readonly string[], name: string): number {
  const fits = (sibling: string): boolean =>
    sibling.length > before.length + after.length && matchesWildcard(`${before}*${after}`.toLowerCase(), sibling.toLowerCase());
  return siblings.filter((sibling) => sibling !== name && fits(sibling)).length;
}

/**
 * The name of a control as the goal's values make it. Typed values (dates, months, references) are always inputs; words only where the
 * page or the goal shows that they vary. A whole name that merely stands in the goal may be a fixed link (SHO-10): it becomes an input that
 * keeps the shown name as its default.
 */
export function nameTemplate(values: Values, action: ShownAction, name: string): string {
  const role = action.target?.role ?? "item";
  const reference = referenceTemplate(values, action, name);
  if (reference !== undefined) return reference;
  const typed = values.typedTemplate(name, (kind) => (kind === "text" ? role : kind));
  // "Morning, 09:30" beside "Afternoon, 13:30": day and time are not all that tells.
  const rest = typed.replace(/\{\{[^}]+\}\}/gu, " ");
  if (hasPlaceholder(typed) && isChoiceRole(role) && tellingStems(rest).length > 0) {
    const chosen = choiceTemplate(values, action, name);
    if (hasPlaceholder(chosen)) return chosen;
  }
  if (hasPlaceholder(typed)) return restTemplate(values, action, typed);
  // Where the row tells equal names apart, the name itself says nothing of the goal's values.
  if (isPager(name) || (action.target?.within ?? "") !== "") return name;
  if (isChoiceRole(role) || (isMarkRole(role) && action.siblings.some((sibling) => sibling !== name))) return choiceTemplate(values, action, name);
  // "It is not an emergency": what is denied is no value that stands in for it.
  if (/\b(?:not|no|non|never|without)\b/iu.test(name) && literalIn(values.goal, name) === undefined) return name;
  // A whole name inside a clause of the goal is a value as it stands; at its head it may begin with the verb of the control.
  const goal = values.goalFor(name);
  const place = literalIn(goal, name);
  if (place !== undefined && isDeed(name, role, goal.slice(0, place.start))) return name;
  const isHead = place !== undefined && /(?:^|[.!?:;,\n]|\bplease|\b(?:want|like|need|have|me|us)\s+to)\s*$/iu.test(goal.slice(0, place.start));
  const frame = place !== undefined && !isHead ? { before: "", after: "" } : sharedFrame(name, action.siblings);
  const inner = name.slice(frame.before.length, name.length - frame.after.length);
  const found = longestSharedSpan(inner, goal);
  if (!found) return name;
  const span = { ...found, start: found.start + frame.before.length, end: found.end + frame.before.length };
  const before = name.slice(0, span.start);
  const after = name.slice(span.end);
  // "The" before a title makes no other name of it.
  const whole = words(before + after).every((word) => stopWords.has(word));
  const inGoal = span.inSecond;
  // Written in the goal like a name of something: a capital inside the sentence, digits, or quotes.
  const goalStart = values.goal.trimStart().startsWith(inGoal);
  const telling = /\d/u.test(inGoal) || (/\p{Lu}/u.test(inGoal) && !goalStart) || new RegExp(`["'“‘]${escapePattern(inGoal)}["'”’]`, "u").test(values.goal);
  if (isFixedLandmark(action.landmark) && !telling) return name;
  // "Library" of "Main Library", which is what another step picks.
  if (values.isInsideOther(inGoal, name)) return name;
  if (whole) {
    const wish = role === "link" || role === "button" ? "item" : role;
    const written = writtenTemplate(values, name, inGoal, !telling, wish);
    return written ?? `{{${values.add(wish, "text", literalIn(goal, name) ? name : span.inFirst, inGoal, !telling).name}}}`;
  }
  if (alike(before, after, action.siblings, name) > 0) {
    const written = writtenTemplate(values, span.inFirst, inGoal, !telling);
    return `${before}${written ?? `{{${values.add("item", "text", span.inFirst, inGoal, !telling).name}}}`}${after}`;
  }
  if (telling && span.inFirst.length >= 3 && !isPartOfName(inGoal, span.inFirst, values.goal)) {
    const input = values.add("item", "text", span.inFirst, inGoal, false);
    return `${loosely(before)}{{${input.name}}}${loosely(after)}`;
  }
  return name;
}

/**
 * Template of a literal that is one typed value of the goal in some writing; undefined where it is words.
 * @param wish what the input is to be called; its kind when left out
 */
function writtenTemplate(values: Values, literal: string, inGoal: string, hasDefault: boolean, wish?: string): string | undefined {
  const { kind, canonical } = values.kindOf(inGoal);
  if (kind === "text" || !hasPlaceholder(toTemplate(literal, [{ name: "probe", kind, canonical }]))) return undefined;
  return toTemplate(literal, [values.add(wish ?? kind, kind, canonical, inGoal, hasDefault)]);
}

/**
 * What differs from the names of its kind, where it stands in the goal as it is and has a figure in it ("Acula Daily 30 pack" of "Order Acula Daily
 * 30 pack again"): the figure is a part of what it is called. Days and sums are values of their own.
 */
function referenceTemplate(values: Values, action: ShownAction, name: string): string | undefined {
  const role = action.target?.role ?? "";
  // A name that stands there as a whole ("Year 4 swimming gala" beside "Year 6 hoodies") has no frame.
  if (isChoiceRole(role) || isMarkRole(role) || isPager(name) || literalIn(values.goal, name)) return undefined;
  const { before, after } = sharedFrame(name, action.siblings);
  const inner = name.slice(before.length, name.length - after.length).trim();
  const goal = values.goal;
  // "#4483" says by itself which one it is.
  const place = /\d/u.test(inner) && !/\d{3}/u.test(inner.replace(/\b(?:19|20)\d\d\b/gu, " ")) && words(inner).length > 1 ? literalIn(goal, inner) : undefined;
  if (!place || values.hasCalendar(inner) || values.kindOf(goal.slice(place.start, place.end)).kind !== "text") return undefined;
  if (/\d/u.test(before + after)) return undefined;
  return `${name.slice(0, name.indexOf(inner))}{{${values.add("item", "text", inner, inner, false).name}}}${name.slice(name.indexOf(inner) + inner.length)}`;
}

/** The rest of a name that is seen on no other element: a word of it may belong to the value, several say what the control is for. */
function loosely(rest: string): string {
  const telling = words(rest).filter((word) => !stopWords.has(word));
  return telling.length > 1 || rest === "" ? rest : "*";
}

/** "Street" of "Castle Street" where the page says "this street": a word of a longer name of the goal that the page uses as a word. */
function isPartOfName(inGoal: string, onPage: string, goal: string): boolean {
  if (/\p{Lu}|\d/u.test(onPage)) return false;
  return new RegExp(`\\p{Lu}[\\p{L}\\p{N}'’]*\\s+${escapePattern(inGoal)}|${escapePattern(inGoal)}\\s+\\p{Lu}`, "u").test(goal);
}

/**
 * What a name says beside its typed values: a value too, where the goal says it as well and the page has the same name around others ("Yoga" in
 * "Cancel Yoga, 16 April" beside "Cancel Spin, 14 April").
 */
function restTemplate(values: Values, action: ShownAction, typed: string): string {
  const parts = typed.split(/(\{\{[^}]+\}\})/u);
  const wild = (from: number, to?: number): string =>
    parts
      .slice(from, to)
      .map((part) => (hasPlaceholder(part) ? "*" : part))
      .join("");
  const name = action.target?.name ?? "";
  // "14 April, morning" beside "14 April, afternoon": the page itself shows that the word tells.
  const isToldApart = (span: string): boolean => {
    const at = name.indexOf(span);
    return at > 0 && alike(name.slice(0, at), name.slice(at + span.length), action.siblings, name) > 0;
  };
  const spans = parts.flatMap((part, index) => {
    const span = hasPlaceholder(part) ? undefined : longestSharedSpan(part, values.goalFor(part));
    // At the goal's head one word is what is to be done: "Change delivery of …".
    const isDeed = span !== undefined && words(span.inSecond).length === 1 && values.goal.trimStart().startsWith(span.inSecond);
    return span === undefined || isDeed || (values.isKindWord(span.inSecond) && !isToldApart(span.inFirst)) || span.inFirst.length < 3
      ? []
      : [{ part, index, span }];
  });
  const [longest] = spans.toSorted((a, b) => b.span.inFirst.length - a.span.inFirst.length);
  if (!longest) return withoutOwnTail(typed, action.siblings);
  const { part, index, span } = longest;
  const own = fold(`${wild(0, index)}${part}${wild(index + 1)}`);
  const others = action.siblings.filter((sibling) => !matchesWildcard(own, fold(sibling)));
  // The first word of most names like this one ("Book" of "Book Yoga at 18:30") is no part of what differs.
  const verb = index === 0 && span.start === 0 ? (/^\S+\s+(?=\S)/u.exec(span.inFirst)?.[0] ?? "") : "";
  const ending = others.filter((sibling) => matchesWildcard(fold(`*${part.slice(span.end)}${wild(index + 1)}`), fold(sibling)));
  const isDeed = values.goal.trimStart().startsWith(span.inSecond);
  const isVerb = verb !== "" && (isDeed || ending.filter((sibling) => fold(sibling).startsWith(fold(verb))).length * 2 > ending.length);
  let start = isVerb ? span.start + verb.length : span.start;
  // "View stay at York" beside "View stay at Bath": nor are further words that most of them have.
  for (let next = /^\S+\s+(?=\S)/u.exec(part.slice(start, span.end)); next; next = /^\S+\s+(?=\S)/u.exec(part.slice(start, span.end))) {
    const led = fold(`${wild(0, index)}${part.slice(0, start + next[0].length)}*`);
    if (ending.filter((sibling) => matchesWildcard(led, fold(sibling))).length * 2 <= ending.length || ending.length === 0) break;
    start += next[0].length;
  }
  const [before, after] = [part.slice(0, start), part.slice(span.end)];
  if (!others.some((sibling) => matchesWildcard(fold(`${wild(0, index)}${before}*${after}${wild(index + 1)}`), fold(sibling)))) return typed;
  const inFirst = part.slice(start, span.end);
  // Something must hold the pattern together: a word of its own, or a value that is no mere word.
  const frame = [wild(0, index), before, after, wild(index + 1)].join(" ");
  const isHeld = words(frame).some((word) => !stopWords.has(word)) || values.known.some((value) => value.kind !== "text" && typed.includes(`{{${value.name}`));
  if (!isHeld) return typed;
  const input = values.add("item", "text", inFirst, isVerb ? inFirst : span.inSecond, false);
  return [...parts.slice(0, index), `${before}{{${input.name}}}${after}`, ...parts.slice(index + 1)].join("");
}

/** What an action's control, page and address are called. */
export function aroundOf({ target, after }: ShownAction): string {
  return [target?.name ?? "", after.heading, after.title, after.url.replace(/[^\p{L}]+/gu, " ")].join(" ");
}

/**
 * A control that is called by what the goal does not know ("TV-4551") in a row that the goal does know ("Tern Bridge to Castle Wold, 18 April"):
 * it is found by its row, and by the shape of its name. Undefined where the row says nothing of the goal's values.
 */
export function rowTarget(values: Values, action: ShownAction, name: string): { readonly name: string; readonly within: string } | undefined {
  if (action.kind !== "click" || !/\d/u.test(name) || action.context === "" || (action.target?.within ?? "") !== "" || isFixedLandmark(action.landmark))
    return undefined;
  // What other rows say as well ("Monthly statement") tells none apart; only the values of the goal do.
  const row = action.context.replace(name, " ");
  const within = withinTemplate(values, "", row, aroundOf(action));
  return hasPlaceholder(within) ? { name: name.replace(/\d+/gu, "*"), within } : undefined;
}

/**
 * The name of a field of which a list has many ("Quantity, Rye bread" beside "Quantity, Oat milk"), with the goal's values in it. A field whose like
 * is filled in the same run as well ("Sender's street", "Recipient's street") is one of a form, and keeps its name.
 * @param used names of all fields of the run
 */
export function fieldTemplate(values: Values, action: ShownAction, used: readonly string[]): string {
  const name = action.target?.name ?? "";
  const { before, after } = sharedFrame(name, action.siblings);
  const inner = name.slice(before.length, name.length - after.length);
  const rivals = action.siblings.filter((sibling) => sibling !== name && matchesWildcard(fold(`${before}*${after}`), fold(sibling)));
  const isHeld = words(before + after).some((word) => !stopWords.has(word));
  if (!isHeld || inner.trim() === "" || rivals.length === 0 || rivals.some((rival) => used.includes(rival))) return name;
  // A day may have its month in common with the others.
  const typed = /\d/u.test(inner) ? values.typedTemplate(name, (kind) => (kind === "text" ? "item" : kind)) : name;
  if (hasPlaceholder(typed)) return typed;
  const span = longestSharedSpan(inner, values.goalFor(inner));
  if (!span || span.inFirst.length < 3) return name;
  const input = values.add("item", "text", span.inFirst, span.inSecond, false);
  return `${before}${inner.slice(0, span.start)}{{${input.name}}}${inner.slice(span.end)}${after}`;
}

/**
 * "Episode {{number}}: Night Bus" beside "Episode 17: The Long Field": what stands behind the value is another for each of them, and the goal does not
 * say it, so it is not what the next one is called.
 */
function withoutOwnTail(typed: string, siblings: readonly string[]): string {
  const at = typed.lastIndexOf("}}") + 2;
  const [head, tail] = [typed.slice(0, typed.indexOf("{{")), typed.slice(at)];
  const lead = /^[^\p{L}\p{N}]*/u.exec(tail)?.[0] ?? "";
  if (tellingStems(head).length === 0 || tellingStems(tail).length === 0) return typed;
  const kin = siblings.filter((sibling) => fold(sibling).startsWith(fold(head)));
  const isShared = kin.some((sibling) => fold(sibling).endsWith(fold(tail)));
  return kin.length === 0 || isShared ? typed : `${typed.slice(0, at)}${lead}*`;
}

/** One of several radio buttons: the goal may name all of it or its telling word. */
function choiceTemplate(values: Values, action: ShownAction, name: string): string {
  const choices = [name, ...action.siblings];
  if (chosenIn(values.goal, choices) !== name) return name;
  const input = values.add("choice", "text", name, name, false, choices);
  return `{{${input.name}}}`;
}

/** Words a name shares with other names of its kind, before and after what differs: "Add " of "Add Lentil dal" among "Add Trout" and more. */
function sharedFrame(name: string, siblings: readonly string[]): { before: string; after: string } {
  const own = name.split(/(?<=\s)/u);
  // What is a part of the name ("Economic History" beside "Change seminar for Economic History") is the thing itself, not another one.
  const others = siblings.filter((sibling) => !standInRow(words(name), words(sibling))).map((sibling) => sibling.split(/(?<=\s)/u));
  // A brand that two of many have in common is no frame.
  const most = (sharing: readonly unknown[], of: number): boolean => sharing.length > 0 && sharing.length * 2 >= of;
  const sharesStart = (length: number) => others.filter((other) => other.length > length && own.slice(0, length).every((word, index) => word === other[index]));
  const kin = sharesStart(1).length;
  let before = 0;
  while (before < own.length - 1 && most(sharesStart(before + 1), kin)) before++;
  // "Borrow shredder" beside "Borrow strimmer" and "Notes: shredder": what ends alike but begins otherwise is about the same thing.
  const alike = before === 0 ? others : others.filter((other) => other[0] === own[0]);
  const sharesEnd = (length: number) =>
    alike.filter(
      (other) => other.length > length && own.slice(own.length - length).every((word, index) => word.trim() === other[other.length - length + index]?.trim()),
    );
  const kinAtEnd = sharesEnd(1).length;
  let after = 0;
  while (after < own.length - 1 - before && most(sharesEnd(after + 1), kinAtEnd)) after++;
  return { before: own.slice(0, before).join(""), after: after === 0 ? "" : own.slice(own.length - after).join("") };
}

/**
 * What tells the row of an equal name apart, in the goal's words: all values of the goal that stand in the row ("Office" and "8 March 2027"),
 * joined by `*`; else the text that told it apart when it was shown.
 */
export function withinTemplate(values: Values, within: string, context: string, around = ""): string {
  // What page and control call the things of the list ("order", "loan") tells no row apart.
  const named = new Set(tellingStems(around));
  const isNamed = (word: string): boolean => tellingStems(word).every((one) => named.has(one));
  const row = context === "" ? within : context;
  const marks: string[] = [];
  const typed = values.typedTemplate(row, (kind) => (kind === "text" ? "item" : kind));
  for (const match of typed.matchAll(/\{\{[^}]+\}\}/gu)) if (!marks.includes(match[0])) marks.push(match[0]);
  const rest = typed.replace(/\{\{[^}]+\}\}/gu, " ¦ ");
  const span = rest
    .split("¦")
    .map((part) => longestSharedSpan(part, values.goalFor(part)))
    .filter((found) => found !== undefined)
    .filter((found) => found.inFirst.length >= 3 && !(values.isKindWord(found.inSecond) && (marks.length === 0 || isNamed(found.inSecond))))
    .sort((a, b) => b.inFirst.length - a.inFirst.length)[0];
  if (span) {
    const input = values.add("item", "text", span.inFirst, span.inSecond, false);
    marks.push(`{{${input.name}}}`);
  }
  return marks.length === 0 ? within : marks.join("*");
}
