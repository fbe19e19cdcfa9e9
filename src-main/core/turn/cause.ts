import type { Step } from "#contract/chat/schema.ts";
import { isDestinationRefusal } from "./hands.ts";

/** No network, no browser, or a value that the field cannot take: what a routine cannot help. */
const outside = /^(?:browser\.(?:missing|sandbox|no-display|crashed|unwatched|closed|unreachable|bad-value)|proxy\.)/u;

/**
 * Whether a run that failed at the last of these steps failed by something other than its routine and the page: then it says nothing about
 * the routine, and is counted neither for nor against it. A permission that was not given is such a cause too.
 */
export function isCauseOutside(steps: readonly Step[]): boolean {
  const last = steps.findLast((step) => step.tool !== "reply");
  if (last === undefined) return false;
  const code = String(last.details.code ?? "");
  // Where the site itself sends on is part of the page, and a routine that ends there has drifted.
  if (code.startsWith("hop.")) return false;
  return last.status === "refused" || isDestinationRefusal(last) || (last.status === "error" && outside.test(code));
}
