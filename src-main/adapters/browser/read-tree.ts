import { fold } from "#base/text.ts";
import { actionOf, isFieldRole, type Level, type SeenElement } from "./elements.ts";
import type { FieldFact } from "./page-facts.ts";
import { readTables, type TableRead } from "./read-tables.ts";
import { Facts, type FactsOfFrame, seenTexts } from "./seen-text.ts";
import { tellApart, type Unlabelled } from "./tell-apart.ts";
import { contentOf, type TreeNode, textOf } from "./tree.ts";
import { visibleText } from "./visible-text.ts";

/** One line of a page, in pieces: text, or an element by its ref. */
export interface PageLine {
  readonly pieces: readonly (string | { readonly ref: string })[];
  /** `list`: items of one control each, set in one line. `frame` and `frame-end` stand around what another document shows inside this one. */
  readonly kind: "heading" | "notice" | "list" | "text" | "frame" | "frame-end";
  readonly level: number;
}

export interface ReadTree {
  /** What the recorder marked: the nearest element to it that can be acted on. */
  readonly marked: SeenElement | null;
  readonly lines: readonly PageLine[];
  readonly elements: readonly SeenElement[];
  readonly heading: string;
  readonly tables: readonly TableRead[];
  /** Characters that nobody sees and that were taken out. */
  readonly invisible: number;
}

const LANDMARKS = new Set(["banner", "navigation", "main", "complementary", "contentinfo", "search", "form", "region", "dialog", "alertdialog"]);
const INLINE = new Set([
  "link",
  "button",
  "strong",
  "emphasis",
  "code",
  "time",
  "mark",
  "subscript",
  "superscript",
  "insertion",
  "deletion",
  "img",
  "textbox",
  "searchbox",
  "spinbutton",
  "slider",
  "combobox",
  "listbox",
  "checkbox",
  "radio",
  "switch",
  "tab",
  "menuitem",
  "menuitemcheckbox",
  "menuitemradio",
  "option",
  "caption",
  "progressbar",
  "meter",
]);
const CELLS = new Set(["cell", "gridcell", "columnheader", "rowheader"]);
const NOTICES = new Set(["alert", "status", "log"]);

interface Place {
  readonly landmark: string;
  /** Nearest first. */
  readonly levels: readonly Level[];
  /** Nearest ref above, where text without a ref of its own is looked up. */
  readonly owner: string | undefined;
  /** All text of the nearest row, item or card. */
  readonly around: string;
  /** Ref of the group that it is in, "" for none. */
  readonly group: string;
  /** Origin of the frame it is in, "" on the page itself. */
  readonly frame: string;
}

