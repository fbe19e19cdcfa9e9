import { clip } from "#base/text.ts";

export interface Column {
  readonly head: string;
  /** Numbers stand at the right. */
  readonly right?: boolean;
}

/** Aligned columns two spaces apart, the head first. The last column is cut at `width`; without a width nothing is. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[], width?: number): string[] {
  const all = [columns.map((column) => column.head), ...rows];
  const widths = columns.map((_, index) => Math.max(...all.map((row) => row[index]?.length ?? 0)));
  return all.map((row) => {
    const cells = columns.map((column, index) => {
      const text = row[index] ?? "";
      const space = widths[index] ?? 0;
      if (column.right) return text.padStart(space);
      return index === columns.length - 1 ? text : text.padEnd(space);
    });
    const line = cells.join("  ").trimEnd();
    return width === undefined ? line : clip(line, width);
  });
}
