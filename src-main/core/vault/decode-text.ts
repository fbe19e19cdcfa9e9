import { MapBuilder, type MappedText, textOf } from "./mapped-text.ts";

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  excl: "!",
  num: "#",
  dollar: "$",
  percnt: "%",
  lpar: "(",
  rpar: ")",
  ast: "*",
  plus: "+",
  comma: ",",
  period: ".",
  sol: "/",
  colon: ":",
  semi: ";",
  equals: "=",
  quest: "?",
  commat: "@",
  lsqb: "[",
  lbrack: "[",
  bsol: "\\",
  rsqb: "]",
  rbrack: "]",
  Hat: "^",
  lowbar: "_",
  grave: "`",
  lcub: "{",
  lbrace: "{",
  verbar: "|",
  vert: "|",
  rcub: "}",
  rbrace: "}",
  euro: "€",
  Tab: "\t",
  NewLine: "\n",
};
/** HTML's names of U+00A0 to U+00FF, in order. */
const latin =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest " +
  "Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig " +
  "agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const entities = new Map([...Object.entries(named), ...latin.split(" ").map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)])]);

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", '"': '"', "'": "'", "\\": "\\", "/": "/" };

/** Percent, HTML and string escapes, each bounded, so that the scan stays linear. */
const escape =
  /(?:%[0-9a-f]{2})+|&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,8});?|\\(?:u\{[0-9a-f]{1,6}\}|(?:u[0-9a-f]{4}(?:\\u[0-9a-f]{4})?)|x[0-9a-f]{2}|[nrtbf"'\\/])/giu;

/** One layer of URL, HTML, JSON and script escapes read, in any mixture; null when there was none. */
export function decodeMapped(source: MappedText): MappedText | null {
  const { units, starts, ends } = source;
  const text = textOf(source);
  if (!/[%&\\]/u.test(text)) return null;
  const builder = new MapBuilder(units.length);
  const put: Put = (piece, from, to) => {
    for (let index = 0; index < piece.length; index += 1) builder.add(piece.charCodeAt(index), starts[from] as number, ends[to - 1] as number);
  };
  let at = 0;
  for (const match of text.matchAll(escape)) {
    for (; at < match.index; at += 1) builder.add(units[at] as number, starts[at] as number, ends[at] as number);
    decodeOne(match[0], match.index, put);
    at += match[0].length;
  }
  if (at === 0) return null;
  for (; at < units.length; at += 1) builder.add(units[at] as number, starts[at] as number, ends[at] as number);
  return builder.done();
}

type Put = (piece: string, from: number, to: number) => void;

function decodeOne(raw: string, start: number, put: Put): void {
  if (raw.startsWith("%")) decodePercent(raw, start, put);
  else put((raw.startsWith("&") ? decodeEntity(raw) : decodeEscape(raw)) ?? raw, start, start + raw.length);
}

/** Sequence by sequence, so that a broken byte does not hide the rest. Bytes that are no UTF-8 are read as Latin-1. */
function decodePercent(raw: string, start: number, put: Put): void {
  for (let at = 0; at < raw.length; ) {
    const lead = Number.parseInt(raw.slice(at + 1, at + 3), 16);
    const bytes = lead < 0xc0 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    const sequence = raw.slice(at, at + bytes * 3);
    const read = lead < 0x80 ? String.fromCharCode(lead) : tryDecode(sequence);
    const width = read === undefined ? 3 : sequence.length;
    put(read ?? String.fromCharCode(lead), start + at, start + at + width);
    at += width;
  }
}

function tryDecode(sequence: string): string | undefined {
  try {
    return decodeURIComponent(sequence);
  } catch {
    return undefined;
  }
}

function decodeEntity(raw: string): string | undefined {
  const inner = raw.slice(1).replace(/;$/u, "");
  if (!inner.startsWith("#")) return entities.get(inner) ?? entities.get(inner.toLowerCase());
  return fromCode(/^#x/iu.test(inner) ? Number.parseInt(inner.slice(2), 16) : Number.parseInt(inner.slice(1), 10));
}

function decodeEscape(raw: string): string | undefined {
  const kind = (raw[1] as string).toLowerCase();
  if (kind === "x") return fromCode(Number.parseInt(raw.slice(2), 16));
  if (kind !== "u") return escapes[kind];
  if (raw[2] === "{") return fromCode(Number.parseInt(raw.slice(3, -1), 16));
  return raw
    .split(/\\u/iu)
    .slice(1)
    .map((unit) => String.fromCharCode(Number.parseInt(unit, 16)))
    .join("");
}

function fromCode(code: number): string | undefined {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
