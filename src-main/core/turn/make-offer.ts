import type { ValueKind } from "#contract/skills/schema.ts";
import { envelopeOf } from "../envelope/index.ts";
import type { PageElement, PageView } from "../ports/browser.ts";
import { hostsIn } from "../skills/index.ts";
import { type FoundValue, findValues, renderValue, withoutUrls, tokens as wordsOf } from "../skills/values/index.ts";
import type { Offer } from "../tools/index.ts";
import { beyondPage, isBeyondPage } from "./beyond-page.ts";
import type { Led } from "./led.ts";
import { memorySpokenOf } from "./memory-talk.ts";
import { loginsFor } from "./offered-logins.ts";
import { pageSpokenOf, readingOn } from "./page-talk.ts";
import type { Scene } from "./scene.ts";
import { skillsSpokenOf } from "./skill-talk.ts";
import { wrongSiblings } from "./wrong-siblings.ts";

/** What the world offers besides a page. */
interface Surroundings {
  readonly page: PageView | null;
  readonly now: Date;
  readonly hasWorkspace: boolean;
  readonly hasMemory: boolean;
}

/** What may be written now: on the page, in talk, and of what rules, the skill in charge and the goal bring along. */
export function makeOffer(scene: Scene, led: Led, around: Surroundings): Offer {
  const offer = offerOnPage(scene, led, around);
  const beyond = offer.mayAct ? beyondPage(scene, led, around.page) : undefined;
  return beyond === undefined ? offer : { ...offer, beyond };
}

/** The goal's own values are all that can be typed where a routine or advice leads. */
function offerOnPage(
  scene: Scene,
  { charge, due, bindings, hasStrayed, hinted, isAdviceDone }: Led,
  { page, now, hasWorkspace, hasMemory }: Surroundings,
): Offer {
  const urls = addressesIn(scene);
  const base: Offer = {
    page,
    without: new Set(),
    urls,
    texts: null,
    mayPress: true,
    mayReply: true,
    mayLeave: false,
    mayAct: true,
    hasWorkspace,
    memory: hasMemory ? memorySpokenOf(scene) : null,
    skills: skillsSpokenOf(scene),
    logins: charge === null && page !== null ? loginsFor(scene.world, page) : [],
  };
  if (charge && due && bindings) {
    const guided = { ...base, hasWorkspace: false, memory: null, mayPress: false, mayLeave: true };
    if (due.kind === "done") return { ...guided, mayAct: false, mayLeave: false };
    if (due.kind === "judge") return due.at === charge.revision.steps.length - 1 ? { ...guided, mayAct: false, mayLeave: false } : guided;
    const values = Object.entries(bindings.values).flatMap(([name, value]) => renderValue(value, bindings.inputs.properties[name]?.kind ?? "text") ?? []);
    if (due.kind === "several") return { ...guided, mayAct: false };
    if (due.kind === "search")
      return { ...guided, mayReply: false, without: new Set(due.siblings), ...(due.ways.length > 0 ? { only: due.ways } : {}), texts: () => values };
    const dueText = due.call.tool === "browser_fill" ? String(due.call.args.text) : null;
    const isElsewhere = isBeyondPage(due.call);
    const openUrl = due.call.tool === "browser_open" ? String(due.call.args.url) : null;
    return {
      ...guided,
      mayReply: false,
      mayPress: due.call.tool === "browser_press",
      without: new Set(due.siblings),
      // A small model that has strayed once strays again; it may still leave the routine.
      ...(hasStrayed && due.element ? { only: [due.element] } : {}),
      texts: (element) => (dueText !== null && element === due.element ? [dueText] : []),
      urls: openUrl ? [openUrl] : isElsewhere ? [] : urls,
      // A step that opens an address, or works on no page, can be written only where no page is in the way.
      page: openUrl || isElsewhere ? null : page,
    };
  }
  const without = page ? wrongSiblings(page, scene.goal, now) : new Set<PageElement>();
  if (!scene.input.hint)
    return { ...base, without, mayFetch: mayFetch(scene.world), mayRun: hasWorkspace && mayRun(scene.world), reading: readingOn(pageSpokenOf(scene), page) };
  if (isAdviceDone) return { ...base, mayAct: false };
  const candidates = typable(scene.goal, `${scene.input.hint}\n${page?.text ?? ""}`, now);
  return { ...base, without, texts: (element) => candidates(element), ...(hinted ? { mayReply: false, mayPress: false } : {}) };
}

