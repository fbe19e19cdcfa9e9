import { stopWords } from "#base/stop-words.ts";
import { squash, words } from "#base/text.ts";
import type { SkillInput, SkillInputs, ValueKind } from "#contract/skills/schema.ts";
import { blank, literalIn, withoutUrls } from "./values/index.ts";

/** What a value of a kind is called where nothing more is known of it. A number says nothing of what it counts, or is the number of. */
const nouns: Partial<Record<ValueKind, string>> = { date: "day", month: "month", time: "time", amount: "amount", email: "e-mail address" };
/** Names that inputs have for want of better: of what they are it is not said. */
const unnamed = new Set([
  "item",
  "value",
  "text",
  "id",
  "number",
  "choice",
  "option",
  "link",
  "button",
  "radio",
  "checkbox",
  "tab",
  "row",
  "menuitem",
  "listitem",
]);

const leads = "for|of|on|at|in|from|to|by|until|till|before|after|since|with|about|under|into";
const isLed = new RegExp(String.raw`(?:^|\s)(?:${leads})\s+(?:the\s+)?$`, "iu");
/** What may stand behind a value that is no part of what the next words name. */
const isEnd = new RegExp(String.raw`^\s*(?:$|[,.;:!?)]|(?:${leads}|and|or|as|via|please|if|when|then|so|there|is|are|was|were|has|have|had|will)\b)`, "iu");
const money = /^\s+(?:pounds|euros|dollars|pence|cents|francs)(?![\p{L}])/iu;
/** The thing that a value tells apart from others of its kind: "bill" of "April bill from …". */
const thing = new RegExp(
  String.raw`^\s+(\p{Ll}[\p{L}-]*(?:\s+(?!(?:${leads}|and|or|as|via|please|if|when|then|so|there)\b)\p{Ll}[\p{L}-]*){0,2})(?=\s*(?:$|[,.;:!?)]|\s(?:${leads}|and|or|as|via|please|if|when|then|so|there)\b))`,
  "u",
);
const determiner = /(?:^|\s)(?:the|my|our|his|her|their|your|this|that)\s+$/iu;
const article = /(?:^|\s)an?\s+$/iu;

/** A goal that is being told without its values. */
interface Telling {
  readonly before: string;
  readonly after: string;
}

/**
 * What a taught skill does, for people: the goal it was shown with, its inputs in place of their values and without addresses ("Download the bill of a
 * month"). Where the sentence would not stay one, the goal keeps its own words, and what may be another one is said behind it with its example. It does
 * not depend on the day.
 */
