import type { DownloadedFile } from "../ports/browser.ts";
import type { Follower, Guidance, StepCheck } from "../replay/index.ts";
import type { Hands } from "./hands.ts";

/** Pages go on building after they have come, without a sign: milliseconds between the looks that are taken before something counts as not there. */
const waits = [250, 500, 1000] as const;

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
export async function checkPatiently(
  check: StepCheck | null,
  follower: Follower,
  hands: Hands,
  seen: { readonly downloads: readonly DownloadedFile[]; readonly resultText: string },
): Promise<StepCheck | null> {
  const before = hands.downloads.length;
  let found = check;
  for (const ms of waits) {
    if (found?.held !== false || hands.page === null) return found;
    if (await hands.again(ms))
      found = follower.checkAgain({ page: hands.page, downloads: [...seen.downloads, ...hands.downloads.slice(before)], resultText: seen.resultText });
  }
  return found;
}
