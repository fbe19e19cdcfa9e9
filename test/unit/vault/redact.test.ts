import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entryName, Redactor, redactability } from "#core/vault/index.ts";

const pass = 'Zq7!k"<v&é9 xW+/=';
const user = "mira.quill@corp.test";
const mask = "[vault:site-login]";
function redactor(...values: string[]) {
  const made = new Redactor(() => 0);
  for (const value of values) made.add("site-login", value);
  return made;
}
const bytes = (text: string) => Buffer.from(text, "utf8");
const all = (text: string, each: (code: number) => string) => [...text].map((character) => each(character.codePointAt(0) as number)).join("");
const units = (text: string) =>
  text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

const spellings: [string, (value: string) => string][] = [
  ["raw", (value) => value],
  ["percent", encodeURIComponent],
  ["percent, every byte", (value) => [...bytes(value)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")],
  ["double percent", (value) => encodeURIComponent(encodeURIComponent(value))],
  ["form", (value) => new URLSearchParams({ v: value }).toString().slice(2)],
  ["JSON", (value) => JSON.stringify(value).slice(1, -1)],
  ["JSON in JSON", (value) => JSON.stringify(JSON.stringify(value)).slice(1, -1)],
  ["\\u of every unit", units],
  [
    "HTML, needed entities",
    (value) => value.replace(/[&<>"']/gu, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c] as string),
  ],
  ["HTML, decimal", (value) => all(value, (code) => `&#${code};`)],
  ["HTML, hex", (value) => all(value, (code) => `&#x${code.toString(16)};`)],
  ["HTML, named", (value) => value.replaceAll("&", "&amp;").replaceAll("é", "&eacute;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")],
  ["base64", (value) => bytes(value).toString("base64")],
  ["base64, one byte on", (value) => bytes(`x${value}`).toString("base64")],
  ["base64, two bytes on", (value) => bytes(`xy${value}`).toString("base64")],
  ["base64 among other text", (value) => bytes(`{"password":"${value}"}`).toString("base64")],
  ["base64url", (value) => bytes(value).toString("base64url")],
  ["hex", (value) => bytes(value).toString("hex")],
  ["HEX", (value) => bytes(value).toString("hex").toUpperCase()],
  ["UTF-16LE as text", (value) => Buffer.from(value, "utf16le").toString("latin1")],
  ["UTF-16LE in base64", (value) => Buffer.from(value, "utf16le").toString("base64")],
  ["reversed", (value) => [...value].reverse().join("")],
  ["lower case", (value) => value.toLowerCase()],
  ["upper case", (value) => value.toUpperCase()],
  ["NFD", (value) => value.normalize("NFD")],
  ["NFC", (value) => value.normalize("NFC")],
  ["full width", (value) => value.replace(/[!-~]/gu, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))],
  ["zero-width joiners and soft hyphens", (value) => [...value].join("\u200D\u00AD\u200B")],
];

/** What a reader of the output could still find. */
const leaks = (text: string, value: string) => spellings.filter(([, spell]) => text.includes(spell(value))).map(([name]) => name);

describe("SEC-08: a known value", () => {
  it.each(spellings)("is masked: %s", (_name, spell) => {
    for (const value of [pass, user]) {
      const text = redactor(value).redact(`before ${spell(value)} after`);
      expect(text).toContain(mask);
      expect(leaks(text, value)).toEqual([]);
      expect(text).toMatch(/^before .* after$/su);
    }
  });
  it("leaves the rest of the text as it was", () =>
    expect(redactor(pass).redact(`Welcome, your password is ${pass}.\nGrüße & %41 bye`)).toBe(`Welcome, your password is ${mask}.\nGrüße & %41 bye`));
  it("is masked in a mixture of escapes", () => expect(redactor(pass).redact("v=Zq7%21k&quot;%3Cv\\u0026%C3%A99+xW%2B/=!")).toBe(`v=${mask}!`));
  it("is masked as often as it is there, and counted", () => {
    const made = redactor(pass);
    expect(made.redact(`${pass}${pass} ${pass}`)).toBe(`${mask}${mask} ${mask}`);
    expect(made.masks).toBe(3);
  });
  it("is masked by its own name, the longer value first", () => {
    const made = new Redactor(() => 0);
    made.add("short", "hunter2a");
    made.add("long", "hunter2abc");
    expect(made.redact("hunter2abc hunter2a")).toBe("[vault:long] [vault:short]");
  });
  it("is masked inside the beginning of a longer value", () => {
    const made = new Redactor(() => 0);
    made.add("long", "x-hunter2abc-y");
    made.add("short", "hunter2a");
    expect(made.redact("x-hunter2a!")).toBe("x-[vault:short]!");
  });
  it("is masked without its accents", () =>
    expect(redactor("pässwörd9").redact("pa\u0308sswo\u0308rd9, password9, pässwörd9")).toBe(`${mask}, ${mask}, ${mask}`));
  it("whose name is odd is masked by a harmless one", () => {
    const made = new Redactor(() => 0);
    made.add("a]\nb", pass);
    expect(made.redact(pass)).toBe("[vault:a__b]");
  });
  it("inside a mask is not looked for again", () => {
    const made = new Redactor(() => 0);
    made.add("hunter2x", "s3cretvalue");
    made.add("vault:hun", "hunter2x");
    expect(made.redact("s3cretvalue")).toBe("[vault:hunter2x]");
  });
});

describe("SEC-10: a value spread over neighbouring texts", () => {
  it("is masked in each of them", () => {
    const nodes = redactor(pass).redactNodes(["Hello ", ...pass, " and bye"]);
    expect(nodes[0]).toBe("Hello ");
    expect(nodes.at(-1)).toBe(" and bye");
    expect(leaks(nodes.join(""), pass)).toEqual([]);
    expect(nodes.slice(1, -1).every((node) => node.includes(mask))).toBe(true);
  });
  it("is masked in halves", () => expect(redactor(pass).redactNodes(["a Zq7", '!k"<v&é9 xW+/= b'])).toEqual([`a ${mask}`, `${mask} b`]));
});

describe("SEC-12: a short run of digits", () => {
  it("is masked alone and left in a longer number", () =>
    expect(redactor("482913").redact("Order 7482913001, code 482913. 482913-x A482913")).toBe(`Order 7482913001, code ${mask}. ${mask}-x A482913`));
  it("is masked in one of several neighbouring texts", () => expect(redactor("482913").redactNodes(["7", "482913", "001"])).toEqual(["7", mask, "001"]));
  it("is forgotten when its time is over", () => {
    let now = 0;
    const made = new Redactor(() => now);
    made.add("otp", "482913", 30_000);
    now = 29_999;
    expect(made.redact("482913")).toBe("[vault:otp]");
    now = 30_000;
    expect(made.redact("482913")).toBe("482913");
  });
});

describe("SEC-13: what cannot be told from ordinary text", () => {
  it.each(["", " ", "e", "abc", "true", "\u200B\u200B\u200B\u200B\u200B", "12345", "Password"])("%j is not taken, says why, and harms no text", (value) => {
    const made = new Redactor(() => 0);
    expect(made.add("x", value)).toEqual({ redactable: false, reason: expect.any(String) as string });
    expect(made.redact("true: every e stays, abc 12345 Password")).toBe("true: every e stays, abc 12345 Password");
  });
  it("four characters and six digits are", () =>
    expect([redactability("x9!z"), redactability("482913")]).toEqual([{ redactable: true }, { redactable: true }]));
});

describe("the registry", () => {
  it("forgets what is removed", () => {
    const made = redactor(pass);
    made.remove("site-login");
    expect(made.redact(pass)).toBe(pass);
  });
  it("masks values and keys of plain data at every depth", () =>
    expect(redactor(user).redactDeep({ a: [{ [user]: 1, b: `to ${user}` }], c: null })).toEqual({ a: [{ [mask]: 1, b: `to ${mask}` }], c: null }));
  it("names are safe to print", () => {
    expect([entryName("site-login"), entryName("../x"), entryName("a b"), entryName("")]).toEqual(["site-login", undefined, undefined, undefined]);
  });
});

describe("redaction", () => {
  const secret = fc
    .string({ unit: "grapheme", minLength: 6, maxLength: 24 })
    .filter(
      (value) =>
        redactability(value).redactable && /[\p{L}\p{N}]{3}/u.test(value) && !/^\p{N}+$/u.test(value.trim()) && value.trim() === value && value.isWellFormed(),
    );
  it("hides any value in any spelling", () => {
    fc.assert(
      fc.property(
        secret,
        fc.constantFrom(...spellings.filter(([name]) => !["UTF-16LE as text", "full width", "HTML, named"].includes(name))),
        (value, [, spell]) => {
          const text = redactor(value).redact(`a: ${spell(value)} :z`);
          expect(text).toContain(mask);
          expect(text).not.toContain(spell(value));
        },
      ),
      { numRuns: 300 },
    );
  });
  it("changes nothing without a value, and nothing in a text that has none", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(new Redactor(() => 0).redact(text)).toBe(text);
        expect(redactor(pass, user, "482913").redact(text)).toBe(text);
      }),
    );
  });
  it("of a redacted text is the text", () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, one, other) => {
        const made = redactor(value);
        const once = made.redact(`${one}${value}${other}`);
        fc.pre(!mask.includes(value));
        expect(made.redact(once)).toBe(once);
      }),
    );
  });
  it.each([[`${"a".repeat(5_000_000)}!`], ["%61".repeat(1_600_000)], ["&".repeat(5_000_000)], ["é\u0301".repeat(1_000_000)]])(
    "RES-14: takes linear time",
    (text) => {
      const made = redactor(pass, "aaaaaaaaaaaab", "482913");
      made.redact("warm up");
      const start = process.cpuUsage().user;
      made.redact(text);
      expect((process.cpuUsage().user - start) / 1e6).toBeLessThan(4);
    },
  );
});