/** Pages are read without a browser where the user granted that kind of action: it is not among those everybody starts with. */
export function mayFetch({ stores, fetchPage }: Scene["world"]): boolean {
  return fetchPage !== undefined && envelopeOf(stores.grants.list()).primitives.has("web_fetch");
}

/** Programs are started only where the user granted that kind of action: nobody begins with it. */
export function mayRun({ stores, runProgram }: Scene["world"]): boolean {
  return runProgram !== undefined && envelopeOf(stores.grants.list()).primitives.has("workspace_exec");
}

function addressesIn(scene: Scene): string[] {
  const written = [...scene.goal.matchAll(/\bhttps?:\/\/[^\s"'<>)]+/giu)].map((match) => match[0].replace(/[.,;:!?]+$/u, ""));
  const named = hostsIn(scene.goal).filter((host) => !written.some((url) => url.includes(host)));
  return [...written, ...named.map((host) => `https://${host}`)];
}

/** Values of the goal that may be typed into a field: dates in the form that advice or page tell, else runs of the goal's own words. */
function typable(goal: string, told: string, now: Date): (element: PageElement) => string[] {
  const found = findValues(goal, now);
  const text = withoutUrls(goal);
  const all = wordsOf(text);
  const spans: string[] = [];
  for (let start = 0; start < all.length; start++) {
    for (let stop = start; stop < Math.min(all.length, start + 6); stop++) {
      const [first, last] = [all[start], all[stop]];
      if (first && last) spans.push(text.slice(first.start, last.end));
    }
  }
  return (element) => {
    const dates = found.filter((value) => value.kind === "date" || value.kind === "month" || value.kind === "time");
    if (element.format !== undefined) return inFormat(element.format, found, now);
    const days = dates.filter((value) => value.kind === "date");
    if (days.length > 0 && /\b(?:date|day|when|birthday)\b/iu.test(element.name)) {
      const form = dateForm(told, element.name);
      return [
        ...new Set(days.flatMap((value) => (form === undefined ? [value.text, value.canonical] : (renderValue(value.canonical, "date", form) ?? value.text)))),
      ];
    }
    const typed = found.map((value) => value.text);
    const iso = dates.flatMap((value) => (value.kind === "date" && !value.canonical.startsWith("--") ? [value.canonical] : []));
    return [...new Set([...typed, ...iso, ...spans.filter((span) => !/[\n":;]/u.test(span))])].slice(0, 150);
  };
}

/** The goal's values as a field takes them that takes one form only; a day without a year is one of this year. */
function inFormat(format: NonNullable<PageElement["format"]>, found: readonly FoundValue[], now: Date): string[] {
  const withYear = (canonical: string): string => (canonical.startsWith("--") ? `${now.getFullYear()}-${canonical.slice(2)}` : canonical);
  const fits = (kind: ValueKind): boolean =>
    format === "number" ? kind === "number" || kind === "amount" : kind === format || (format === "month" && kind === "date");
  const texts = found.filter(({ kind }) => fits(kind)).map(({ canonical }) => withYear(canonical));
  return [...new Set(format === "month" ? texts.map((text) => text.slice(0, 7)) : texts)];
}

/** The form of a date that is told for a field ("Date … dd/mm/yyyy"), as a placeholder's form. */
function dateForm(told: string, field: string): string | undefined {
  const near = told.split("\n").flatMap((line, index, lines) => (line.toLowerCase().includes(field.toLowerCase()) ? [line, lines[index + 1] ?? ""] : []));
  for (const line of near) {
    const form = /\b(?:dd?|mm?|yyyy)([/.-])(?:dd?|mm?)\1(?:yyyy|dd?)\b/iu.exec(line)?.[0];
    if (form !== undefined) return form.toUpperCase();
  }
  return undefined;
}
