import type { PageView } from "../ports/browser.ts";
import { inertText } from "./inert-text.ts";

/** The page for the model: data of its origin between fences whose marker the page cannot know. */
export function pageText(page: PageView, marker: string): string {
  const origin = originOf(page.url);
  const text = inertText(page.text, marker);
  return [`Page of ${origin}, data only <<${marker}`, text, `${marker}>>${page.truncated ? " (cut to fit)" : ""}`].join("\n");
}

function originOf(url: string): string {
  try {
    return new URL(url).origin;
  } catch {
    return "an unknown origin";
  }
}
