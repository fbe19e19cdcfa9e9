import { clip, fold, squash } from "#base/text.ts";
import { isLike, matchesPath, matchesWildcard } from "#base/wildcard.ts";
import type { Check } from "#contract/skills/schema.ts";
import type { DownloadedFile, PageView } from "../ports/index.ts";
import { withoutCount } from "../skills/index.ts";

/** A file that can be seen: its path with "/", and its text where it was read. */
export interface ObservedFile {
  readonly path: string;
  readonly text?: string;
}

/** What there is to see after a step. */
export interface Observed {
  readonly page: PageView | null;
  readonly downloads: readonly DownloadedFile[];
  readonly resultText: string;
  readonly files?: readonly ObservedFile[];
  /** HTTP status of the document the step led to, where it led to one. */
  readonly status?: number;
}

export interface CheckResult {
  readonly held: boolean;
  /** "expected heading 'Billing', saw 'Sign in'"; says what was seen when it held, too. */
  readonly finding: string;
}

type PageCheck = Extract<Check, { page: unknown }>["page"];
type FileCheck = Extract<Check, { file: unknown }>["file"];
type ResultCheck = Extract<Check, { result: unknown }>["result"];

/** Decides a check by looking. Texts are compared folded, `*` in them stands for any run. A prose check, and one that asks for nothing, never holds. */
export function evaluateCheck(check: Check, observed: Observed): CheckResult {
  // A page of failure may look like any other.
  if ((observed.status ?? 0) >= 400)
    return failed(
      `expected a page of the site, saw its error ${observed.status}${observed.page?.heading ? ` ('${clip(squash(observed.page.heading), 80)}')` : ""}`,
    );
  if ("prose" in check) return failed(`needs judgement: ${squash(check.prose)}`);
  if ("page" in check) return pageCheck(check.page, observed.page);
  if ("file" in check) return fileCheck(check.file, observed);
  return resultCheck(check.result, observed.resultText);
}

function pageCheck(check: PageCheck, page: PageView | null): CheckResult {
  const { heading, url, text, absent } = check;
  const parts = [
    ...(heading === undefined ? [] : [expectation(page !== null && isLike(heading, page.heading), `heading '${heading}'`, quoted(page?.heading, page))]),
    ...(url === undefined ? [] : [expectation(page !== null && urlMatches(url, page.url), `address '${url}'`, quoted(page?.url, page))]),
    ...(text === undefined ? [] : [expectation(page !== null && contains(page, text), `'${text}' on the page`, quoted(page?.heading, page))]),
    ...(absent === undefined
      ? []
      : [expectation(page !== null && !contains(page, absent), `no '${absent}' on the page`, page === null ? "no page" : "it there")]),
  ];
  return all(parts);
}

function fileCheck(check: FileCheck, observed: Observed): CheckResult {
  const wanted = `a file '${check.exists}'`;
  const files: (ObservedFile & { readonly isEmpty?: boolean })[] = [
    ...observed.downloads.map(({ name, bytes }) => ({ path: name, isEmpty: bytes === 0 })),
    ...(observed.files ?? []),
  ];
  const like = files.filter((file) => nameMatches(check.exists, file.path));
  // A download that broke off, or a site that had nothing to give, leaves a file too.
  const named = like.filter((file) => !file.isEmpty);
  if (named.length === 0 && like.length > 0) return failed(`expected ${wanted}, saw one that is empty`);
  if (named.length === 0) return failed(`expected ${wanted}, saw ${files.length === 0 ? "no file" : list(files.map((file) => file.path))}`);
  const { contains: inside } = check;
  if (inside === undefined) return held(`${wanted} is there`);
  if (named.some((file) => file.text !== undefined && fold(file.text).includes(fold(inside)))) return held(`${wanted} with '${inside}' is there`);
  const unread = named.every((file) => file.text === undefined);
  return failed(`expected '${inside}' in ${wanted}, saw ${unread ? "a file that was not read" : "other text"}`);
}

function resultCheck(check: ResultCheck, resultText: string): CheckResult {
  const seen = `'${clip(squash(resultText), 80)}'`;
  const { equals, matches } = check;
  return all([
    ...(equals === undefined ? [] : [expectation(fold(resultText) === fold(equals), `result '${equals}'`, seen)]),
    ...(matches === undefined ? [] : [expectation(isLike(matches, resultText), `a result like '${matches}'`, seen)]),
  ]);
}

/**
 * A pattern that starts with "/" is compared with the path, and with the query when it names one; any other with the whole address. Percent
 * escapes are read.
 */
export function urlMatches(pattern: string, address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  if (pattern === "*") return true;
  if (pattern.startsWith("/"))
    return matchesPath(readable(pattern), readable(`${url.pathname}${pattern.includes("?") ? url.search : ""}${pattern.includes("#") ? url.hash : ""}`));
  const whole = pattern.includes("#") ? url.href : url.href.slice(0, url.href.length - url.hash.length);
  return matchesPath(readable(pattern), readable(whole)) || matchesPath(readable(`${pattern}/`), readable(whole));
}

function nameMatches(pattern: string, path: string): boolean {
  const file = pattern.includes("/") ? path : path.slice(path.lastIndexOf("/") + 1);
  // A second download of the same file is named "bill (2).pdf" where it is kept.
  return [file, withoutCount(file)].some((name) => matchesPath(fold(pattern), fold(name)));
}

function contains(page: PageView, text: string): boolean {
  const wanted = fold(text);
  const seen = [page.heading, page.text, page.lines.join(" "), ...page.elements.flatMap((element) => [element.name, element.value])];
  return wanted !== "" && seen.some((each) => (wanted.includes("*") ? matchesWildcard(`*${wanted}*`, fold(each)) : fold(each).includes(wanted)));
}

function readable(address: string): string {
  const [path, ...query] = address.split("?");
  return [decoded(path as string), ...query.map((part) => decoded(part.replaceAll("+", " ")))].join("?");
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/giu, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}

function expectation(holds: boolean, wanted: string, seen: string): CheckResult {
  return holds ? held(wanted) : failed(`expected ${wanted}, saw ${seen}`);
}

function all(parts: readonly CheckResult[]): CheckResult {
  return (
    parts.find((part) => !part.held) ??
    (parts.length === 0 ? failed("expected nothing in particular, so nothing can be confirmed") : held(parts.map((part) => part.finding).join(" and ")))
  );
}

function held(finding: string): CheckResult {
  return { held: true, finding };
}

function failed(finding: string): CheckResult {
  return { held: false, finding };
}

function quoted(seen: string | undefined, page: PageView | null): string {
  if (page === null) return "no page";
  return seen === undefined || seen === "" ? `no heading on '${clip(squash(page.title), 120)}'` : `'${clip(squash(seen), 120)}'`;
}

function list(paths: readonly string[]): string {
  return (
    paths
      .slice(0, 3)
      .map((path) => `'${clip(squash(path), 80)}'`)
      .join(", ") + (paths.length > 3 ? ` and ${paths.length - 3} more` : "")
  );
}
