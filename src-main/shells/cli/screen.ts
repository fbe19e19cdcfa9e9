import { styleText } from "node:util";
import { clip } from "#base/text.ts";
import { type Column, tableLines } from "./table.ts";

type Style = Parameters<typeof styleText>[0];

/**
 * Where a command writes: results to stdout, what happens meanwhile to stderr. With --json stdout carries JSON only.
 * Texts from pages are cleaned of control characters before they reach a terminal.
 */
export interface Screen {
  readonly json: boolean;
  /** One result, as a document or as lines. */
  show(document: unknown, lines: () => readonly string[]): void;
  /** One event of a stream; nothing without --json. */
  event(event: unknown): void;
  /** A line on stdout; nothing with --json. */
  say(line: string, style?: Style): void;
  table(columns: readonly Column[], rows: readonly (readonly string[])[]): void;
  /** Text on stdout as it comes, without an end of line. */
  write(text: string): void;
  /** A line on stderr; nothing with --json. */
  note(line: string, style?: Style): void;
  /** A line on stderr in every case: what went wrong and what to do. */
  warn(line: string): void;
  /** A line on a terminal that the next one replaces; null takes it away. */
  status(line: string | null): void;
}

export function openScreen(json: boolean): Screen {
  let isStatusShown = false;
  let isMidLine = false;

  function status(line: string | null): void {
    if (!process.stderr.isTTY || json || isMidLine) return;
    if (isStatusShown) process.stderr.write("\r\u001b[K");
    isStatusShown = line !== null;
    if (line !== null) process.stderr.write(paint(process.stderr, clip(clean(line), (process.stderr.columns ?? 80) - 1), "dim"));
  }

  /** Streamed text is brought to an end of line before anything else is written. */
  function startLine(): void {
    status(null);
    if (isMidLine) process.stdout.write("\n");
    isMidLine = false;
  }

  function put(stream: NodeJS.WriteStream, line: string, style?: Style): void {
    startLine();
    stream.write(`${paint(stream, clean(line), style)}\n`);
  }

  const say: Screen["say"] = (line, style) => {
    if (!json) put(process.stdout, line, style);
  };

  return {
    json,
    say,
    status,
    show(document, lines) {
      if (json) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
      // A text of somebody else's with a line feed in it must not look like a line of ours.
      else for (const line of lines()) say(line.replace(/\s*[\n\r\u0085\u2028\u2029]\s*/gu, " "));
    },
    event(event) {
      if (json) process.stdout.write(`${JSON.stringify(event)}\n`);
    },
    table(columns, rows) {
      const width = process.stdout.isTTY ? process.stdout.columns : undefined;
      for (const [index, line] of tableLines(
        columns,
        rows.map((row) => row.map(oneLine)),
        width,
      ).entries())
        say(line, index === 0 ? "bold" : undefined);
    },
    write(text) {
      if (json || text === "") return;
      status(null);
      process.stdout.write(clean(text));
      isMidLine = !text.endsWith("\n");
    },
    note(line, style = "dim") {
      if (!json) put(process.stderr, line, style);
    },
    warn: (line) => put(process.stderr, oneLine(line)),
  };
}

export function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

/** Escape sequences and marks that turn the direction of text could make a terminal show something else than what is there. */
function clean(text: string): string {
  return text.replace(/\r\n/gu, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu, "");
}

function paint(stream: NodeJS.WriteStream, text: string, style: Style | undefined): string {
  return style === undefined || !stream.isTTY || text === "" ? text : styleText(style, text, { stream });
}
