import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fill, fillDeep, findPlaceholders, inputRenderer, missingInputs, placeholderNames } from "#core/skills/index.ts";
import { content } from "./content.ts";

const render = (name: string, form: string | undefined) => ({ month: form === "MMM" ? "Mar" : "March", evil: "{{month}}" })[name];

describe("placeholders", () => {
  it("are found with their form and place", () => {
    expect(findPlaceholders("Bill {{month|MMM}} of {{ who }}")).toEqual([
      { name: "month", form: "MMM", start: 5, end: 18 },
      { name: "who", form: undefined, start: 22, end: 31 },
    ]);
  });
  it("are filled in the form they ask for", () => expect(fill("{{month}} or {{month|MMM}}", render)).toBe("March or Mar"));
  it("stay as they are when nobody knows them", () => expect(fill("{{nobody}}", render)).toBe("{{nobody}}"));
  it("are never read out of a value", () => expect(fill("{{evil}}", render)).toBe("{{month}}"));
  it("are filled at every depth of arguments and checks, keys left alone", () => {
    expect(fillDeep({ "{{month}}": [{ name: "{{month}}" }, 3, null] }, render)).toEqual({ "{{month}}": [{ name: "March" }, 3, null] });
  });
  it("do not pollute a prototype", () => {
    const filled = fillDeep(JSON.parse('{"__proto__":{"polluted":"{{month}}"}}') as Record<string, unknown>, render);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.keys(filled)).toEqual(["__proto__"]);
  });
  it("name each input once", () => expect(placeholderNames({ a: "{{x}} {{y}}", b: ["{{x|F}}"] })).toEqual(["x", "y"]));
  it("leave any text without braces alone", () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes("{{")),
        (text) => fill(text, () => "!") === text,
      ),
    );
  });
  it("are found in linear time", () => {
    const start = process.cpuUsage().user;
    findPlaceholders("{{a|".repeat(100_000) + "{{ ".repeat(100_000));
    expect(process.cpuUsage().user - start).toBeLessThan(1_000_000);
  });
});

describe("inputs of a text", () => {
  const { inputs } = content();
  it("are written by kind and form", () =>
    expect(fill("{{month}}, {{month|MMM YYYY}}", inputRenderer(inputs, { month: "2026-03" }))).toBe("March 2026, Mar 2026"));
  it("are own properties only", () => expect(inputRenderer(inputs, {})("toString", undefined)).toBeUndefined());
  it("fall back to their default, and are missing without one", () => {
    const withDefault = { ...inputs, properties: { month: { ...(inputs.properties["month"] as (typeof inputs.properties)[string]), default: "2026-01" } } };
    expect(missingInputs(inputs, {})).toEqual(["month"]);
    expect(missingInputs(withDefault, {})).toEqual([]);
    expect(inputRenderer(withDefault, {})("month", "MMMM")).toBe("January");
  });
});