export function taskText(goal: string, inputs: SkillInputs): string {
  let text = withoutSites(goal);
  const left: [string, SkillInput][] = [];
  const told: string[] = [];
  const places = Object.entries(inputs.properties)
    .filter(([, input]) => input.default === undefined)
    .map(([name, input]) => ({ name, input, place: literalIn(text, input.examples[0] ?? "") }))
    .sort((a, b) => (a.place?.start ?? 0) - (b.place?.start ?? 0));
  for (const { name, input } of places) {
    const place = literalIn(text, input.examples[0] ?? "");
    const rewritten = place && rewrite(unquoted(text.slice(0, place.start), text.slice(place.end)), input, told);
    if (rewritten === undefined) left.push([name, input]);
    else text = rewritten;
  }
  const said = squash(text)
    .replace(/\s+([,.;:!?])/gu, "$1")
    .replace(/[\s,.;:]+$/u, "");
  const examples = left.map(
    ([
      name,
      {
        description,
        examples: [example = ""],
      },
    ]) => {
      const called = description || name.replaceAll("-", " ");
      return `${unnamed.has(called) ? "" : `${called}, `}for example "${example}"`;
    },
  );
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${examples.length === 0 ? "" : ` (${examples.join("; ")})`}`;
}

/** The address a task ends on says nothing of the task; elsewhere a sentence needs something in its place. */
function withoutSites(goal: string): string {
  const site = `${blank}+`;
  // What a sentence has behind an address is taken for a part of it.
  const marked = withoutUrls(goal, blank)
    .replace(new RegExp(site, "gu"), (run, at: number) => `${blank}${/[.,;:?!]$/u.exec(goal.slice(at, at + run.length))?.[0] ?? ""}`)
    .replace(new RegExp(String.raw`\s*\(${site}\)`, "gu"), "")
    .replace(/[.,;:\s]+$/u, "");
  const cut = marked.replace(new RegExp(String.raw`,?\s*\b(?:from|on|at|in|via|using|with)\s+${site}$`, "iu"), "");
  const isWhole = !/\b(?:is|are|was|were|look|go|somewhere)$/iu.test(cut);
  return (isWhole ? cut : marked).replace(new RegExp(String.raw`(^|[.?!]\s+)?${site}`, "gu"), (_run, start?: string) =>
    start === undefined ? "the site" : `${start}The site`,
  );
}

function unquoted(before: string, after: string): Telling {
  const isQuoted = /["'“‘„]$/u.test(before) && /^["'”’“]/u.test(after);
  return isQuoted ? { before: before.slice(0, -1), after: after.slice(1) } : { before, after };
}

function rewrite({ before, after }: Telling, input: SkillInput, told: string[]): string | undefined {
  const { kind, examples } = input;
  const noun = nounOf(input);
  const [, rest] = thing.exec(after) ?? [];
  if (noun !== undefined && isLed.test(before) && isEnd.test(after)) return `${before.replace(/the\s+$/iu, "")}${one(noun, told)}${after}`;
  if (rest !== undefined && !stopWords.has(words(rest)[0] ?? "") && (kind === "month" || kind === "date" || kind === "time")) {
    const behind = `${rest} ${kind === "time" ? "at" : "of"} ${one(noun ?? kind, told)}${after.slice(after.indexOf(rest) + rest.length)}`;
    if (determiner.test(before)) return `${before}${behind}`;
    if (article.test(before)) return `${before.replace(/an?\s+$/iu, "")}${withArticle(behind)}`;
    return isVerbAlone(before) || isLed.test(before) ? `${before}the ${behind}` : undefined;
  }
  if (kind === "number" && money.test(after) && (isLed.test(before) || isVerbAlone(before)))
    return `${before.replace(/the\s+$/iu, "")}${one("amount", told)}${after.replace(money, "")}`;
  if (kind === "number") {
    const isCounted = /^\s+\p{Ll}+s(?![\p{L}])/u.test(after) && (examples[0] ?? "") !== "1" && (isLed.test(before) || isVerbAlone(before));
    return isCounted && !/the\s+$/iu.test(before) ? `${before}a number of${after}` : undefined;
  }
  if (kind !== "id" || !isEnd.test(after)) return undefined;
  const [, lead = "", called] = /^(.*?(?:^|\s))(\p{Ll}+)\s+#?$/u.exec(before) ?? [];
  if (called === undefined || stopWords.has(called) || /^(?:number|reference|code|id)$/u.test(called)) return undefined;
  if (determiner.test(lead)) return `${lead}${called} by its number${after}`;
  return isVerbAlone(lead) || isLed.test(lead) ? `${lead}${withArticle(called)} by its number${after}` : undefined;
}

/** A single word, which at the head of a goal is what is to be done. */
function isVerbAlone(before: string): boolean {
  return /^\s*(?:please\s+)?\p{L}+\s+$/iu.test(before);
}

function nounOf({ kind, description }: SkillInput): string | undefined {
  if (kind !== "text" && kind !== "id") return nouns[kind];
  const all = words(description);
  return all.length > 0 && all.length < 3 && all.every((word) => /^[a-z]+$/u.test(word) && !stopWords.has(word) && !unnamed.has(word))
    ? all.join(" ")
    : undefined;
}

function one(noun: string, told: string[]): string {
  const isSecond = told.includes(noun);
  told.push(noun);
  return isSecond ? `another ${noun}` : withArticle(noun);
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/iu.test(noun) ? "an" : "a"} ${noun}`;
}
