/** A GBNF string literal for exactly this text. */
export function grammarText(text: string): string {
  return `"${text.replace(/\\/gu, "\\\\").replace(/"/gu, '\\"').replace(/\n/gu, "\\n").replace(/\r/gu, "\\r").replace(/\t/gu, "\\t")}"`;
}
