import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fitArguments } from "#core/tools/index.ts";

const schema = z.object({ room: z.string(), nights: z.number(), late: z.boolean(), stay: z.object({ from: z.number() }), tags: z.array(z.string()) });
const good = { room: "7", nights: 3, late: true, stay: { from: 5 }, tags: ["a"] };

describe("arguments that are written as text", () => {
  it("are what the tool takes where they read as that, and a text stays one", () => {
    expect(fitArguments(schema, { room: "7", nights: "3", late: "true", stay: { from: "5" }, tags: '["a"]' })).toEqual(good);
  });

  it("may be a whole object", () => expect(fitArguments(schema, { ...good, stay: '{"from":5}' })).toEqual(good));

  it.each([
    ["no number", { ...good, nights: "three" }],
    ["a list for an object", { ...good, stay: "[5]" }],
    ["half a list", { ...good, tags: '["a"' }],
    ["a word for yes", { ...good, late: "yes" }],
    ["nothing", {}],
  ])("stay as they are where they do not: %s", (_what, args) => expect(fitArguments(schema, args)).toEqual(args));

  it("are not changed in place", () => {
    const args = { ...good, stay: { from: "5" } };
    fitArguments(schema, args);
    expect(args.stay.from).toBe("5");
  });
});
