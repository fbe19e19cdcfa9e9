import fc from "fast-check";
import { expect, it } from "vitest";
import { halfFloats } from "../../models/half-floats.ts";

it("rounds as the DataView of the language does, for every kind of number", () => {
  const view = new DataView(new ArrayBuffer(2)) as DataView & { setFloat16(at: number, value: number, little: boolean): void };
  const ofLanguage = (value: number) => {
    view.setFloat16(0, value, true);
    return view.getUint16(0, true);
  };
  const edges = [
    0,
    -0,
    65504,
    65519.99,
    65520,
    2 ** -14,
    2 ** -24,
    2 ** -25,
    1.5 * 2 ** -25,
    1 + 2 ** -11,
    1 + 3 * 2 ** -11,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  const numbers = fc.oneof(fc.float({ noNaN: true }), fc.float({ noNaN: true, min: -1, max: 1 }), fc.constantFrom(...edges).map(Math.fround));
  fc.assert(
    fc.property(numbers, (value) => {
      expect(new Uint16Array(halfFloats(Float32Array.of(value)).buffer)[0]).toBe(ofLanguage(value));
    }),
    { numRuns: 2000 },
  );
});
