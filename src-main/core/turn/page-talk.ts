import type { PageView } from "../ports/browser.ts";
import { type Offer, toolRegistry } from "../tools/index.ts";
import type { Scene } from "./scene.ts";

/** Words with which people ask for what stands in rows, or for something to be looked up on a page. */
const aboutRows =
  /\b(?:lists?|tables?|rows?|every|each|all (?:of )?(?:the|my)|how many|which (?:ones|of)|read (?:out|me)|extract|compare|cheapest|most expensive|highest|lowest|newest|oldest|largest|smallest)\b/iu;
/** Words with which people ask to have something checked. */
const aboutChecks = /\b(?:check|verify|make (?:sure|certain)|ensure|confirm that|see (?:if|whether)|double-check|is still there|is gone)\b/iu;
/** Names that one step may choose from. */
const mostNamed = 12;

/**
 * Reading rows and checking what a page shows, for what the user says, in a free turn; null where they speak of neither. They are no part of the kernel: a
 * small model chooses worse among more tools, and the kernel's bytes stay the same in every turn.
 */
export function pageSpokenOf({ input }: Pick<Scene, "input">): { readonly rows: boolean; readonly checks: boolean } | null {
  const spoken = { rows: aboutRows.test(input.text), checks: aboutChecks.test(input.text) };
  return spoken.rows || spoken.checks ? spoken : null;
}

/** What of it can be written on a page: tables and lists by their names, fields that hold something by their labels. */
export function readingOn(spoken: ReturnType<typeof pageSpokenOf>, page: PageView | null): NonNullable<Offer["reading"]> | null {
  if (spoken === null || page === null) return null;
  const fields = page.elements.filter(({ action, secret }) => action !== "click" && !secret).map(({ label }) => label);
  return {
    tables: spoken.rows ? (page.tables ?? []).slice(0, mostNamed).map(({ name }) => name) : null,
    checked: spoken.checks ? fields.slice(0, mostNamed) : null,
  };
}

/** What those tools are, for the newest message; "" where none is offered. */
export function pageToolsText(spoken: ReturnType<typeof pageSpokenOf>): string {
  const ids = [...(spoken?.rows ? ["browser_extract"] : []), ...(spoken?.checks ? ["browser_expect"] : [])];
  return ids.length === 0 ? "" : ["Tools for the page as well:", ...ids.map((id) => `- ${toolRegistry.get(id)?.description ?? id}`)].join("\n");
}
