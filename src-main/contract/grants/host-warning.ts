/** Alphabets whose letters can be taken for those of another one. */
const scripts: readonly (readonly [name: string, letters: RegExp, looksLatin: boolean])[] = [
  ["Latin", /\p{Script=Latin}/u, false],
  ["Cyrillic", /\p{Script=Cyrillic}/u, true],
  ["Greek", /\p{Script=Greek}/u, true],
  ["Armenian", /\p{Script=Armenian}/u, true],
  ["Cherokee", /\p{Script=Cherokee}/u, true],
  ["Georgian", /\p{Script=Georgian}/u, false],
  ["Hebrew", /\p{Script=Hebrew}/u, false],
  ["Arabic", /\p{Script=Arabic}/u, false],
  ["Thai", /\p{Script=Thai}/u, false],
  ["Devanagari", /\p{Script=Devanagari}/u, false],
  ["East Asian", /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u, false],
];

/**
 * What a person should know before they grant a host that is written with more letters than a–z: it is shown by its "xn--" name alone, since the letters
 * themselves may look like another site's. Null for a plain host.
 */
export function hostWarning(host: string): string | null {
  const labels = host.split(".").filter((label) => label.startsWith("xn--"));
  if (labels.length === 0) return null;
  const decoded = labels.map(decodeLabel);
  if (decoded.includes(null)) return `Careful: "${host}" stands for letters that cannot be read, and may be made to look like another site.`;
  const found = decoded.map((label) => scriptsOf(label ?? ""));
  const mixed = found.find((names) => names.length > 1);
  if (mixed !== undefined) return `Careful: "${host}" mixes ${listed(mixed)} letters, and may be made to look like another site.`;
  const names = [...new Set(found.flat())];
  if (scripts.some(([name, , looksLatin]) => looksLatin && names.includes(name)))
    return `Careful: "${host}" is written with ${listed(names)} letters, some of which look like a to z.`;
  return `"${host}" is written with ${names[0] === "Latin" ? "accented" : listed(names)} letters.`;
}

function scriptsOf(label: string): string[] {
  const known = scripts.filter(([, letters]) => letters.test(label)).map(([name]) => name);
  const rest = [...label].some((letter) => /\p{L}/u.test(letter) && !scripts.some(([, letters]) => letters.test(letter)));
  return rest ? [...known, "other"] : known;
}

function listed(names: readonly string[]): string {
  return names.join(" and ") || "unusual";
}

/** Decodes one "xn--" label (RFC 3492); null for one that is malformed. */
function decodeLabel(label: string): string | null {
  const written = label.slice("xn--".length);
  const last = written.lastIndexOf("-");
  const letters = [...written.slice(0, Math.max(0, last))].map((letter) => letter.charCodeAt(0));
  let [code, at, bias] = [128, 0, 72];
  for (let place = last + 1; place < written.length; ) {
    const before = at;
    for (let weight = 1, step = 36; ; step += 36) {
      const digit = digitOf(written.charCodeAt(place++));
      if (digit === null) return null;
      at += digit * weight;
      const threshold = Math.min(26, Math.max(1, step - bias));
      if (digit < threshold) break;
      weight *= 36 - threshold;
      if (weight > 0x7fffffff) return null;
    }
    bias = adapted(at - before, letters.length + 1, before === 0);
    code += Math.floor(at / (letters.length + 1));
    at %= letters.length + 1;
    if (code > 0x10ffff) return null;
    letters.splice(at++, 0, code);
  }
  return String.fromCodePoint(...letters);
}

function digitOf(code: number): number | null {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : null;
}

function adapted(delta: number, count: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / 700) : delta >> 1;
  rest += Math.floor(rest / count);
  let steps = 0;
  for (; rest > 455; steps += 36) rest = Math.floor(rest / 35);
  return steps + Math.floor((36 * rest) / (rest + 38));
}
