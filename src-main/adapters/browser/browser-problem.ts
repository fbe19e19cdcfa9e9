import { KnackError } from "#contract/errors.ts";

/**
 * Our error for one of Playwright's. Its text is dropped, not wrapped: it repeats arguments, and arguments may be secret.
 */
export function browserProblem(error: unknown, doing: string): unknown {
  if (error instanceof KnackError) return error;
  const text = error instanceof Error ? error.message : "";
  if (error instanceof Error && error.name === "AbortError") return error;
  if (/Target (?:page, context or browser has been )?closed|Target crashed|Page crashed|browser has been closed|has been closed/iu.test(text))
    return new KnackError("browser.crashed", `The browser went away while ${doing}. Open the page again.`);
  const net = /net::(ERR_[A-Z_]+)/u.exec(text)?.[1];
  if (net !== undefined) return networkProblem(net, doing);
  if (error instanceof Error && error.name === "TimeoutError") {
    if (/intercepts pointer events/u.test(text))
      return new KnackError("browser.target-covered", `Something on the page lies over the element, so ${doing} did not work. Close what covers it first.`);
    if (/not enabled|is disabled/u.test(text)) return new KnackError("browser.target-disabled", "The element cannot be used now: it is disabled.");
    return new KnackError("browser.timeout", `The page did not answer in time while ${doing}.`);
  }
  return new KnackError("browser.failed", `The browser could not finish ${doing}.`);
}

/** Our error for one of Chromium's "ERR_…". */
export function networkProblem(code: string, doing: string): KnackError {
  if (code === "ERR_TOO_MANY_REDIRECTS") return new KnackError("hop.limit", "The site sent the browser in a circle: too many redirects.", { exit: 3 });
  if (code.startsWith("ERR_CERT") || code.startsWith("ERR_SSL"))
    return new KnackError("browser.certificate", "The site's certificate is not trusted, so the page was not opened.");
  if (code === "ERR_PROXY_CONNECTION_FAILED")
    return new KnackError("proxy.down", "Knack's own network gate is down, so nothing can be opened. Start the task again.");
  if (code === "ERR_TIMED_OUT" || code === "ERR_CONNECTION_TIMED_OUT")
    return new KnackError("browser.timeout", `The site did not answer in time while ${doing}.`);
  return new KnackError("browser.unreachable", `The site could not be reached while ${doing} (${code.slice(4).toLowerCase().replaceAll("_", " ")}).`);
}
