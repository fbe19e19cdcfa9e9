import { ORPCError } from "@orpc/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { KnackError } from "#contract/errors.ts";
import { fromWireError, toWireError } from "#contract/wire-error.ts";

test("an error comes back as it was sent, whatever it holds", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.string({ minLength: 1 }),
      fc.constantFrom(1, 2, 3),
      fc.dictionary(
        fc.string().filter((key) => key !== "__proto__"),
        fc.jsonValue(),
      ),
      (code, message, exit, fields) => {
        const sent = new KnackError(code, message, { exit, fields });
        const carried = toWireError(sent);
        const got = fromWireError(new ORPCError(carried.code, JSON.parse(JSON.stringify(carried.toJSON()))));
        expect([got.code, got.message, got.exit, got.fields]).toEqual([code, message, exit, JSON.parse(JSON.stringify(fields))]);
      },
    ),
  );
});

test("neither stack nor cause leaves the host", () => {
  const carried = toWireError(new KnackError("internal", "broken", { cause: new Error("the cause") }));
  expect(JSON.stringify(carried)).not.toMatch(/the cause|at .*:\d+/u);
});

test("what is no KnackError becomes one that can be shown", () => {
  expect(fromWireError(new ORPCError("NOT_FOUND"))).toMatchObject({ code: "not-found", message: "Not Found" });
  expect(fromWireError(new Error("socket closed"))).toMatchObject({ code: "connection", message: "socket closed" });
  expect(fromWireError("odd")).toMatchObject({ code: "connection", message: "odd" });
});
