/** A YAML double-quoted scalar in ASCII on one line. Never holds "---": readers that look for it anywhere would take it for the end of the front matter. */
export function quoteYaml(text: string): string {
  return `"${[...text]
    .map(escapeYaml)
    .join("")
    .replace(/(?<=-)-/gu, "\\u002d")}"`;
}

function escapeYaml(character: string): string {
  const code = character.codePointAt(0) as number;
  if (character === '"' || character === "\\") return `\\${character}`;
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  if (code >= 0x20 && code < 0x7f) return character;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

/** JSON in ASCII: the same value, every other character escaped. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/[\u007f-\uffff]/gu, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
    .replace(/[\u{10000}-\u{10ffff}]/gu, (pair) => [...pair].map(surrogates).join(""));
}

/** Markdown in ASCII: other characters as numeric references, which every renderer shows as themselves. */
export function asciiMarkdown(text: string): string {
  return text.replace(/&(?=#)/gu, "&#38;").replace(/[^\n\t\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0) as number};`);
}

/** Undoes `asciiMarkdown`. */
export function readAsciiMarkdown(text: string): string {
  return text.replace(/&#(\d{1,7});/gu, (raw, digits: string) => {
    const code = Number(digits);
    return code <= 0x10ffff ? String.fromCodePoint(code) : raw;
  });
}

function surrogates(character: string): string {
  return [0, 1].map((index) => `\\u${hex(character.charCodeAt(index), 4)}`).join("");
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, "0");
}
