import { canonicalJson } from "#base/json.ts";
import { fold } from "#base/text.ts";
import type { Call, SkillStep, Target } from "#contract/skills/schema.ts";
import type { PageElement, PageView } from "../ports/browser.ts";
import { targetOf as elementTarget } from "../ports/target-of.ts";
import { callTarget, mapTexts, textsIn } from "../skills/index.ts";
import { chosenIn } from "../skills/values/index.ts";
import { type Bindings, fillText } from "./bindings.ts";
import { findOption } from "./find-option.ts";
import { alikeOn, findTarget } from "./find-target.ts";
import { optionInstead } from "./spoken-of.ts";
import { waysOn } from "./ways-on.ts";

/** Where a run stands in its routine. Plain data; `look` and `advance` are the only ones that reckon with it. */
export interface Place {
  /** Index of the step to do next; steps.length when all are done. */
  readonly at: number;
  /** Pages seen while searching for the present target, so that searching ends. */
  readonly searched: readonly string[];
  /** Names of the controls that were pressed to search further, the last one last; the direction is kept. */
  readonly tried?: readonly string[];
}

export const startPlace: Place = { at: 0, searched: [] };

/** What the host says about the next step, having looked at the page. */
export type Guidance =
  /** The next call, complete: element found, values filled in. */
  | {
      readonly kind: "call";
      readonly at: number;
      readonly step: SkillStep;
      readonly call: Call;
      readonly element: PageElement | undefined /** The bindings as this page has them. */;
      readonly values: Bindings["values"];
      readonly siblings: readonly PageElement[];
    }
  /** A step without a call: the model decides. */
  | { readonly kind: "judge"; readonly at: number; readonly step: SkillStep }
  /** The target is not in sight. `ways` are controls that show more of the list, best first. */
  | {
      readonly kind: "search";
      readonly at: number;
      readonly step: SkillStep;
      readonly wanted: string;
      readonly siblings: readonly PageElement[];
      readonly ways: readonly PageElement[];
    }
  /** Several things fit alike and nothing says which is meant: the user is asked. */
  | { readonly kind: "several"; readonly at: number; readonly step: SkillStep; readonly wanted: string; readonly among: readonly PageElement[] }
  | { readonly kind: "done" };

function isInSight(step: SkillStep | undefined, page: PageView, bindings: Bindings): boolean {
  const target = callTarget(step?.call);
  if (!target) return false;
  const sight = findTarget(target, page, bindings);
  if (sight.kind !== "found") return sight.kind === "several";
  if (step?.call?.tool !== "browser_select") return true;
  return completeCall("browser_select", step.call.args, target, sight.element, bindings) !== undefined;
}

/** What the other steps of a routine press by a name that is always the same. */
function namesOfOthers(steps: readonly SkillStep[], own: SkillStep): ReadonlySet<string> {
  const names = steps.filter((step) => step !== own).map((step) => callTarget(step.call)?.name ?? "{{");
  return new Set(names.filter((name) => !name.includes("{{")).map(fold));
}

function pageKey(page: PageView): string {
  return `${page.url}\n${page.lines.join("\n")}`;
}

/** Things that a question can name. */
const mostOffered = 12;

/**
 * Decides by looking at the page what comes next. Repeat steps are done until the next target is there; a step whose target is missing is
 * passed over when a later one, up to two on, is in plain sight.
 */
export function look(steps: readonly SkillStep[], place: Place, page: PageView | null, bindings: Bindings): Guidance {
  const step = steps[place.at];
  if (!step) return { kind: "done" };
  if (!step.call) return { kind: "judge", at: place.at, step };
  const { tool, args } = step.call;
  if (tool === "browser_open") {
    const url = fillText(String(args.url ?? ""), bindings) ?? String(args.url ?? "");
    return { kind: "call", at: place.at, step, call: { tool, args: { url } }, element: undefined, values: bindings.values, siblings: [] };
  }
  if (tool === "browser_press")
    return { kind: "call", at: place.at, step, call: { tool, args: { key: args.key } }, element: undefined, values: bindings.values, siblings: [] };
  const target = callTarget(step.call);
  if (!target) {
    // What nobody knows is not called by the name of its input.
    if (textsIn(args).some((text) => fillText(text, bindings) === undefined)) return { kind: "judge", at: place.at, step };
    const filled = mapTexts(args, (text) => fillText(text, bindings) ?? text);
    return { kind: "call", at: place.at, step, call: { tool, args: filled }, element: undefined, values: bindings.values, siblings: [] };
  }
  if (!page) return { kind: "search", at: place.at, step, wanted: target.name, siblings: [], ways: [] };
  if (step.repeatUntilNext && isInSight(steps[place.at + 1], page, bindings)) return look(steps, { at: place.at + 1, searched: [] }, page, bindings);
  const sight = findTarget(target, page, bindings, namesOfOthers(steps, step));
  if (sight.kind === "found") {
    const now = withOptionInstead(step, sight.element, bindings);
    const call = completeCall(tool, now.call?.args ?? args, elementTarget(sight.element), sight.element, bindings);
    if (call) {
      const siblings = alikeOn(target, page).filter((element) => element !== sight.element);
      const values = { ...sight.values, ...pickedFor(args.option, call.args.option, bindings) };
      return { kind: "call", at: place.at, step: now, call, element: sight.element, values, siblings };
    }
    if (sight.element.action === "select" && isLeftOpen(args.option, bindings))
      return { kind: "several", at: place.at, step, wanted: `${sight.element.name} …`, among: optionsOf(sight.element) };
    return {
      kind: "search",
      at: place.at,
      step,
      wanted: `option ${fillText(String(args.option ?? args.text ?? ""), bindings) ?? ""} in ${sight.element.name}`,
      siblings: [sight.element],
      ways: [],
    };
  }
  if (sight.kind === "several") return { kind: "several", at: place.at, step, wanted: sight.wanted, among: sight.among };
  if (step.repeatUntilNext) return look(steps, { ...place, at: place.at + 1 }, page, bindings);
  for (const ahead of [1, 2]) {
    const later = steps[place.at + ahead];
    const between = steps.slice(place.at, place.at + ahead);
    if (
      between.every(
        (skipped) =>
          skipped.call?.tool === "browser_click" && !callTarget(skipped.call)?.name.includes("{{") && !(callTarget(skipped.call)?.within ?? "").includes("{{"),
      ) &&
      isInSight(later, page, bindings)
    ) {
      return look(steps, { at: place.at + ahead, searched: [] }, page, bindings);
    }
  }
  const ways = place.searched.includes(pageKey(page)) ? [] : waysOn(page, place.tried ?? [], sight.wanted, bindings.goal);
  // What to take was left to the page, and this is all there is: which it is can only be asked.
  const isOpen = ways.length === 0 && place.searched.length === 0 && fillText(target.name, bindings) === undefined;
  if (isOpen && sight.siblings.length > 1 && sight.siblings.length <= mostOffered)
    return { kind: "several", at: place.at, step, wanted: sight.wanted, among: sight.siblings };
  return { kind: "search", at: place.at, step, wanted: sight.wanted, siblings: sight.siblings, ways };
}

