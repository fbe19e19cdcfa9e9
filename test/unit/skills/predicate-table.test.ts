import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateStatePredicate, freezeState } from "#core/skills/index.ts";

const ops = ["eq", "neq", "in", "exists"] as const;
type Op = (typeof ops)[number];

/** A predicate in some situation, and the state it is asked about. */
interface Asked {
  readonly state: Record<string, unknown>;
  readonly path: string;
  readonly value?: unknown;
}

/** Plain data that a place of the state may hold. */
const leaf = fc.jsonValue().filter((value) => !Object.is(value, -0));
const key = fc.stringMatching(/^[a-z][a-z_]{0,5}$/u).filter((name) => !(name in {}) && name !== "beside");
const keys = fc.array(key, { minLength: 1, maxLength: 4 });
type Spelling = "upper" | "lower";
const spelling = fc.constantFrom<Spelling>("upper", "lower");

function spelt(name: string, as: Spelling): string {
  return as === "upper" ? name.toUpperCase() : name;
}

/** A state with one place in it, each segment spelt in capitals or small letters. */
function holding(path: readonly string[], spellings: readonly Spelling[], value: unknown): Record<string, unknown> {
  const [first = "x", ...rest] = path;
  return { [spelt(first, spellings[0] ?? "lower")]: rest.length === 0 ? value : holding(rest, spellings.slice(1), value), beside: true };
}

/** A place that is there, with its path written in any spelling. */
const place = fc.record({ path: keys, stored: fc.array(spelling, { maxLength: 4 }), asked: fc.array(spelling, { maxLength: 4 }), value: leaf }).map((one) => ({
  state: holding(one.path, one.stored, one.value),
  path: one.path.map((name, index) => spelt(name, one.asked[index] ?? "lower")).join("."),
  value: one.value,
}));
const text = fc.stringMatching(/^[A-Z]{2,6}$/u);

/** Worked out by hand: which ops match in which situation. Nothing else may. */
const table: readonly { readonly name: string; readonly asked: fc.Arbitrary<Asked>; readonly matching: readonly Op[]; readonly because?: RegExp }[] = [
  { name: "an equal value", asked: place.map((one) => ({ ...one, value: structuredClone(one.value) })), matching: ["eq", "exists"] },
  { name: "another value", asked: place.map((one) => ({ ...one, value: { other: one.value } })), matching: ["neq", "exists"] },
  {
    name: "a list that has it",
    asked: fc.tuple(place, fc.array(leaf, { maxLength: 3 })).map(([one, more]) => ({ ...one, value: [...more, structuredClone(one.value)] })),
    matching: ["neq", "in", "exists"],
  },
  { name: "a list that has it not", asked: place.map((one) => ({ ...one, value: [[one.value], { other: one.value }] })), matching: ["neq", "exists"] },
  {
    name: "an empty list",
    asked: place.filter((one) => JSON.stringify(one.value) !== "[]").map((one) => ({ ...one, value: [] })),
    matching: ["neq", "exists"],
  },
  {
    name: "a longer bare text that holds it",
    asked: fc.tuple(keys, text, text).map(([path, one, more]) => ({ state: holding(path, [], one), path: path.join("."), value: one + more })),
    matching: ["neq", "exists"],
  },
  {
    name: "the bare text itself",
    asked: fc.tuple(keys, text).map(([path, one]) => ({ state: holding(path, [], one), path: path.join("."), value: one })),
    matching: ["eq", "exists"],
  },
  {
    name: "a number as text",
    asked: fc.tuple(keys, fc.integer()).map(([path, one]) => ({ state: holding(path, [], one), path: path.join("."), value: String(one) })),
    matching: ["neq", "exists"],
  },
  { name: "no value", asked: place.map(({ state, path }) => ({ state, path })), matching: ["exists"] },
  {
    name: "a path that ends nowhere",
    asked: fc.tuple(place, key, leaf).map(([one, name, value]) => ({ state: one.state, path: `nowhere_${name}.${one.path}`, value })),
    matching: [],
    because: /is missing/u,
  },
  {
    name: "a path through what is no mapping",
    asked: fc
      .tuple(keys, fc.constantFrom<unknown>("text", 7, true, null, ["a"]), fc.constantFrom("length", "0", "tostring", "name"), leaf)
      .map(([path, inner, last, value]) => ({ state: holding(path, [], inner), path: [...path, last].join("."), value })),
    matching: [],
    because: /is missing/u,
  },
  {
    name: "a path to what is inherited",
    asked: fc
      .tuple(keys, fc.constantFrom("__proto__", "constructor", "prototype", "hasOwnProperty", "__proto__.constructor", "constructor.name"), fc.boolean(), leaf)
      .map(([path, inherited, isInner, value]) => ({ state: holding(path, [], {}), path: isInner ? `${path.join(".")}.${inherited}` : inherited, value })),
    matching: [],
    because: /is missing/u,
  },
  {
    name: "a path with an empty segment",
    asked: place.chain((one) => fc.constantFrom(`.${one.path}`, `${one.path}.`, one.path.replace(/\.|$/u, ".."), "").map((path) => ({ ...one, path }))),
    matching: [],
    because: /is missing/u,
  },
  {
    name: "a place that holds nothing",
    asked: fc.tuple(keys, leaf).map(([path, value]) => ({ state: holding(path, [], undefined), path: path.join("."), value })),
    matching: [],
    because: /is missing/u,
  },
];

