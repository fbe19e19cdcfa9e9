import { standInRow, words } from "#base/text.ts";
import { matchesWildcard } from "#base/wildcard.ts";
import type { ShownAction } from "#contract/learning/schema.ts";
import type { Check } from "#contract/skills/schema.ts";
import { type NamedValue, toTemplate } from "../skills/values/index.ts";
import { hasPlaceholder, type Values } from "./goal-values.ts";

/** Whether a text of a page stands for itself in a skill: marks of a placeholder or of a pattern in it would be read as such. */
export function isLiteral(text: string): boolean {
  return !/\{\{|\}\}|\*/u.test(text);
}

/** What a page is known by again, for a step whose page was only seen: its heading and its path, values as placeholders. */
export function checkOfPage(after: { readonly heading: string; readonly url: string }, values: readonly NamedValue[]): Check {
  const heading = isLiteral(after.heading) ? stable(toTemplate(after.heading, values)) : "";
  const url = isLiteral(decodeURIComponentSafe(after.url)) ? urlPattern(after.url, values, false, "", new Set()) : undefined;
  const page = { ...(heading.replace(/[*\s]/gu, "") === "" ? {} : { heading }), ...(url === undefined ? {} : { url }) };
  return { page: Object.keys(page).length > 0 ? page : { url: "*" } };
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

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : "";
}

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Digits that come from no value of the goal may be counters or dates: any. */
export function stable(template: string): string {
  return template
    .split(/(\{\{[^}]+\}\})/u)
    .map((part) => (part.startsWith("{{") ? part : part.replace(/[\p{L}\p{N}£$€.,:/-]*\d[\p{L}\p{N}.,:/-]*/gu, "*")))
    .join("")
    .replace(/\*(?:\s*\*)+/gu, "*");
}

/** What a person would look at to see that the step worked (SPEC 4, "Other ways in"). */
export function checkAfter(action: ShownAction, goal: Values, varies: boolean, previous: ShownAction | undefined, last: boolean, loose: Set<string>): Check {
  const heading = action.after.heading;
  const values = goal.known;
  const template = goal.template(heading, values);
  const page: { heading?: string; url?: string; text?: string } = {};
  // "York" where the value is "York Minster": the heading goes with the value, and nothing says how.
  const isPart = !hasPlaceholder(template) && values.some(({ kind, canonical }) => kind === "text" && standInRow(words(canonical), words(heading)));
  const usable = heading !== "" && !isPart && (hasPlaceholder(template) || !varies || heading === previous?.after.heading);
  if (usable && stable(template).replace(/[*\s]/gu, "") !== "") page.heading = stable(template);
  const url = urlPattern(action.after.url, values, varies, previous?.after.url ?? "", loose);
  if (url !== undefined) page.url = url;
  // What the page before would have passed as well says nothing of the last step: then it is known by the heading that came, though another value might bring another.
  const saysNothing = page.heading === undefined && matchesWildcard(url ?? "*", pathOf(previous?.after.url ?? ""));
  const came = stable(template);
  if (last && saysNothing && !isPart && heading !== previous?.after.heading && came.replace(/[*\s]/gu, "") !== "") page.heading = came;
  if (last && !(page.heading && hasPlaceholder(page.heading))) {
    const shown = values.map((value) => /\{\{[^}]+\}\}/u.exec(toTemplate(action.after.text, [value]))?.[0]).find((mark) => mark !== undefined);
    if (shown) page.text = shown;
  }
  return { page };
}
