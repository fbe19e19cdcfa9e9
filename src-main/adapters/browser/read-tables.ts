import { clip } from "#base/text.ts";
import type { PageTable } from "#core/ports/index.ts";
import { type Facts, seenTexts } from "./seen-text.ts";
import { contentOf, type TreeNode } from "./tree.ts";
import { visibleText } from "./visible-text.ts";

export type TableRead = PageTable;

const MOST_TABLES = 40;
const MOST_ROWS = 500;
const MOST_COLUMNS = 50;
const LONGEST_CELL = 300;
const LONGEST_NAME = 80;

const TABLES = new Set(["table", "grid", "treegrid"]);
const CELLS = new Set(["cell", "gridcell", "columnheader", "rowheader"]);
/** Lists of ways through a site say nothing about what is on the page. */
const AROUND = new Set(["navigation", "banner", "contentinfo", "menu", "menubar", "tablist", "toolbar"]);

interface Found extends Omit<PageTable, "name"> {
  readonly named: string;
}

/** The tables and lists that a person sees, in page order; a table in a cell, or a list in a cell, is one of its own as well. Pure. */
export function readTables(roots: readonly (TreeNode | string)[], facts: Facts): TableRead[] {
  const { seenText, shownText } = seenTexts(facts);
  const found: Found[] = [];
  let heading = "";

  const isUnseen = (node: TreeNode): boolean => node.ref !== undefined && facts.unseen.has(node.ref);
  const cell = (node: TreeNode | string, owner: string | undefined): string => clip(visibleText(seenText(node, owner)), LONGEST_CELL);

  function visit(node: TreeNode | string, frame: string, isAround: boolean): void {
    if (typeof node === "string" || isUnseen(node) || found.length >= MOST_TABLES) return;
    if (node.role === "heading") heading = cell(node, undefined);
    if (node.role === "iframe") {
      const outer = heading;
      heading = "";
      for (const child of contentOf(node)) visit(child, facts.origins.get(node.ref ?? "") ?? "an unknown origin", false);
      heading = outer;
      return;
    }
    const within = { frame, isAround: isAround || AROUND.has(node.role) };
    if (TABLES.has(node.role)) table(node, frame);
    else if (node.role === "list" && !within.isAround) list(node, frame);
    // A list in a list has been read with it.
    const isRead = node.role === "list" && !within.isAround;
    for (const child of contentOf(node)) if (!isRead) visit(child, frame, within.isAround);
    if (isRead) for (const inner of tablesUnder(node)) visit(inner, frame, false);
  }

  function table(node: TreeNode, frame: string): void {
    const rows = rowsOf(node);
    const laid = layOut(rows, facts, cell);
    const { header, body } = headerOf(rows, laid);
    if (body.length === 0) return;
    const caption = contentOf(node).find((child): child is TreeNode => typeof child !== "string" && child.role === "caption");
    const named = (caption === undefined ? "" : cell(caption, node.ref)) || shownText(node.name ?? "", node.ref) || heading;
    found.push({ kind: "table", named, header, rows: body.slice(0, MOST_ROWS), leftOut: Math.max(0, body.length - MOST_ROWS), ...inFrame(frame) });
  }

  function list(node: TreeNode, frame: string): void {
    const items = itemsOf(node, 0);
    if (items.length < 2) return;
    const named = shownText(node.name ?? "", node.ref) || heading;
    found.push({
      kind: "list",
      named,
      header: [],
      rows: items.slice(0, MOST_ROWS).map((item) => [item]),
      leftOut: Math.max(0, items.length - MOST_ROWS),
      ...inFrame(frame),
    });
  }

  /** Text of each item with its level; the lists in it follow as items of their own. */
  function itemsOf(node: TreeNode, level: number): string[] {
    return contentOf(node).flatMap((item): string[] => {
      if (typeof item === "string" || item.role !== "listitem" || isUnseen(item)) return [];
      const inner = listsUnder(item);
      const own = cell(withoutLists(item), undefined);
      const below = inner.flatMap((each) => itemsOf(each, level + 1));
      return own === "" ? below : [`${"- ".repeat(level)}${own}`, ...below];
    });
  }

  for (const root of roots) visit(root, "", false);
  return named(found);
}

