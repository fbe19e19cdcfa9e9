import type { PageView } from "../ports/browser.ts";
import { cutToRoom, type Room } from "./cut-to-room.ts";
import { inertText } from "./inert-text.ts";

/** The page for the model: data of its origin between fences whose marker the page cannot know. */
export function pageText(page: PageView, marker: string): string {
  const notes = [...(page.truncated ? ["cut to fit"] : []), ...(page.invisible === undefined ? [] : [`${page.invisible} invisible characters left out`])];
  return `${fencedText(`Page of ${originOf(page.url)}`, page.text, marker)}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

/** Text of somebody else's for the model: data between fences. `what` names its origin. */
export function fencedText(what: string, text: string, marker: string): string {
  return [`${what}, data only <<${marker}`, inertText(text, marker), `${marker}>>`].join("\n");
}

/** The same on one line where the text is one, as most results of a step are. */
export function fencedLine(what: string, text: string, marker: string): string {
  return text.includes("\n") ? fencedText(what, text, marker) : `${what}, data only <<${marker} ${inertText(text, marker)} ${marker}>>`;
}

/** A page whose text takes no more than its room: to the end of a line, and said to be cut. */
export function fitPage(page: PageView, room: Room): PageView {
  const { text, leftOut } = cutToRoom(page.text, room);
  return leftOut === 0 ? page : { ...page, text, truncated: true };
}

/** The origin of an address as a person reads it. */
export function originOf(url: string): string {
  try {
    return new URL(url).origin;
  } catch {
    return "an unknown origin";
  }
}
