import type { PageView } from "../ports/browser.ts";
import { cutToRoom, type Room } from "./cut-to-room.ts";
import { inertText } from "./inert-text.ts";

/** The page for the model: data of its origin between fences whose marker the page cannot know. */
export function pageText(page: PageView, marker: string): string {
  return `${fencedText(`Page of ${originOf(page.url)}`, page.text, marker)}${page.truncated ? " (cut to fit)" : ""}`;
}

/** Text of somebody else's for the model: data between fences. `what` names its origin. */
export function fencedText(what: string, text: string, marker: string): string {
  return [`${what}, data only <<${marker}`, inertText(text, marker), `${marker}>>`].join("\n");
}

/** A page whose text takes no more than its room: to the end of a line, and said to be cut. */
export function fitPage(page: PageView, room: Room): PageView {
  const { text, leftOut } = cutToRoom(page.text, room);
  return leftOut === 0 ? page : { ...page, text, truncated: true };
}

function originOf(url: string): string {
  try {
    return new URL(url).origin;
  } catch {
    return "an unknown origin";
  }
}
