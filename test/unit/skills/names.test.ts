import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freeSkillName, isSkillName, makeSkillName, parseSkillName, requireAuthor, requireAuthoredSource, requireFreeName } from "#core/skills/index.ts";

describe("names of skills", () => {
  it("are mapped from capitals, spaces and underscores", () => {
    expect(parseSkillName("Order_Groceries")).toEqual({ ok: true, value: "order-groceries" });
    expect(parseSkillName("  visitor  permit ")).toEqual({ ok: true, value: "visitor-permit" });
  });
  it.each(["", "---", "a/b", "../x", "straße", "x".repeat(65), "a.b", "a\u200Bb"])("%j is refused", (given) => expect(parseSkillName(given).ok).toBe(false));
  it("keep the Agent Skills rule", () => {
    for (const good of ["a", "1", "a-b-2", "x".repeat(64)]) expect(isSkillName(good)).toBe(true);
    for (const bad of ["", "-a", "a-", "a--b", "A", "a_b", "ä", "x".repeat(65), "a\n"]) expect(isSkillName(bad)).toBe(false);
  });
  it("clash with an error that names the other skill", () => {
    const other = { id: "01ABC", name: "order-groceries" };
    expect(() => requireFreeName("order-groceries", other, { given: "Order_Groceries" })).toThrow(/"Order_Groceries".*"order-groceries" \(01ABC\)/u);
    expect(() => requireFreeName("order-groceries", other, { self: "01ABC" })).not.toThrow();
    expect(() => requireFreeName("order-groceries", undefined)).not.toThrow();
  });
  it("made here are valid, start with a letter and are stable", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const name = makeSkillName(text);
        expect(isSkillName(name)).toBe(true);
        expect(name).toMatch(/^[a-z]/u);
        expect(makeSkillName(name)).toBe(name);
      }),
    );
    expect(makeSkillName("Besucher-Ausweis für Gäste!")).toBe("besucher-ausweis-fur-gaste");
    expect(makeSkillName("2024 report")).toBe("skill-2024-report");
  });
  it("given and valid parse to a valid name, and that to itself", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        const parsed = parseSkillName(text);
        if (!parsed.ok) return;
        expect(isSkillName(parsed.value)).toBe(true);
        expect(parseSkillName(parsed.value)).toEqual(parsed);
      }),
    );
  });
  it("get a number when nobody chose them and they are taken", () => {
    const taken = new Set(["pay-slip", "pay-slip-2", "x".repeat(64)]);
    expect(freeSkillName("pay-slip", (name) => taken.has(name))).toBe("pay-slip-3");
    expect(freeSkillName("x".repeat(64), (name) => taken.has(name))).toBe(`${"x".repeat(62)}-2`);
  });
});

describe("sources", () => {
  it.each(["authored", "authored:", "Authored:x", "", "human:x", "authored:../x", "authored:x y"])("PRE-12: %j is an error where it is passed", (source) =>
    expect(() => requireAuthoredSource(source)).toThrow(/authored:<pack>/u),
  );
  it("authored:<pack> is taken", () => expect(requireAuthoredSource("authored:my-pack")).toBe("authored:my-pack"));
  it("authors are those of the specification", () => {
    for (const author of ["human:Mira", "agent:inline", "agent:synthesis", "agent:dreaming", "authored:base", "imported"])
      expect(requireAuthor(author)).toBe(author);
    for (const author of ["", "human:", "agent:", "agent:x", "Imported"]) expect(() => requireAuthor(author)).toThrow(/no author/u);
  });
});