/** Turns a snapshot and its facts into elements and lines. Pure; unknown facts of a field mean that its value is not shown. */
export function readTree(roots: readonly (TreeNode | string)[], frames: readonly FactsOfFrame[]): ReadTree {
  const facts = new Facts(frames);
  const { shownText, seenText, cellText, itemTexts, smallBlockTexts } = seenTexts(facts);
  const found: Unlabelled[] = [];
  const lines: PageLine[] = [];
  const headings: { text: string; level: number; id: number; frame: string }[] = [];
  let pieces: (string | { ref: string })[] = [];
  let heldTerm = "";
  /** Name of the mark just put, folded. */
  let labelled = "";
  /** Text of the last row of a single cell: a title of the rows that follow in its table. */
  let rowsTitle = "";
  /** Headings above the current place, outermost first. */
  let above: { text: string; level: number; id: number }[] = [];
  let lastLevel = 0;

  function levelOf(texts: readonly string[]): Level {
    lastLevel += 1;
    return { id: lastLevel, texts };
  }

  function flush(kind: PageLine["kind"] = "text", level = 0): void {
    const hasContent = pieces.some((piece) => typeof piece !== "string" || piece !== "");
    if (hasContent) lines.push({ pieces, kind, level });
    pieces = [];
  }

  function put(text: string): void {
    // The words beside a mark are its name, said already.
    const isRepeated = labelled !== "" && fold(text) === labelled;
    if (text !== "" && !isRepeated) pieces.push(text);
    if (text !== "") labelled = "";
  }

  function element(node: TreeNode, place: Place, before: string): boolean {
    const ref = node.ref;
    if (ref === undefined) return false;
    const field = facts.fields.get(ref);
    const kind = actionOf(node, field, facts.summaries.has(ref));
    if (kind === null) return false;
    const isUnseen = facts.unseen.has(ref) && field === undefined;
    if (isUnseen) return true;
    const isField = kind.action !== "click";
    const own = isField ? "" : visibleText(textOf(node));
    const name =
      visibleText(node.name ?? "") || own || (isField ? before || visibleText(node.placeholder ?? "") || visibleText(field?.hint ?? "") : "") || unnamed(node);
    if (name === "") return true;
    const seen: Unlabelled = {
      role: kind.role,
      name,
      landmark: place.landmark,
      action: kind.action,
      disabled: node.disabled === true,
      options: kind.action === "select" ? (field?.options ?? []).map(visibleText) : [],
      value: valueOf(node, field),
      secret: field?.secret ?? isFieldRole(node.role),
      ...(field?.payment === true || facts.paying.has(ref) ? { payment: true } : {}),
      ref,
      levels: [...place.levels, ...above.map((each) => ({ id: each.id, texts: [each.text] })).reverse()],
      around: place.around === "" ? (above.at(-1)?.text ?? "") : place.around,
      url: node.url ?? "",
      typed: field === undefined || field.secret ? "" : field.value,
      type: field?.type ?? "",
      hint: visibleText(field?.hint ?? ""),
      readOnly: field?.readOnly ?? false,
      node: facts.nodes.get(ref) ?? "",
      form: facts.forms.get(ref) ?? "",
      ...(place.frame === "" ? {} : { frame: place.frame }),
      ...(kind.role === "radio" ? { group: field?.type === "radio" && field.hint !== "" ? field.hint : place.group } : {}),
      ...(kind.action === "click" && facts.closed.has(ref) ? { isClosed: true } : {}),
    };
    found.push(seen);
    const last = pieces.at(-1);
    if (
      isField &&
      typeof last === "string" &&
      fold(last)
        .replace(/[:*]\s*$/u, "")
        .trim() ===
        fold(name)
          .replace(/[:*]\s*$/u, "")
          .trim()
    )
      pieces.pop();
    pieces.push({ ref });
    labelled = kind.role === "checkbox" || kind.role === "radio" || kind.role === "switch" ? fold(name) : "";
    return true;
  }

  function walkAll(content: readonly (TreeNode | string)[], place: Place, owner: string | undefined): void {
    const inner = owner === undefined ? place : { ...place, owner };
    for (const child of content) {
      if (typeof child === "string") put(shownText(child, inner.owner));
      else walk(child, inner);
    }
  }

  function lastText(): string {
    const last = pieces.at(-1) ?? lines.at(-1)?.pieces.at(-1);
    return typeof last === "string" && last.length <= 60 ? last.replace(/[:*]\s*$/u, "").trim() : "";
  }

  function walk(node: TreeNode, place: Place): void {
    const { role, ref } = node;
    const owner = ref ?? place.owner;
    if (role === "separator") return flush();
    if (element(node, place, lastText())) {
      const after = afterOf(node);
      if (after.length > 0) walkAll(after, place, ref);
      return;
    }
    if (ref !== undefined && facts.unseen.has(ref)) return;
    if (isFieldRole(role)) return;
    if (role === "heading") return heading(node, place);
    if (role === "row") return row(node, place);
    if (role === "term") {
      flush();
      heldTerm = "";
      if (isAllText(contentOf(node))) heldTerm = seenText(node, place.owner);
      else walkAll(contentOf(node), place, ref);
      return;
    }
    if (role === "definition") return definition(node, place);
    if (role === "iframe") return frame(node, place);
    const inner = innerPlace(node, place);
    if (role === "list" && isMenu(node)) return menu(node, innerPlace(node, place));
    const isInline = INLINE.has(role) || (ref !== undefined && facts.inline.has(ref) && !LANDMARKS.has(role));
    const content = contentOf(node);
    if (content.length === 0) {
      if (!isInline) flush();
      if (node.name !== undefined && (role === "img" ? node.name.length > 2 : true) && !LANDMARKS.has(role)) put(shownText(node.name, owner));
      if (!isInline) flush(NOTICES.has(role) ? "notice" : "text");
      return;
    }
    if (isInline) return walkAll(content, inner, ref);
    flush();
    if ((role === "group" || role === "radiogroup") && node.name !== undefined && !firstTextIs(content, node.name)) {
      put(visibleText(node.name));
      flush();
    }
    const outerHeadings = above;
    if (role === "table" || role === "grid" || role === "treegrid") rowsTitle = "";
    if (NOTICES.has(role) && isAllText(content)) {
      walkAll(content, inner, ref);
      flush("notice");
    } else walkAll(content, inner, ref);
    flush();
    if (isSection(role)) above = outerHeadings;
  }

  /** What another document shows stands between marks with its origin, whoever's it is. An empty one is not told of. */
  function frame(node: TreeNode, place: Place): void {
    flush();
    const origin = facts.origins.get(node.ref ?? "") ?? "an unknown origin";
    const start = lines.length;
    const outer = above;
    above = [];
    walkAll(contentOf(node), { ...place, frame: origin, levels: [levelOf([origin]), ...place.levels] }, node.ref);
    flush();
    above = outer;
    if (lines.length === start) return;
    lines.splice(start, 0, { pieces: [`<frame of ${origin}>`], kind: "frame", level: 0 });
    lines.push({ pieces: ["</frame>"], kind: "frame-end", level: 0 });
  }

  /** A list whose items hold one short control each and nothing else reads as one line. */
  function isMenu(node: TreeNode): boolean {
    const items = contentOf(node);
    return items.length > 1 && items.every((item) => typeof item !== "string" && item.role === "listitem" && onlyControl(item) !== null);
  }

  function onlyControl(node: TreeNode): TreeNode | null {
    const content = contentOf(node);
    const [only] = content;
    if (content.length !== 1 || only === undefined || typeof only === "string") return null;
    if ((only.role === "link" || only.role === "button" || only.role === "tab") && textOf(only).length <= 60) return only;
    return only.role === "generic" || only.role === "strong" ? onlyControl(only) : null;
  }

  function menu(node: TreeNode, place: Place): void {
    flush();
    for (const item of contentOf(node)) {
      const control = typeof item === "string" ? null : onlyControl(item);
      if (pieces.length > 0) pieces.push("|");
      if (control !== null) element(control, place, "");
    }
    flush("list");
  }

  function heading(node: TreeNode, place: Place): void {
    flush();
    const text = seenText(node, place.owner);
    if (text === "") return;
    const level = node.level ?? 2;
    lastLevel += 1;
    const entry = { text, level, id: lastLevel, frame: place.frame };
    headings.push(entry);
    above = [...above.filter((each) => each.level < level), entry];
    const before = found.length;
    walkAll(contentOf(node).length === 0 ? [text] : contentOf(node), place, node.ref);
    if (found.length === before) pieces = [text];
    flush("heading", level);
  }

  function definition(node: TreeNode, place: Place): void {
    const term = heldTerm;
    if (pieces.length > 0) flush();
    if (term !== "") put(`${term.replace(/:$/u, "")}:`);
    heldTerm = "";
    walkAll(contentOf(node), { ...place, levels: term === "" ? place.levels : [levelOf([term]), ...place.levels] }, node.ref);
    flush();
  }

  function row(node: TreeNode, place: Place): void {
    flush();
    const cells = contentOf(node);
    const own = cells.map((cell) => cellText(cell)).filter((text) => text !== "");
    const isTitle = cells.length === 1 && own.length === 1 && isAllText(cells);
    const reaching = visibleText(facts.reaching.get(node.ref ?? "") ?? "");
    const texts = isTitle ? own : [rowsTitle, ...reaching.split(" | "), ...own].filter((text) => text !== "");
    if (isTitle) rowsTitle = own[0] ?? "";
    const inner = { ...place, owner: node.ref ?? place.owner, levels: [levelOf([...texts, texts.join(" ")]), ...place.levels], around: texts.join(" | ") };
    let isFirst = true;
    for (const cell of cells) {
      const mark = pieces.length;
      if (!isFirst) pieces.push("|");
      const start = pieces.length;
      if (typeof cell === "string") put(shownText(cell, node.ref));
      else if (CELLS.has(cell.role)) cellPieces(cell, inner);
      else walk(cell, inner);
      if (pieces.length === start) pieces.length = mark;
      else isFirst = false;
    }
    flush();
  }

  /** Cells may hold blocks; inside a row they stay on its line. */
  function cellPieces(cell: TreeNode, place: Place): void {
    const content = contentOf(cell);
    if (content.length === 0) return put(shownText(cell.name ?? "", cell.ref));
    for (const child of content) {
      if (typeof child === "string") put(shownText(child, cell.ref));
      else if (!element(child, place, lastText())) {
        if (child.role === "table" || child.role === "list") walk(child, place);
        else if (child.ref === undefined || !facts.unseen.has(child.ref)) cellPieces(child, place);
      }
    }
  }

  function innerPlace(node: TreeNode, place: Place): Place {
    const { role } = node;
    const landmark = LANDMARKS.has(role) && (role !== "region" || node.name !== undefined) ? role : place.landmark;
    const named = node.name !== undefined && !INLINE.has(role) ? [visibleText(node.name)] : [];
    if (role === "listitem" || role === "article" || role === "treeitem") {
      const texts = itemTexts(node);
      return { ...place, landmark, levels: [levelOf([...texts, ...named]), ...place.levels], around: texts.at(-1) ?? place.around };
    }
    if (role === "table" || role === "grid" || role === "list" || role === "group" || role === "radiogroup" || LANDMARKS.has(role))
      return {
        ...place,
        landmark,
        levels: [levelOf([...named, ...(LANDMARKS.has(role) ? [role] : [])]), ...place.levels],
        ...(role === "group" || role === "radiogroup" ? { group: node.ref ?? node.name ?? "" } : {}),
      };
    if (role === "generic") {
      const texts = smallBlockTexts(node);
      return texts.length === 0 ? place : { ...place, levels: [levelOf(texts), ...place.levels], around: texts.at(-1) ?? place.around };
    }
    return landmark === place.landmark ? place : { ...place, landmark };
  }

  walkAll(roots, { landmark: "", levels: [], owner: undefined, around: "", group: "", frame: "" }, undefined);
  flush();
  const elements = tellApart(found);
  const kept = new Set(elements.map((each) => each.ref));
  const twins = new Map(found.filter((each) => !kept.has(each.ref)).map((each) => [each.ref, each]));
  const twinOf = (twin: Unlabelled | undefined) =>
    twin === undefined ? undefined : elements.find((each) => each.role === twin.role && each.url === twin.url && fold(each.name) === fold(twin.name));
  const marked = frames
    .flatMap((frame) => frame.marked)
    .map((ref) => elements.find((each) => each.ref === ref) ?? twinOf(twins.get(ref)))
    .find((each) => each !== undefined);
  return {
    marked: marked ?? null,
    lines: lines.map((line) => ({ ...line, pieces: line.pieces.map((piece) => (typeof piece === "string" ? piece : (twins.get(piece.ref)?.name ?? piece))) })),
    elements,
    heading: headingOf(headings.filter(({ frame: origin }) => origin === "")) || headingOf(headings),
    tables: readTables(roots, facts),
    invisible: frames.reduce((sum, frame) => sum + frame.invisible, 0),
  };
}

