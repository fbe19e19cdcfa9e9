import { badInput } from "#contract/errors.ts";
import { givenText } from "./given-text.ts";

const shapes: Readonly<Record<string, number>> = { open: 1, click: 2, fill: 2, select: 2, press: 1 };

/** The steps of a showing from a JSON file. Throws bad-input naming the line that is wrong. */
export async function readScript(path: string): Promise<string[][]> {
  const text = await givenText(path);
  let steps: unknown;
  try {
    steps = JSON.parse(text);
  } catch {
    throw badInput(`${path} is not JSON; expected [["click", "link", "Billing"], …]`);
  }
  if (!Array.isArray(steps) || steps.length === 0) throw badInput(`${path} holds no steps; expected [["click", "link", "Billing"], …]`);
  return steps.map((step: unknown, index) => {
    const words = Array.isArray(step) && step.every((word): word is string => typeof word === "string") ? step : null;
    const wanted = shapes[words?.[0] ?? ""];
    // What is pressed or filled in may stand in one of several rows.
    const most = (wanted ?? 0) + (wanted === 2 ? 1 : 0);
    if (words === null || wanted === undefined || words.length < wanted + 1 || words.length > most + 1) {
      throw badInput(
        `Step ${index + 1} of ${path} is ${JSON.stringify(step)}; expected ["open", address], ["click", role, name, row?], ["fill", field, text, row?], ["select", list, option, row?] or ["press", key]`,
      );
    }
    return words;
  });
}
