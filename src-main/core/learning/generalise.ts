import { stopWords } from "#base/stop-words.ts";
import { fold, squash, words } from "#base/text.ts";
import { matchesWildcard } from "#base/wildcard.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import type { Check, SkillInput, SkillStep, Target, ValueKind } from "#contract/skills/schema.ts";
import { asksForAnswer, isFixedLandmark, isPager, withoutCount } from "../skills/index.ts";
import { chosenIn, type FoundValue, findValues, literalIn, longestSharedSpan, type NamedValue, toTemplate, withoutUrls } from "../skills/values/index.ts";
import { isChoiceRole } from "./choice-role.ts";

/** What one run of a routine comes to once its values are taken out. */
export interface Generalised {
  readonly steps: SkillStep[];
  readonly inputs: Record<string, SkillInput>;
  readonly required: string[];
  /** The values of this run by input name, canonical. */
  readonly values: Record<string, string>;
  /** Said to the person who reads the draft. */
  readonly notes: string[];
  readonly origins: string[];
}

interface Known extends NamedValue {
  readonly hasDefault: boolean;
  readonly text: string;
  readonly choices: readonly string[] | undefined;
}

/** Collects the inputs while the actions are read in order. */
class Values {
  readonly known: Known[] = [];
  readonly #goal: string;
  readonly #typed: FoundValue[];

  constructor(goal: string, now: Date) {
    this.#goal = withoutUrls(goal);
    this.#typed = findValues(goal, now);
  }

  get goal(): string {
    return this.#goal;
  }

