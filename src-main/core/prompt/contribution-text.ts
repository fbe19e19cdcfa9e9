import { stripInvisible } from "#base/invisible.ts";
import type { Contribution } from "./contribution.ts";

/** The texts of packs for one place of the prompt, each under its pack's name and indented, so that it cannot pass for anything but that; "" without any. */
export function contributionText(contributions: readonly Contribution[], position: "cached" | "volatile"): string {
  return contributions
    .filter((one) => one.position === position && one.text.trim() !== "")
    .map(({ source, text }) => [`Text of the pack ${source.slice("authored:".length)}:`, ...linesOf(text)].join("\n"))
    .join("\n");
}

function linesOf(text: string): string[] {
  return stripInvisible(text)
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => `  ${line}`.trimEnd());
}
