import { z } from "zod";
import { clip, fold, squash } from "#base/text.ts";
import { KnackError } from "#contract/errors.ts";
import type { PageTable, PageView } from "../../ports/browser.ts";
import { defineTool, type ToolResult } from "../define-tool.ts";

const mostLines = 30;
const mostRows = 200;
const shortestWord = 3;

/** Words of what is asked about; those of one or two letters stand everywhere. */
function wordsOf(about: string): string[] {
  return fold(about)
    .split(" ")
    .filter((word) => word.length >= shortestWord);
}

/** One row as one line; a cell that holds a bar would look like two. */
function line(cells: readonly string[]): string {
  return cells.map((cell) => cell.replaceAll("|", "/")).join(" | ");
}

function tableNamed(page: PageView, name: string): PageTable {
  const tables = page.tables ?? [];
  const found = tables.find((table) => table.name === name) ?? tables.find((table) => fold(table.name) === fold(name));
  if (found !== undefined) return found;
  const there = tables.length === 0 ? "There is none." : `There is: ${tables.map((table) => clip(table.name, 60)).join(", ")}.`;
  throw new KnackError("browser.table-missing", `This page has no table or list "${clip(name, 80)}". ${there}`, { fields: { from: name } });
}

/** All rows, or those that mention what is asked about. The screen gets cells, the model lines. */
function rowsOf(table: PageTable, about: string): ToolResult {
  const wanted = wordsOf(about);
  const meant = table.rows.filter((row) => wanted.length === 0 || row.some((cell) => wanted.some((word) => fold(cell).includes(word))));
  const rows = meant.slice(0, mostRows);
  const leftOut = table.leftOut + meant.length - rows.length;
  const value = [...(table.header.length === 0 ? [] : [table.header]), ...rows].map(line).join("\n");
  const counted = `${meant.length} of ${table.rows.length + table.leftOut} ${table.kind === "list" ? "items" : "rows"}`;
  const more = leftOut === 0 ? "" : `\n… ${leftOut} more are not given; ask about some of them`;
  const said = `Read ${counted}.`;
  return {
    said,
    text: rows.length === 0 ? `${said} "${table.name}" mentions no ${about}.` : `${said} ${table.name}\n${value}${more}`,
    value,
    details: { table: { name: table.name, kind: table.kind, header: table.header, rows, leftOut } },
  };
}

function linesAbout(page: PageView, about: string): ToolResult {
  const wanted = wordsOf(about);
  const lines = page.lines
    .filter((each) => wanted.some((word) => fold(each).includes(word)))
    .slice(0, mostLines)
    .map(squash);
  const value = lines.join("\n");
  return { text: value === "" ? `Nothing on this page mentions ${about}.` : value, value, details: { lines } };
}

function namesOf({ tables = [] }: PageView): ToolResult {
  const value = tables.map((table) => `${table.name} (${table.kind}, ${table.rows.length + table.leftOut})`).join("\n");
  return { text: value === "" ? "This page has no tables or lists." : value, value, details: { tables: tables.map(({ name }) => name) } };
}

/**
 * Reads what a page shows and changes nothing: the rows of one of its tables or lists, the lines that mention something, or, with neither named, which
 * tables and lists there are. Throws "browser.table-missing" with the names of those there are.
 */
export const browserExtract = defineTool({
  id: "browser_extract",
  primitive: "browser",
  description: "browser_extract {from} or {about}: read a table or list of the page row by row, or the lines that mention something",
  args: z.object({ from: z.string().min(1).max(200).optional(), about: z.string().min(1).max(500).optional() }),
  async run({ from, about }, { browser, signal }) {
    const page = await (await browser()).view(signal);
    const read = from !== undefined ? rowsOf(tableNamed(page, from), about ?? "") : about !== undefined ? linesAbout(page, about) : namesOf(page);
    return { ...read, page, details: { url: page.url, ...read.details } };
  },
});