/** A step that picks what no goal named when it was shown, with what this goal names of the list. */
function withOptionInstead(step: SkillStep, { options }: PageElement, bindings: Bindings): SkillStep {
  const option = step.call?.args.option;
  if (step.call?.tool !== "browser_select" || typeof option !== "string" || option.includes("{{")) return step;
  const meant = optionInstead(options, option, bindings);
  return meant === undefined ? step : { ...step, call: { ...step.call, args: { ...step.call.args, option: meant } }, check: { result: { equals: meant } } };
}

function completeCall(tool: string, args: Record<string, unknown>, target: Target, element: PageElement, bindings: Bindings): Call | undefined {
  if (tool === "browser_fill") {
    const text = fillText(String(args.text ?? ""), bindings);
    return text === undefined ? undefined : { tool, args: { target, text } };
  }
  if (tool === "browser_select") {
    const wanted = fillText(String(args.option ?? ""), bindings);
    // What is not known before the list is seen is what the goal names of it.
    const option = wanted === undefined ? chosenIn(bindings.goal, element.options) : findOption(element.options, wanted);
    return option === undefined ? undefined : { tool, args: { target, option } };
  }
  return { tool, args: { target } };
}

/** The value of an input that was left to the page, once an option is picked for it. */
function pickedFor(template: unknown, option: unknown, bindings: Bindings): Bindings["values"] {
  const [, input] = /^\{\{([^}|]+)\}\}$/u.exec(String(template ?? "")) ?? [];
  return input === undefined || typeof option !== "string" || bindings.values[input] !== undefined ? {} : { [input]: option };
}

/** Whether what to choose was left to the page. */
function isLeftOpen(option: unknown, bindings: Bindings): boolean {
  return fillText(String(option ?? ""), bindings) === undefined;
}

/** The options of a list as things to ask about. */
function optionsOf(list: PageElement): PageElement[] {
  return list.options.map((name) => ({ ...list, role: "option", name, label: name, context: "", within: "" }));
}

function sameTarget(a: Target | undefined, b: Target | undefined): boolean {
  return a?.role === b?.role && a?.name === b?.name && (a?.within ?? "") === (b?.within ?? "");
}

/** Arguments as a step writes them, where everything is text. */
function asTexts(args: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, typeof value === "string" ? value : canonicalJson(value)]));
}

/** Whether an executed call is the one that was due. */
export function isDue(call: Call, due: Guidance): boolean {
  if (due.kind !== "call" || call.tool !== due.call.tool) return false;
  if (call.tool === "browser_open") return true;
  if (callTarget(due.call) === undefined && due.call.tool !== "browser_press")
    return canonicalJson(asTexts(call.args)) === canonicalJson(asTexts(due.call.args));
  return (
    sameTarget(callTarget(call), callTarget(due.call)) &&
    call.args.text === due.call.args.text &&
    call.args.option === due.call.args.option &&
    call.args.key === due.call.args.key
  );
}

/**
 * The place after a call that succeeded. It moves on only when the call was the one due; a repeat step stays until its next target is seen.
 * A call made while searching keeps the place and remembers the page it was made on.
 */
export function advance(place: Place, due: Guidance, call: Call, before: PageView | null): Place {
  if (due.kind === "call" && isDue(call, due)) return due.step.repeatUntilNext ? { at: due.at, searched: [] } : { at: due.at + 1, searched: [] };
  const target = callTarget(call);
  if (due.kind === "search" && before)
    return { at: due.at, searched: [...place.searched, pageKey(before)], tried: [...(place.tried ?? []), ...(target === undefined ? [] : [target.name])] };
  return place;
}