  #name(wish: string): string {
    const base =
      words(wish)
        .filter((word) => !stopWords.has(word))
        .slice(0, 3)
        .join("-")
        .replace(/[^a-z0-9-]/gu, "") || "value";
    let name = /^[a-z]/u.test(base) ? base : `value-${base}`;
    for (let count = 2; this.known.some((value) => value.name === name); count++) name = `${base}-${count}`;
    return name;
  }

  add(wish: string, kind: ValueKind, canonical: string, text: string, hasDefault: boolean, choices?: readonly string[]): Known {
    const there = this.known.find((value) => value.kind === kind && fold(value.canonical) === fold(canonical));
    if (there) return there;
    const made: Known = { name: this.#name(wish), kind, canonical, text, hasDefault, choices };
    this.known.push(made);
    return made;
  }

  /** Template of a literal after the typed values of the goal that stand in it have become inputs. */
  typedTemplate(literal: string, wish: (kind: ValueKind) => string): string {
    for (const value of this.#typed) {
      const probe: NamedValue = { name: "probe", kind: value.kind, canonical: value.canonical };
      const shorter = value.kind === "number" && value.canonical.length < 2 && words(literal).length > 1;
      if (!shorter && toTemplate(literal, [probe]) !== literal) this.add(wish(value.kind), value.kind, value.canonical, value.text, false);
    }
    return toTemplate(literal, this.known);
  }

  /** Template of a literal with the days, months and times of the goal in it as inputs. */
  calendarTemplate(literal: string, wish: string): string {
    for (const value of this.#typed) {
      if (value.kind !== "date" && value.kind !== "month" && value.kind !== "time") continue;
      if (toTemplate(literal, [{ name: "probe", kind: value.kind, canonical: value.canonical }]) !== literal)
        this.add(wish, value.kind, value.canonical, value.text, false);
    }
    return toTemplate(
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
    return [];
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

function hasPlaceholder(text: string): boolean {
  return text.includes("{{");
}

/** A typed or chosen value: an input when the goal names it, else constant. */
function valueTemplate(values: Values, literal: string, field: string, options: readonly string[] | undefined, notes: string[]): string {
  const whole = toTemplate(literal, values.wholly(literal, field));
  if (/^\{\{[^}]+\}\}$/u.test(whole)) return whole;
  // "Week of 10 May 2027": the day is the value, the rest is how the page says it.
  const calendar = values.calendarTemplate(literal, field);
  if (hasPlaceholder(calendar)) return calendar;
  const place = literalIn(values.goal, literal);
  if (place) {
    const { kind, canonical } = values.kindOf(values.goal.slice(place.start, place.end));
    const input = values.add(field, kind, kind === "text" ? literal : canonical, literal, false, kind === "text" ? options : undefined);
    return kind === "text" ? `{{${input.name}}}` : toTemplate(literal, [input]);
  }
  const typed = values.typedTemplate(literal, () => field);
  if (hasPlaceholder(typed)) return typed;
  const span = longestSharedSpan(literal, values.goal);
  // "household waste" for the option "Household waste (black bin)".
  if (span && span.inFirst.length >= 4 && span.inFirst.length * 2 >= literal.length) {
    const input = values.add(field, "text", options ? literal : span.inFirst, span.inSecond, false, options);
    return `{{${input.name}}}`;
  }
  notes.push(`"${literal}" in ${field} is kept as it is: the goal does not name it.`);
  return literal;
}

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
function nameTemplate(values: Values, action: ShownAction, name: string): string {
  const role = action.target?.role ?? "item";
  const typed = values.typedTemplate(name, (kind) => (kind === "text" ? role : kind));
  if (hasPlaceholder(typed)) return typed;
  // Where the row tells equal names apart, the name itself says nothing of the goal's values.
  if (isPager(name) || (action.target?.within ?? "") !== "") return name;
  if (isChoiceRole(role)) return choiceTemplate(values, action, name);
  // A whole name inside the goal's sentence is a value as it stands; at its head it may begin with the verb of the control.
  const place = literalIn(values.goal, name);
  const isHead = place !== undefined && values.goal.slice(0, place.start).trim() === "";
  const frame = place !== undefined && !isHead ? { before: "", after: "" } : sharedFrame(name, action.siblings);
  const inner = name.slice(frame.before.length, name.length - frame.after.length);
  const found = longestSharedSpan(inner, values.goal);
  if (!found) return name;
  const span = { ...found, start: found.start + frame.before.length, end: found.end + frame.before.length };
  const before = name.slice(0, span.start);
  const after = name.slice(span.end);
  const rest = words(before + after);
  const whole = rest.length === 0;
  const inGoal = span.inSecond;
  // Written in the goal like a name of something: a capital inside the sentence, digits, or quotes.
  const goalStart = values.goal.trimStart().startsWith(inGoal);
  const telling =
    /\d/u.test(inGoal) ||
    (/\p{Lu}/u.test(inGoal) && !goalStart) ||
    new RegExp(`["'“‘]${inGoal.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")}["'”’]`, "u").test(values.goal);
  if (isFixedLandmark(action.landmark) && !telling) return name;
  if (whole) {
    const { kind, canonical } = values.kindOf(inGoal);
    const input = values.add(role === "link" || role === "button" ? "item" : role, kind, kind === "text" ? span.inFirst : canonical, inGoal, !telling);
    return kind === "text" ? `{{${input.name}}}` : toTemplate(name, [input]);
  }
  if (alike(before, after, action.siblings, name) > 0) {
    const input = values.add("item", "text", span.inFirst, inGoal, !telling);
    return `${before}{{${input.name}}}${after}`;
  }
  if (telling && span.inFirst.length >= 3) {
    const input = values.add("item", "text", span.inFirst, inGoal, false);
    // The rest of the name is not seen on any other element: it may belong to the value.
    return `${before === "" ? "" : "*"}{{${input.name}}}${after === "" ? "" : "*"}`;
  }
  return name;
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
  const others = siblings.filter((sibling) => sibling !== name).map((sibling) => sibling.split(/(?<=\s)/u));
  let before = 0;
  while (before < own.length - 1 && others.some((other) => other.length > before + 1 && own.slice(0, before + 1).every((word, index) => word === other[index])))
    before++;
  let after = 0;
  while (
    after < own.length - 1 - before &&
    others.some(
      (other) =>
        other.length > after + 1 && own.slice(own.length - after - 1).every((word, index) => word.trim() === other[other.length - after - 1 + index]?.trim()),
    )
  )
    after++;
  return { before: own.slice(0, before).join(""), after: after === 0 ? "" : own.slice(own.length - after).join("") };
}

/**
 * What tells the row of an equal name apart, in the goal's words: all values of the goal that stand in the row ("Office" and "8 March 2027"),
 * joined by `*`; else the text that told it apart when it was shown.
 */
function withinTemplate(values: Values, within: string, context: string): string {
  const row = context === "" ? within : context;
  const marks: string[] = [];
  const typed = values.typedTemplate(row, (kind) => (kind === "text" ? "item" : kind));
  for (const match of typed.matchAll(/\{\{[^}]+\}\}/gu)) if (!marks.includes(match[0])) marks.push(match[0]);
  const rest = typed.replace(/\{\{[^}]+\}\}/gu, " ¦ ");
  const span = rest
    .split("¦")
    .map((part) => longestSharedSpan(part, values.goal))
    .filter((found) => found !== undefined)
    .filter((found) => found.inFirst.length >= 3 && !values.isKindWord(found.inSecond))
    .sort((a, b) => b.inFirst.length - a.inFirst.length)[0];
  if (span) {
    const input = values.add("item", "text", span.inFirst, span.inSecond, false);
    marks.push(`{{${input.name}}}`);
  }
  return marks.length === 0 ? within : marks.join("*");
}

