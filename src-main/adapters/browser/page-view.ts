import { clip } from "#base/text.ts";
import type { PageElement, PageView } from "#core/ports/index.ts";
import type { SeenElement } from "./elements.ts";
import type { PageLine, ReadTree } from "./read-tree.ts";
import { wasShown } from "./shown-elements.ts";

/** Below this many, every element is in the text whatever its length. */
const ALL_ELEMENTS = 120;
const OPTIONS_SHOWN = 40;
const VALUE_SHOWN = 120;
const LINE_SHOWN = 600;

/** An element in running text: its label in brackets, with what it holds. */
export function elementText(element: Omit<PageElement, "context">): string {
  const off = element.disabled ? " (disabled)" : "";
  if (element.action === "select") {
    const shown = element.options.slice(0, OPTIONS_SHOWN).join(" | ");
    const more = element.options.length > OPTIONS_SHOWN ? ` | … ${element.options.length - OPTIONS_SHOWN} more` : "";
    return `[${element.label}: ${shown}${more}${element.value === "" ? "" : `; now ${element.value}`}]${off}`;
  }
  if (element.secret) return `[${element.label}: not shown]${off}`;
  return `[${element.label}${element.value === "" ? "" : `: ${clip(element.value, VALUE_SHOWN)}`}]${off}`;
}

function forModel(line: PageLine, byRef: ReadonlyMap<string, SeenElement>): string {
  const parts = line.pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    const element = byRef.get(piece.ref);
    return element === undefined ? "" : elementText(element);
  });
  const text = line.kind === "list" ? parts.filter((part) => part !== "|" && part !== "").join(" ") : join(parts);
  return line.kind === "heading" && text !== "" ? `${"#".repeat(Math.min(line.level, 4))} ${text}` : text;
}

function forReading(line: PageLine, byRef: ReadonlyMap<string, SeenElement>): string {
  const parts = line.pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    const element = byRef.get(piece.ref);
    if (element === undefined || element.secret) return "";
    if (element.action !== "click") return element.value === "" ? "" : `${element.name}: ${element.value}`;
    return element.role === "button" ? "" : element.name;
  });
  return join(parts);
}

/** Pieces as one line; "|" stands between cells that say something. */
function join(parts: readonly string[]): string {
  const cells: string[][] = [[]];
  for (const part of parts) {
    if (part === "|") cells.push([]);
    else if (part !== "") cells.at(-1)?.push(part);
  }
  return cells
    .map((cell) => cell.join(" "))
    .filter((cell) => cell !== "")
    .join(" | ");
}

interface ShownLine {
  readonly text: string;
  readonly isKept: boolean;
  /** Place of the mark that opens the frame it stands in, -1 outside of frames: what a frame says never stands without that. */
  readonly frame: number;
}

/** The most telling lines that fit, in page order: elements, headings and notices before plain text. */
function fit(lines: readonly ShownLine[], maxChars: number): { text: string; truncated: boolean } {
  const whole = lines.map((line) => line.text).join("\n");
  if (whole.length <= maxChars) return { text: whole, truncated: false };
  const keep = new Set<number>();
  const note = "… (page text shortened)";
  let room = maxChars - note.length - 1;
  for (const wanted of [true, false]) {
    for (const [index, line] of lines.entries()) {
      if (line.isKept !== wanted || line.text.length + 1 > room) continue;
      if (line.frame >= 0 && line.frame !== index && !keep.has(line.frame)) continue;
      keep.add(index);
      room -= line.text.length + 1;
    }
  }
  return { text: [...lines.filter((_line, index) => keep.has(index)).map((line) => line.text), note].join("\n"), truncated: true };
}

/** What of a page leaves this room. */
export function pageView(tree: ReadTree, at: { readonly url: string; readonly title: string; readonly notes: readonly string[] }, maxChars: number): PageView {
  const byRef = new Map(tree.elements.map((element) => [element.ref, element]));
  const isFew = tree.elements.length <= ALL_ELEMENTS;
  const shown: ShownLine[] = at.notes.map((note) => ({ text: note, isKept: true, frame: -1 }));
  const lines: string[] = [...at.notes];
  let previous = "";
  const frames: number[] = [];
  for (const line of tree.lines) {
    if (line.kind === "frame") frames.push(shown.length);
    const full = forModel(line, byRef);
    const hasElement = line.pieces.some((piece) => typeof piece !== "string" && byRef.has(piece.ref));
    const text = hasElement ? full : clip(full, LINE_SHOWN);
    const isMark = line.kind === "frame" || line.kind === "frame-end";
    const isKept = isMark || line.kind === "heading" || line.kind === "notice" || (hasElement && isFew);
    if (text !== "" && (text !== previous || isMark)) shown.push({ text, isKept, frame: frames.at(-1) ?? -1 });
    if (line.kind === "frame-end") frames.pop();
    if (text !== "") previous = text;
    const read = forReading(line, byRef);
    if (read !== "" && (read !== lines.at(-1) || isMark)) lines.push(read);
  }
  const { text, truncated } = fit(shown, maxChars);
  wasShown(tree);
  const more = { ...(tree.tables.length === 0 ? {} : { tables: tree.tables }), ...(tree.invisible === 0 ? {} : { invisible: tree.invisible }) };
  return {
    url: at.url,
    title: at.title,
    heading: tree.heading,
    text,
    lines,
    elements: tree.elements.map((each) => shownElement(each, at.url)),
    truncated,
    ...more,
  };
}

const formats = new Map(["date", "month", "time", "number"].map((type) => [type, type as PageElement["format"] & string]));

function shownElement(element: SeenElement, address: string): PageElement {
  const { role, name, label, within, landmark, around, action, disabled, options, value, secret, payment, isClosed, type, group, frame, url } = element;
  // What a frame's relative addresses are relative to is not told here.
  const base = frame === undefined ? address : undefined;
  const href = url !== "" && URL.canParse(url, base) ? new URL(url, base).href : "";
  const format = action === "fill" ? formats.get(type) : undefined;
  const facts = {
    ...(payment === true ? { payment } : {}),
    ...(group === undefined ? {} : { group }),
    ...(isClosed ? { isClosed } : {}),
    ...(format === undefined ? {} : { format }),
    ...(frame === undefined ? {} : { frame }),
    ...(/^https?:/u.test(href) ? { href } : {}),
  };
  return { role, name, label, within, landmark, context: around, action, disabled, options, value, secret, ...facts };
}
