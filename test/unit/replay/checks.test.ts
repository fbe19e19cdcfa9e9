import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesPath, matchesWildcard } from "#base/wildcard.ts";
import type { Check } from "#contract/skills/schema.ts";
import { evaluateCheck, type Observed, urlMatches } from "#core/replay/index.ts";

const page = {
  url: "https://portal.example/bills/2026-03?month=March%202026",
  title: "Portal",
  heading: "Sign in",
  text: 'button "Go on"',
  lines: ["Your bill of “March”", "is due"],
  elements: [],
  truncated: false,
};
const file = (name: string) => ({ name, path: `/tmp/${name}`, bytes: 1, fromUrl: "https://portal.example/f" });
const see = (check: Check, change: Partial<Observed> = {}) => evaluateCheck(check, { page, downloads: [], resultText: "", ...change });

describe("checks of a page", () => {
  it("say what was expected and what was seen", () =>
    expect(see({ page: { heading: "Billing" } })).toEqual({ held: false, finding: "expected heading 'Billing', saw 'Sign in'" }));
  it("compare texts folded", () => {
    expect(see({ page: { heading: "  SIGN\u00A0in " } }).held).toBe(true);
    expect(see({ page: { text: 'your bill of "march" is due' } }).held).toBe(true);
    expect(see({ page: { text: "Go on" } }).held).toBe(true);
  });
  it("find what must be gone", () => {
    expect(see({ page: { absent: "Error" } }).held).toBe(true);
    expect(see({ page: { absent: "is DUE" } })).toEqual({ held: false, finding: "expected no 'is DUE' on the page, saw it there" });
  });
  it("need every part to hold, and name the first that does not", () => {
    expect(see({ page: { heading: "Sign in", text: "missing" } })).toEqual({ held: false, finding: "expected 'missing' on the page, saw 'Sign in'" });
    expect(see({ page: { heading: "Sign in", url: "/bills/*?month=March 2026", text: "due", absent: "Error" } }).held).toBe(true);
  });
  it("read a star in a heading or text as any run", () => {
    expect(see({ page: { heading: "Sign *" } }).held).toBe(true);
    expect(see({ page: { text: "bill of * is due" } }).held).toBe(true);
    expect(see({ page: { text: "bill of * was due" } }).held).toBe(false);
  });
  it("do not hold without a page", () => {
    for (const check of [{ heading: "Sign in" }, { url: "/*" }, { text: "due" }, { absent: "x" }])
      expect(see({ page: check }, { page: null })).toMatchObject({ held: false, finding: expect.stringMatching(/saw no page$/u) as string });
  });
  it("that ask for nothing never hold", () => {
    expect([see({ page: {} }).held, see({ result: {} }).held, see({ page: { text: " " } }).held]).toEqual([false, false, false]);
  });
});

describe("addresses", () => {
  it.each([
    ["/bills/2026-03?month=March 2026", true],
    ["/bills/*?month=March+2026", true],
    ["/*/2026-*?month=*", true],
    ["/bills/2026-03", true],
    ["/bills/2026-04", false],
    ["/bills/2026-03?month=April 2026", false],
    ["/*?month=March 2026", false],
    ["https://portal.example/bills/2026-03?month=March%202026", true],
    ["https://*.example/bills/*?*", true],
    ["https://evil.example/bills/2026-03?month=March%202026", false],
    ["portal.example/bills/*?*", false],
  ])("%s → %s", (pattern, held) => expect(urlMatches(pattern, page.url)).toBe(held));
  it("forget the fragment unless it is asked for", () => {
    expect(urlMatches("/a", "https://x.example/a#part")).toBe(true);
    expect(urlMatches("/a#part", "https://x.example/a#other")).toBe(false);
    expect(urlMatches("https://x.example", "https://x.example/")).toBe(true);
  });
});

describe("a page of failure", () => {
  it("holds no check, whatever it looks like", () =>
    expect(see({ page: { url: "/*" } }, { status: 500 })).toEqual({ held: false, finding: "expected a page of the site, saw its error 500 ('Sign in')" }));
  it("that was answered well does", () => expect(see({ page: { heading: "Sign in" } }, { status: 200 }).held).toBe(true));
});

describe("checks of files and results", () => {
  it("find a download by its name, with stars", () => {
    const downloads = [file("Bill-2026-03.PDF")];
    expect(see({ file: { exists: "bill-*.pdf" } }, { downloads }).held).toBe(true);
    expect(see({ file: { exists: "bill-2026-04.pdf" } }, { downloads })).toEqual({
      held: false,
      finding: "expected a file 'bill-2026-04.pdf', saw 'Bill-2026-03.PDF'",
    });
    expect(see({ file: { exists: "x" } }).finding).toBe("expected a file 'x', saw no file");
  });
  it.each([
    ["bill-2026-03.pdf", "bill-2026-03 (2).pdf", true],
    ["bill", "bill (12)", true],
    ["bill (2).pdf", "bill (2).pdf", true],
    ["bill (2).pdf", "bill.pdf", false],
    ["bill.pdf", "bill (copy).pdf", false],
  ])("a file asked for as %s is there as %s: %s (a second download gets a number)", (exists, name, held) =>
    expect(see({ file: { exists } }, { downloads: [file(name)] }).held).toBe(held),
  );
  it("hold for no file that is empty", () => {
    const empty = { ...file("bill.pdf"), bytes: 0 };
    expect(see({ file: { exists: "bill.pdf" } }, { downloads: [empty] })).toEqual({
      held: false,
      finding: "expected a file 'bill.pdf', saw one that is empty",
    });
    expect(see({ file: { exists: "bill.pdf" } }, { downloads: [empty, file("bill (2).pdf")] }).held).toBe(true);
  });
  it("look into a file that was read, and never believe one that was not", () => {
    const check: Check = { file: { exists: "out/*.txt", contains: "TOTAL 12" } };
    expect(see(check, { files: [{ path: "out/a.txt", text: "the total  12 EUR" }] }).held).toBe(true);
    expect(see(check, { files: [{ path: "out/a.txt", text: "nothing" }] }).held).toBe(false);
    expect(see(check, { files: [{ path: "out/a.txt" }] })).toMatchObject({ held: false, finding: expect.stringContaining("not read") as string });
  });
  it("compare the result", () => {
    expect(see({ result: { equals: "Mira Quill" } }, { resultText: " mira  quill" }).held).toBe(true);
    expect(see({ result: { equals: "a" } }, { resultText: "b" }).finding).toBe("expected result 'a', saw 'b'");
    expect(see({ result: { matches: "total: * eur" } }, { resultText: "Total: 12/5 EUR" }).held).toBe(true);
  });
  it("in prose never hold by themselves", () => expect(see({ prose: "looks right" })).toEqual({ held: false, finding: "needs judgement: looks right" }));
});

describe("wildcards", () => {
  const reference = (pattern: string, any: string) =>
    new RegExp(
      `^${pattern
        .split("*")
        .map((part) => part.replace(/[/\\^$.|?+()[\]{}-]/gu, "\\$&"))
        .join(any)}$`,
      "su",
    );
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "/", "*", "."), maxLength: 12 });
  it("mean the same as a regular expression would", () => {
    fc.assert(
      fc.property(
        letters,
        letters.map((text) => text.replaceAll("*", "")),
        (pattern, text) => {
          expect(matchesWildcard(pattern, text)).toBe(reference(pattern, ".*").test(text));
          expect(matchesPath(pattern, text)).toBe(reference(pattern, "[^/]*").test(text));
        },
      ),
      { numRuns: 2000 },
    );
  });
});
