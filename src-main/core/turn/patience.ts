import type { Step } from "#contract/chat/schema.ts";
import type { Follower, Guidance, Observed, StepCheck } from "../replay/index.ts";
import type { ToolResult } from "../tools/index.ts";
import type { Hands } from "./hands.ts";

/** Pages go on building after they have come, without a sign: milliseconds between the looks that are taken before something counts as not there. */
const waits = [250, 500, 1000] as const;

/** What a step showed, its page aside. */
export type SeenAfter = Omit<Observed, "page">;

export function seenOf(result: ToolResult | null, step: Step): SeenAfter {
  const status = result?.details?.status;
  return {
    downloads: result?.downloads ?? [],
    files: result?.files ?? [],
    resultText: result?.value ?? result?.text ?? step.text,
    ...(typeof status === "number" ? { status } : {}),
  };
}

/** What comes next, looking again where something is missing or in doubt; one short look where there is a way on in any case. */
export async function lookPatiently(follower: Follower, hands: Hands): Promise<Guidance> {
  let due = follower.look(hands.page);
  for (const [count, ms] of waits.entries()) {
    const isMissing = due.kind === "search" || due.kind === "several";
    if (!isMissing || hands.page === null || (count > 0 && due.kind === "search" && due.ways.length > 0)) return due;
    if (await hands.again(ms)) due = follower.look(hands.page);
  }
  return due;
}

/** A check that does not hold, tried again while its page may still be on its way. */
export async function checkPatiently(check: StepCheck | null, follower: Follower, hands: Hands, seen: SeenAfter): Promise<StepCheck | null> {
  const before = hands.downloads.length;
  let found = check;
  for (const ms of waits) {
    if (found?.held !== false || hands.page === null) return found;
    if (await hands.again(ms)) found = follower.checkAgain({ ...seen, page: hands.page, downloads: [...seen.downloads, ...hands.downloads.slice(before)] });
  }
  return found;
}
