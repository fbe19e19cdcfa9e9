import { InvalidArgumentError } from "commander";

/** Reads a whole number in a range. */
export function wholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/u.test(text) || number < from || number > to) throw new InvalidArgumentError(`Expected a whole number from ${from} to ${to}.`);
    return number;
  };
}
