/** A file's name without the number it got because one of that name was there: "bill (2).pdf" → "bill.pdf". */
export function withoutCount(name: string): string {
  return name.replace(/ \(\d+\)(?=\.[^./]*$|$)/u, "");
}
