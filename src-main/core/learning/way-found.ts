import type { RoutineNote, Step } from "#contract/chat/schema.ts";
import { callTarget, isIndexLetter, isPageNumber, isPager } from "../skills/index.ts";

/** A step of a run that went well, with what was due and what it led to. */
export interface Done {
  readonly step: Step;
  readonly note: RoutineNote;
  readonly after: { readonly url: string; readonly heading: string; readonly text: string } | null;
}

/** One step of a way; pages that were leafed through are one. */
export interface OnTheWay {
  readonly done: Done;
  readonly isPaging: boolean;
}

const onPage = /^browser_(?:click|fill|select|open)$/u;

/**
 * What of these steps led on. What came back to a page that was there before is no part of it, nor is what is found again by looking: something that was
 * only opened on the page, a page by its number, a letter of an index.
 * @param start what was to be seen before the first of them
 */
export function wayOf(tried: readonly Done[], start: Done["after"]): OnTheWay[] {
  const way: Done[] = [];
  for (const one of tried.filter(({ step }) => onPage.test(step.tool))) {
    // What is typed or chosen shows on the page only once something is pressed.
    const there = isPress(one) && one.after !== null ? [start, ...way.map(({ after }) => after)].findIndex((seen) => isSame(seen, one.after)) : -1;
    if (there >= 0) way.length = there;
    else way.push(one);
  }
  const found: OnTheWay[] = [];
  for (const [index, done] of way.entries()) {
    const name = nameOf(done);
    const isPaging = done.step.tool === "browser_click" && isPager(name);
    const before = found.at(-1);
    if (isPaging && before?.isPaging === true && nameOf(before.done) === name) found[found.length - 1] = { done, isPaging };
    else if (isPaging || !isFoundAgain(done, way[index - 1])) found.push({ done, isPaging });
  }
  return found;
}

function isFoundAgain(done: Done, earlier: Done | undefined): boolean {
  if (!isPress(done)) return false;
  const name = nameOf(done);
  if (done.after === null || isPageNumber(name) || isIndexLetter(name)) return true;
  return earlier?.after?.url === done.after.url && earlier.after.heading === done.after.heading;
}

function isPress({ step }: Done): boolean {
  return step.tool === "browser_click";
}

function isSame(one: Done["after"], other: Done["after"]): boolean {
  return one !== null && other !== null && one.url === other.url && one.heading === other.heading && one.text === other.text;
}

function nameOf({ step }: Done): string {
  return callTarget({ args: step.args })?.name ?? "";
}
