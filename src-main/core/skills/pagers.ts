import { words } from "#base/text.ts";

const verb = "(?:(?:show|load|see|view|go to)(?: the)? )";
const generic = "(?:pages?|results?|items?|entries|ones|rows?|posts|weeks?|months?|days?|years?)";
const arrows = "[‹«<←›»>→⟵⟶…]*\\s*";
/** Says of itself that it shows more, whatever is listed. "Later" alone may as well put something off. */
const plain = new RegExp(
  `^${arrows}(?:${verb}?(?:older|newer|more|next|prev(?:ious)?|earlier|all)(?: \\d+)?(?: ${generic})?|${verb}later(?: ${generic})?|later ${generic}|${verb}?\\d+ more(?: ${generic})?|more \\d+)\\s*${arrows}$`,
  "iu",
);
const onlyArrows = /^[›»>→]{1,2}$/u;
/** Names what it shows more of. */
const ofSomething = new RegExp(
  `^${arrows}${verb}?(older|newer|more|next|prev(?:ious)?|earlier|later|all|\\d+ more) (\\p{L}+(?: \\p{L}+)?)\\s*${arrows}$`,
  "iu",
);
/** Plural nouns behind these words that name no list. */
const noList = /^(?:about|info\p{L}*|details?|help|from|on|ways?|steps?|options?|services?|news|settings|than|minutes|hours|times|links)\b/iu;
const back = new RegExp(`^(?:[‹«<←]\\s*)*${verb}?(?:newer|prev(?:ious)?|later|back)\\b|^[‹«<←]{1,2}$`, "iu");

/** What a pager is judged by; a page element has all of it. */
interface Pressable {
  readonly name: string;
  readonly landmark: string;
  readonly action: string;
  readonly disabled: boolean;
}

/**
 * Whether a control's name says that it shows more of the same list. Where the page is known, its own list's noun tells "Older orders" of the list of
 * orders from a link to other orders; by the name alone only one plural noun after a word of age passes.
 * @param listed what the page lists: its heading and the names repeated on it
 */
export function isPager(name: string, listed?: string): boolean {
  const said = name.trim();
  if (
    onlyArrows.test(said) ||
    (plain.test(said) && !/^(?:show |view |see )?(?:all (?:day|week|month|year)|more (?:day|week|month|year|row|item)s?)$/iu.test(said))
  )
    return !/^(?:all|\d+)$/iu.test(said);
  const [, direction = "", noun = ""] = ofSomething.exec(said) ?? [];
  if (noun === "" || noList.test(noun)) return false;
  const last = words(noun).at(-1) ?? "";
  if (!isPlural(last)) return false;
  if (listed !== undefined) return words(listed).some((word) => singular(word) === singular(last));
  return /^(?:older|newer|earlier|later|more)$/iu.test(direction) && words(noun).length === 1;
}

/** Whether it goes the way one has come from rather than on. */
export function isBackward(name: string): boolean {
  return back.test(name.trim());
}

/** The controls of a page that show more of its list, those that lead on first. */
export function pagersOn<Element extends Pressable>(page: { readonly heading: string; readonly elements: readonly Element[] }): Element[] {
  const pressable = page.elements.filter((element) => !element.disabled && element.action === "click");
  const listed = `${page.heading} ${repeatedIn(pressable.map(({ name }) => name)).join(" ")}`;
  const hasEarlier = pressable.some(({ name }) => /^earlier$/iu.test(name.trim()));
  const found = pressable.filter(({ name, landmark }) => isPager(name, listed) || (/^later$/iu.test(name.trim()) && (hasEarlier || landmark === "navigation")));
  const numbered = found.length > 0 ? undefined : nextNumber(pressable);
  return numbered ? [numbered] : found.sort((a, b) => Number(isBackward(a.name)) - Number(isBackward(b.name)));
}

/** Words that stand in the names of at least two controls which are no pagers themselves: what the rows of a list are called. */
function repeatedIn(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of new Set(names)) {
    if (ofSomething.test(name.trim())) continue;
    for (const word of new Set(words(name).map(singular))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([word]) => word);
}

/** Of links "1 3 4" that stand together, 3: the page one is on has no link. Nothing where that cannot be told. */
function nextNumber<Element extends Pressable>(elements: readonly Element[]): Element | undefined {
  const numbers = elements.flatMap((element) => {
    const number = pageNumber.exec(element.name.trim())?.[1];
    return number === undefined ? [] : [{ element, number: Number(number) }];
  });
  const [first] = numbers;
  if (!first || (numbers.length < 2 && first.element.landmark !== "navigation")) return undefined;
  const sorted = numbers.sort((a, b) => a.number - b.number);
  const gap = sorted.findIndex(({ number }, index) => number !== index + 1);
  const next = sorted[gap];
  return next && next.number === gap + 2 ? next.element : undefined;
}

function isPlural(word: string): boolean {
  return /[^s]s$/u.test(word);
}

function singular(word: string): string {
  return word
    .replace(/ies$/u, "y")
    .replace(/(?<=ch|sh|x|ss)es$/u, "")
    .replace(/(?<=[^s])s$/u, "");
}

const pageNumber = /^(?:(?:go to )?page )?(\d{1,3})$/iu;

/** Whether a control is called by the number of a page: which one is wanted, only the page that is open says. */
export function isPageNumber(name: string): boolean {
  return pageNumber.test(name.trim());
}

const indexLetter = /^(\p{L})(?:\s*[-–]\s*(\p{L}))?$/u;

/** Whether a control is called like a letter of an index, or a span of letters. */
export function isIndexLetter(name: string): boolean {
  return indexLetter.test(name.trim());
}

/** The letters of an alphabetical index ("A", "B" … or "A–C", "D–F" …), where at least five stand on a page; else none. */
export function indexOn<Element extends { readonly name: string }>(elements: readonly Element[]): Element[] {
  const letters = elements.filter(({ name }) => isIndexLetter(name));
  return letters.length >= 5 ? letters : [];
}

/** Whether a letter of an index, or a span of letters, holds what begins with this one. */
export function holdsLetter(name: string, letter: string): boolean {
  const [, from = "", to = from] = indexLetter.exec(name.trim().toLowerCase()) ?? [];
  return from !== "" && from <= letter && letter <= to;
}
