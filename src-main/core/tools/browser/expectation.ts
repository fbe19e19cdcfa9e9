import { clip, fold, squash } from "#base/text.ts";
import { isLike, matchesWildcard } from "#base/wildcard.ts";
import type { PageElement, PageView } from "../../ports/browser.ts";
import { urlMatches } from "../../replay/index.ts";

/** What can be looked for on a page. */
export const expectable = ["text", "heading", "value", "address", "count"] as const;

/** One thing a page is expected to show: `of` names the field of a value, or what is counted. */
export interface Expectation {
  readonly what: (typeof expectable)[number];
  readonly of: string;
  readonly text: string;
}

export interface Sighting {
  readonly holds: boolean;
  /** What was looked for, and what is there, each as the end of a sentence. */
  readonly wanted: string;
  readonly seen: string;
}

/** Decides one expectation by looking. Texts are compared folded, `*` in them stands for any run. */
export function sight(page: PageView, { what, of, text }: Expectation): Sighting {
  const shown = clip(squash(text), 120);
  switch (what) {
    case "text":
      return { holds: shows(page, text), wanted: `"${shown}" on the page`, seen: `"${clip(page.heading || page.title, 80)}"` };
    case "heading":
      return { holds: isLike(text, page.heading), wanted: `the heading "${shown}"`, seen: `"${clip(page.heading, 120)}"` };
    case "address":
      return { holds: urlMatches(text, page.url), wanted: `the address ${shown}`, seen: clip(page.url, 200) };
    case "value":
      return valueOf(page, of, text);
    case "count":
      return countOf(page, of, text);
  }
}

/** In the words of the page. What stands in its fields was typed, most often by whoever asks, and is no sign of anything. */
function shows(page: PageView, text: string): boolean {
  const wanted = fold(text);
  if (wanted === "") return false;
  const typed = page.elements.filter(({ action, value }) => action !== "click" && value !== "").map(({ name, value }) => fold(`${name}: ${value}`));
  const lines = [page.heading, ...page.lines].map((line) => typed.reduce((rest, each) => rest.replace(each, " "), fold(line)));
  const whole = lines.join(" ");
  return wanted.includes("*") ? lines.some((line) => matchesWildcard(`*${wanted}*`, line)) : whole.includes(wanted);
}

function valueOf(page: PageView, of: string, text: string): Sighting {
  const wanted = `"${clip(text, 120)}" in the field "${clip(of, 80)}"`;
  const fields = page.elements.filter((element) => isNamed(element, of) && (element.action !== "click" || isMark(element)));
  const [field, second] = fields.filter(({ label }) => label === of).length === 1 ? fields.filter(({ label }) => label === of) : fields;
  if (field === undefined) return { holds: false, wanted, seen: "no such field" };
  if (second !== undefined) return { holds: false, wanted, seen: `${fields.length} fields of that name` };
  if (field.secret) return { holds: false, wanted, seen: "a field whose value is not told" };
  return {
    holds: text === "" ? field.value === "" : isLike(text, field.value),
    wanted,
    seen: field.value === "" ? "nothing in it" : `"${clip(field.value, 120)}"`,
  };
}

function isNamed({ label, name }: PageElement, of: string): boolean {
  return label === of || fold(name) === fold(of);
}

function isMark({ role }: PageElement): boolean {
  return role === "checkbox" || role === "radio" || role === "switch" || role === "menuitemcheckbox" || role === "menuitemradio";
}

const bound = /^(?:(at least|at most|exactly)\s+)?(\d{1,6})$/u;

/** Whether a text says how many: "3", "at least 3", "at most 3". */
export function isCount(text: string): boolean {
  return bound.test(fold(text));
}

/** Rows of a table or list by its name, else elements of a role ("button", "link"), else elements of a name. */
function countOf(page: PageView, of: string, text: string): Sighting {
  const [, how = "exactly", written = ""] = bound.exec(fold(text)) ?? [];
  const most = Number(written);
  const table = page.tables?.find(({ name }) => fold(name) === fold(of));
  const role = fold(of).replace(/s$/u, "");
  const ofRole = page.elements.filter((element) => element.role === role);
  const count =
    table === undefined ? (ofRole.length > 0 ? ofRole : page.elements.filter((element) => isNamed(element, of))).length : table.rows.length + table.leftOut;
  const holds = written !== "" && (how === "at least" ? count >= most : how === "at most" ? count <= most : count === most);
  return { holds, wanted: `${how === "exactly" ? "" : `${how} `}${written} of "${clip(of, 80)}"`, seen: String(count) };
}
