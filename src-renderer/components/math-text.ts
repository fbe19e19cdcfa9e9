/** Code stands as it is: what looks like a formula in it is none. */
const code = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|(?<!`)`+(?!`)[^`]*`+)/gu;

/** A text as it is drawn, and whether a formula stands in it. */
export interface MathText {
  readonly text: string;
  readonly hasMath: boolean;
}

/**
 * Brings the ways in which models write formulas into one, $$ … $$: \( … \), \[ … \] and $ … $. A single dollar opens a formula only where no space follows
 * it, and closes it only after no space and before no digit, so that amounts of money stay what they are.
 */
export function mathText(text: string): MathText {
  if (!/\$|\\[([]/u.test(text)) return { text, hasMath: false };
  let hasMath = false;
  const formula = (written: string): string => {
    hasMath = true;
    return written;
  };
  const parts = text.split(code).map((part, index) =>
    index % 2 === 1
      ? part
      : part
          .replace(/^([ \t]*)\\\[([\s\S]+?)\\\]/gmu, (_all, indent: string, inside: string) => formula(`${indent}$$\n${indent}${inside.trim()}\n${indent}$$`))
          .replace(/\\\[([^\n]+?)\\\]/gu, (_all, inside: string) => formula(`$$${inside.trim()}$$`))
          .replace(/\\\(([^\n]+?)\\\)/gu, (_all, inside: string) => formula(`$$${inside.trim()}$$`))
          .replace(/(?<![\\$\p{L}\p{N}])\$(?=[^\s$])((?:\\.|[^$\\\n])*)(?<![\s\\])\$(?![\d$])/gu, (_all, inside: string) => formula(`$$${inside}$$`)),
  );
  hasMath ||= parts.some((part, index) => index % 2 === 0 && /\$\$[\s\S]+?\$\$/u.test(part));
  return { text: parts.join(""), hasMath };
}
