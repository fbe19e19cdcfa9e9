const schemes = [
  "https://",
  "http://",
  "https:",
  "https:/",
  "https:///",
  "HTTPS://",
  "ht\ntps://",
  "ws://",
  "wss://",
  "ftp://",
  "file://",
  "javascript:",
  "data:",
  "blob:https://",
  "//",
  "",
  " https://",
  "https:\\\\",
  "\u0001https://",
];
const good = ["app.test", "a.wild.test", "a.b.wild.test", "plain.test", "cdn.test"];
const bad = [
  "evil.test",
  "app.test.evil.test",
  "evilapp.test",
  "app.test-evil.test",
  "wild.test",
  "xwild.test",
  "\u0430pp.test",
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f.1",
  "0177.0.0.1",
  "169.254.169.254",
  "0xa9fea9fe",
  "[::1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "localhost",
  "metadata.google.internal",
  "10.0.0.1",
  "0",
  "",
];
const joints = [
  "@",
  ":",
  "/",
  "\\",
  "#",
  "?",
  ".",
  "%40",
  "%2e",
  "%2F",
  "%00",
  "\t",
  "\n",
  ";",
  "&",
  ",",
  "\u3002",
  "\uff0e",
  "\u00ad",
  "\u200b",
  " ",
  "@@",
  ":@",
  "#@",
  "?@",
  "\\@",
  "/@",
  "[",
  "]",
  "*",
  "..",
  "-",
  "xn--",
  "%",
  "\ud800",
];
const ports = ["", ":443", ":0443", ":80", ":8443", ":", ":65536", ":0", ":-1", ":443@evil.test", ":80:80", ":44 3"];
const tails = ["", "/", "/path?q=1#f", "?x", "#y", "/..//evil.test", "\\evil.test", "/\u0000", "/%2e%2e/"];

type Random = () => number;

function one<T>(from: readonly T[], random: Random): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** An address as somebody would make it who wants it to be read as another one: from templates, from parts in any order, or from random bytes. */
export function madeAddress(random: Random): string {
  const kind = random();
  if (kind < 0.15) return one(["https://", "http://"], random) + spelt(one(good, random), random) + one(["", ":443", ":80", ""], random) + one(tails, random);
  if (kind < 0.55) return template(random);
  if (kind < 0.8)
    return Array.from({ length: 1 + Math.floor(random() * 10) }, () => one(one([schemes, good, bad, joints, ports, tails], random), random)).join("");
  if (kind < 0.98) return mutated(template(random), random);
  return one(schemes, random) + one([...good, ...bad, ...joints], random).repeat(1 + Math.floor(random() * 3_000)) + one(good, random);
}

function template(random: Random): string {
  const [first, second] = random() < 0.5 ? [one(good, random), one(bad, random)] : [one(bad, random), one(good, random)];
  const pair = random() < 0.7 ? `${first}${one(joints, random)}${second}` : spelt(random() < 0.5 ? first : second, random);
  return `${one(schemes, random)}${pair}${one(ports, random)}${one(tails, random)}`;
}

/** The same name in other letters. */
function spelt(host: string, random: Random): string {
  return [...host]
    .map((letter) => {
      const chance = random();
      if (chance > 0.12) return letter;
      if (chance < 0.03) return letter.toUpperCase();
      if (chance < 0.06) return `%${letter.charCodeAt(0).toString(16)}`;
      if (chance < 0.09 && letter >= "a" && letter <= "z") return String.fromCodePoint(0xff41 + letter.charCodeAt(0) - 0x61);
      return letter === "." ? "\u3002" : `${letter}\u00ad`;
    })
    .join("");
}

/** Some characters left out, doubled, or replaced by any other. */
function mutated(text: string, random: Random): string {
  const letters = [...text];
  for (let times = 1 + Math.floor(random() * 4); times > 0; times -= 1) {
    const at = Math.floor(random() * letters.length);
    const other = String.fromCharCode(Math.floor(random() * (random() < 0.7 ? 0x80 : 0x10000)));
    letters.splice(at, random() < 0.5 ? 1 : 0, random() < 0.3 ? (letters[at] ?? "") : other);
  }
  return letters.join("");
}