function inFrame(frame: string): { frame?: string } {
  return frame === "" ? {} : { frame };
}

/** Rows of this table, through groups of rows; not those of a table in one of its cells. */
function rowsOf(node: TreeNode): TreeNode[] {
  return contentOf(node).flatMap((child): TreeNode[] => {
    if (typeof child === "string" || TABLES.has(child.role)) return [];
    return child.role === "row" ? [child] : rowsOf(child);
  });
}

function cellsOf(row: TreeNode): TreeNode[] {
  return contentOf(row).filter((child): child is TreeNode => typeof child !== "string" && CELLS.has(child.role));
}

/** Texts by row and column: a cell that spans several stands in each of them, so that every row reads alike. */
function layOut(rows: readonly TreeNode[], facts: Facts, read: (cell: TreeNode, owner: string | undefined) => string): string[][] {
  const laid: string[][] = rows.map(() => []);
  for (const [at, row] of rows.entries()) {
    const own = laid[at] as string[];
    let column = 0;
    for (const cell of cellsOf(row)) {
      while (own[column] !== undefined) column += 1;
      if (column >= MOST_COLUMNS) break;
      const [columns, down] = facts.spans.get(cell.ref ?? "") ?? [1, 1];
      const text = read(cell, row.ref);
      // No rows named means: to the end of the table.
      for (const below of laid.slice(at, down === 0 ? undefined : at + down))
        for (let across = column; across < Math.min(column + columns, MOST_COLUMNS); across += 1) below[across] ??= text;
      column += columns;
    }
  }
  return laid.map((row) => Array.from(row, (text) => text ?? ""));
}

/**
 * The first rows of column headers alone give the names of the columns, several of them joined. A column of row headers is a column like any other. Rows
 * that say nothing are left out.
 */
function headerOf(rows: readonly TreeNode[], laid: readonly string[][]): { header: string[]; body: string[][] } {
  const isHeader = (row: TreeNode): boolean => {
    const cells = cellsOf(row);
    const heads = cells.filter(({ role }) => role === "columnheader");
    // An empty corner is often a plain cell.
    return heads.length > 0 && cells.every((cell) => cell.role === "columnheader" || contentOf(cell).length === 0);
  };
  let count = 0;
  while (count < rows.length && isHeader(rows[count] as TreeNode)) count += 1;
  const heads = laid.slice(0, count);
  const width = Math.max(0, ...laid.map((row) => row.length));
  const header = heads.length === 0 ? [] : Array.from({ length: width }, (_, column) => [...new Set(heads.map((row) => row[column] ?? ""))].join(" ").trim());
  const body = laid.slice(count).filter((row) => row.some((text) => text !== ""));
  return { header: header.some((text) => text !== "") ? header : [], body };
}

function listsUnder(node: TreeNode): TreeNode[] {
  return contentOf(node).flatMap((child): TreeNode[] => (typeof child === "string" ? [] : child.role === "list" ? [child] : listsUnder(child)));
}

function tablesUnder(node: TreeNode): TreeNode[] {
  return contentOf(node).flatMap((child): TreeNode[] => (typeof child === "string" ? [] : TABLES.has(child.role) ? [child] : tablesUnder(child)));
}

function withoutLists(node: TreeNode): TreeNode {
  const children = contentOf(node)
    .filter((child) => typeof child === "string" || child.role !== "list")
    .map((child) => (typeof child === "string" ? child : withoutLists(child)));
  const { text: _text, ...rest } = node;
  // What has no content left must not answer with its name: that is the text of the lists.
  return children.length === 0 ? { ...rest, name: contentOf(node).length === 0 ? (node.name ?? "") : "", children } : { ...rest, children };
}

/** Names that tell them apart, so that one can be asked for by name. */
function named(found: readonly Found[]): TableRead[] {
  const counts = new Map<string, number>();
  return found.map(({ named: given, ...table }) => {
    const name = clip(given === "" ? table.kind : given, LONGEST_NAME).replace(/["\\]/gu, "'");
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { ...table, name: count === 1 ? name : `${name} (${count})` };
  });
}