/** @param loose segments that came with a value of this run; any page of another value has others, and they are added to */
function urlPattern(url: string, values: readonly NamedValue[], varies: boolean, previous: string, loose: Set<string>): string | undefined {
  let path: string;
  try {
    path = new URL(url).pathname;
  } catch {
    return undefined;
  }
  let before: string[] = [];
  try {
    before = new URL(previous).pathname.split("/");
  } catch {
    // no page before
  }
  const parts = path.split("/");
  return parts
    .map((part, index) => {
      const template = toTemplate(decodeURIComponentSafe(part), values);
      if (hasPlaceholder(template)) return "*";
      if (/\d/u.test(part)) return "*";
      if (loose.has(part)) return "*";
      if (varies && index === parts.length - 1 && part !== "" && part !== before[index]) {
        loose.add(part);
        return "*";
      }
      return part;
    })
    .join("/");
}

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Digits that come from no value of the goal may be counters or dates: any. */
function stable(template: string): string {
  return template
    .split(/(\{\{[^}]+\}\})/u)
    .map((part) => (part.startsWith("{{") ? part : part.replace(/[\p{L}\p{N}£$€.,:/-]*\d[\p{L}\p{N}.,:/-]*/gu, "*")))
    .join("")
    .replace(/\*(?:\s*\*)+/gu, "*");
}

/** What a person would look at to see that the step worked (SPEC 4, "Other ways in"). */
function checkAfter(
  action: ShownAction,
  values: readonly Known[],
  varies: boolean,
  previous: ShownAction | undefined,
  last: boolean,
  loose: Set<string>,
): Check {
  const heading = action.after.heading;
  const template = toTemplate(heading, values);
  const page: { heading?: string; url?: string; text?: string } = {};
  const usable = heading !== "" && (hasPlaceholder(template) || !varies || heading === previous?.after.heading);
  if (usable && stable(template).replace(/[*\s]/gu, "") !== "") page.heading = stable(template);
  const url = urlPattern(action.after.url, values, varies, previous?.after.url ?? "", loose);
  if (url !== undefined) page.url = url;
  if (last && !(page.heading && hasPlaceholder(page.heading))) {
    const shown = values.map((value) => /\{\{[^}]+\}\}/u.exec(toTemplate(action.after.text, [value]))?.[0]).find((mark) => mark !== undefined);
    if (shown) page.text = shown;
  }
  return { page };
}

const onFail = "Stop and say what was expected and what was seen.";

function describe(call: { tool: string; args: Record<string, unknown> }): string {
  const target = call.args.target as Target | undefined;
  const name = target ? `${target.role} "${target.name}"${target.within ? ` in the row of ${target.within}` : ""}` : "";
  switch (call.tool) {
    case "browser_open":
      return `Open ${String(call.args.url)}`;
    case "browser_click":
      return `Click the ${name}`;
    case "browser_fill":
      return `Fill the ${name} with ${String(call.args.text)}`;
    case "browser_select":
      return `Choose ${String(call.args.option)} in the ${name}`;
    default:
      return `Press ${String(call.args.key)}`;
  }
}

/**
 * Turns one run (a person's showing, or an agent's own successful run) into steps with inputs: values that the goal names become
 * placeholders, repeated presses become "repeat until the next target is there", what was seen after each action becomes its check.
 * Pure: no model takes part.
 * @param now the day of the run, for relative dates in its goal
 */