/** Of a frozen state, and of the mapping it was made from: both give the same answer. */
function evaluate({ state, path, ...rest }: Asked, op: string) {
  const outcome = evaluateStatePredicate(freezeState(state), { state: { path, op, ...rest } });
  expect(evaluateStatePredicate(state, { state: { path, op, ...rest } })).toEqual(outcome);
  return outcome;
}

describe("PRE-04: state predicates against a table worked out by hand", () => {
  for (const { name, asked, matching, because } of table)
    it.each(ops)(`${name}: %s`, (op) => {
      fc.assert(
        fc.property(asked, (one) => {
          const outcome = evaluate(one, op);
          expect(outcome.matched).toBe(matching.includes(op));
          expect(outcome.reason).toMatch(because ?? /./u);
        }),
      );
    });

  it.each(table.map(({ name, asked }) => [name, asked] as const))("%s: no op but the four", (_name, asked) => {
    const other = fc
      .oneof(fc.string(), fc.constantFrom("EQ", "ne", "not in", "==", "constructor", "__proto__", "toString", ""))
      .filter((op) => !(ops as readonly string[]).includes(op));
    fc.assert(
      fc.property(asked, other, (one, op) => {
        expect(evaluate(one, op)).toEqual({ matched: false, reason: expect.stringContaining("unknown op") as string });
      }),
    );
  });

  it("a segment in capitals goes before one in small letters, at every depth", () => {
    fc.assert(
      fc.property(keys, leaf, leaf, (path, upper, lower) => {
        fc.pre(JSON.stringify(upper) !== JSON.stringify(lower));
        const both = (segments: readonly string[]): Record<string, unknown> => {
          const [first = "x", ...rest] = segments;
          return rest.length === 0
            ? { [first.toUpperCase()]: upper, [first]: lower }
            : { [first.toUpperCase()]: both(rest), [first]: holding(rest, [], lower) };
        };
        const asked = { state: both(path), path: path.join(".") };
        expect(evaluate({ ...asked, value: upper }, "eq").matched).toBe(true);
        expect(evaluate({ ...asked, value: lower }, "eq").matched).toBe(false);
      }),
    );
  });

  it("a key in mixed spelling is not there", () => {
    fc.assert(
      fc.property(key, leaf, (name, value) => {
        const mixed = `${name[0]?.toUpperCase() ?? ""}${name.slice(1)}x`;
        expect(evaluate({ state: { [mixed]: value }, path: mixed, value }, "exists").matched).toBe(false);
      }),
    );
  });

  it("says the same of a predicate with and without its wrapping", () => {
    fc.assert(
      fc.property(place, fc.constantFrom(...ops), ({ state, path, value }, op) => {
        expect(evaluateStatePredicate(state, { path, op, value })).toEqual(evaluateStatePredicate(freezeState(state), { state: { path, op, value } }));
      }),
    );
  });
});