function headingOf(headings: readonly { readonly text: string; readonly level: number }[]): string {
  return (headings.find((each) => each.level === 1) ?? headings[0])?.text ?? "";
}

function isSection(role: string): boolean {
  return role === "article" || role === "region" || role === "listitem" || LANDMARKS.has(role);
}

function isAllText(content: readonly (TreeNode | string)[]): boolean {
  return content.every(
    (child) => typeof child === "string" || (!isFieldRole(child.role) && child.role !== "link" && child.role !== "button" && isAllText(contentOf(child))),
  );
}

function firstTextIs(content: readonly (TreeNode | string)[], name: string): boolean {
  const first = content[0];
  return first !== undefined && fold(textOf(first)) === fold(name);
}

/** Children of a control that are controls themselves (a custom list's options, a tree's items). */
function afterOf(node: TreeNode): readonly (TreeNode | string)[] {
  if (node.role !== "treeitem" && node.role !== "menuitem") return [];
  return (node.children ?? []).filter((child) => typeof child !== "string" && (child.role === "group" || child.role === "menu" || child.role === "tree"));
}

function unnamed(node: TreeNode): string {
  if (node.role !== "link" || node.url === undefined) return "";
  const last =
    node.url
      .replace(/[?#].*$/u, "")
      .split("/")
      .filter((part) => part !== "")
      .at(-1) ?? "";
  return visibleText(last.replace(/\.[a-z]+$/iu, "").replace(/[-_]+/gu, " "));
}

function valueOf(node: TreeNode, field: FieldFact | undefined): string {
  if (node.role === "checkbox" || node.role === "switch" || node.role === "radio" || node.role === "menuitemcheckbox" || node.role === "menuitemradio")
    return node.checked === true ? "checked" : "";
  if (field === undefined || field.secret) return "";
  return visibleText(field.value);
}