export function generalise(goal: string, actions: readonly ShownAction[], now: Date): Generalised {
  const values = new Values(goal, now);
  const notes: string[] = [];
  const steps: SkillStep[] = [];
  const origins = new Set<string>();
  const note = (url: string): void => {
    try {
      origins.add(new URL(url).origin);
    } catch {
      // about:blank and the like have no origin worth granting
    }
  };
  const acts = actions.filter((action) => action.kind !== "download");
  // Two rounds: a value first seen in a later step (a date typed in a form) also explains earlier names and checks.
  const templates = acts.map((action) => {
    if (action.kind === "fill" || action.kind === "select")
      return action.secret
        ? ""
        : valueTemplate(values, action.value ?? "", action.target?.name || "value", action.kind === "select" ? action.options : undefined, notes);
    return action.kind === "click" && action.target ? nameTemplate(values, action, action.target.name) : "";
  });
  const lastAct = acts.findLastIndex((action) => action.kind === "click" || action.kind === "press");
  let previous: ShownAction | undefined;
  const loose = new Set<string>();
  for (const [index, action] of acts.entries()) {
    note(action.after.url);
    const target: Target | undefined = action.target && {
      role: action.target.role,
      name: action.kind === "click" ? (templates[index] ?? action.target.name) : action.target.name,
      ...(action.target.within === undefined || action.target.within === "" ? {} : { within: withinTemplate(values, action.target.within, action.context) }),
    };
    const varies =
      (target !== undefined && (hasPlaceholder(target.name) || hasPlaceholder(target.within ?? ""))) ||
      acts.slice(0, index).some((act) => act.kind === "fill" || act.kind === "select");
    const next = acts[index + 1];
    const repeats =
      action.kind === "click" &&
      target !== undefined &&
      isPager(target.name) &&
      next?.kind === "click" &&
      (next.target?.name === action.target?.name || hasPlaceholder(templates[index + 1] ?? ""));
    const sameAsBefore =
      action.kind === "click" &&
      previous?.kind === "click" &&
      previous.target?.name === action.target?.name &&
      previous.target?.role === action.target?.role &&
      (previous.target?.within ?? "") === (action.target?.within ?? "");
    if (sameAsBefore) {
      const before = steps.at(-1);
      if (before && isPager(action.target?.name ?? "")) {
        before.repeatUntilNext = true;
        before.do = `Press ${action.target?.name ?? ""} until the next target is there`;
        previous = action;
        continue;
      }
    }
    const download = actions[actions.indexOf(action) + 1];
    const file = download?.kind === "download" ? download.value : undefined;
    let call: { tool: string; args: Record<string, unknown> } | undefined;
    let check: Check;
    if (action.kind === "open") {
      call = { tool: "browser_open", args: { url: action.value ?? action.after.url } };
      check = checkAfter(action, values.known, false, previous, false, loose);
    } else if (action.kind === "fill" || action.kind === "select") {
      if (action.secret) {
        steps.push({ do: `Enter the secret for ${action.target?.name ?? "the field"} from a vault entry (choose one)`, onFail });
        previous = action;
        continue;
      }
      const text = templates[index] ?? "";
      call = action.kind === "fill" ? { tool: "browser_fill", args: { target, text } } : { tool: "browser_select", args: { target, option: text } };
      check = { result: { equals: text } };
    } else if (action.kind === "press") {
      call = { tool: "browser_press", args: { key: action.value ?? "Enter" } };
      check = checkAfter(action, values.known, varies, previous, index === lastAct, loose);
    } else {
      call = { tool: "browser_click", args: { target } };
      check =
        file === undefined
          ? checkAfter(action, values.known, varies, previous, index === lastAct, loose)
          : { file: { exists: stable(toTemplate(withoutCount(file), values.known)) } };
    }
    steps.push({
      do: repeats ? `Press ${target?.name ?? ""} until the next target is there` : describe(call),
      call,
      check,
      ...(repeats ? { repeatUntilNext: true } : {}),
      onFail,
    });
    previous = action;
  }
  const ended = actions.at(-1)?.kind;
  if (asksForAnswer(goal) && ended !== "download") steps.push({ do: "Read this page and answer what was asked", onFail: "Say what could not be found." });
  const inputs: Record<string, SkillInput> = {};
  const used = JSON.stringify(steps);
  for (const value of values.known) {
    if (!used.includes(`{{${value.name}}}`) && !used.includes(`{{${value.name}|`)) continue;
    inputs[value.name] = {
      type: "string",
      kind: value.kind,
      description: value.name.replaceAll("-", " "),
      examples: [value.text],
      ...(value.choices && value.choices.length > 1 && value.choices.length <= 60 ? { choices: [...new Set(value.choices)] } : {}),
      ...(value.hasDefault ? { default: value.canonical } : {}),
    };
  }
  return {
    steps,
    inputs,
    required: Object.keys(inputs).filter((name) => inputs[name]?.default === undefined),
    values: Object.fromEntries(values.known.filter((value) => inputs[value.name]).map((value) => [value.name, value.canonical])),
    notes,
    origins: [...origins],
  };
}
