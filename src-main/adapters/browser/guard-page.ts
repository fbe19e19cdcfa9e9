import type { BrowserContext, Page } from "playwright-core";
import type { Egress, Refusal } from "#core/ports/index.ts";

export interface PageRefusal extends Refusal {
  /** The page itself was to go there, not a part of it. */
  readonly isNavigation: boolean;
}

interface Paused {
  requestId: string;
  request: { url: string; method: string };
  frameId: string;
  resourceType: string;
  redirectedRequestId?: string;
  responseErrorReason?: string;
  responseStatusCode?: number;
  responseHeaders?: readonly { name: string; value: string }[];
}

/**
 * The second layer (security rule 4): sees scheme, path and kind of every request of a page, redirects included, before
 * it leaves. What it does not see (a popup's first request, frames in processes of their own, workers) meets the proxy.
 * A refused navigation is dropped, so the page stays as it was.
 */
export async function guardPage(context: BrowserContext, page: Page, egress: Egress, onRefused: (refusal: PageRefusal) => void): Promise<void> {
  const client = await context.newCDPSession(page);
  const tree = (await client.send("Page.getFrameTree")) as { frameTree: { frame: { id: string } } };
  const mainFrame = tree.frameTree.frame.id;
  client.on("Fetch.requestPaused", (event: Paused) => {
    if (event.responseStatusCode !== undefined || event.responseErrorReason !== undefined) {
      const headers = event.frameId === mainFrame && event.responseStatusCode === 200 ? asDownload(event.responseHeaders ?? []) : null;
      const changed = headers === null ? {} : { responseCode: 200, responseHeaders: headers };
      client.send("Fetch.continueResponse", { requestId: event.requestId, ...changed }).catch(gone);
      return;
    }
    const isNavigation = event.resourceType === "Document" && event.frameId === mainFrame;
    const refusal = isInert(event.request.url, isNavigation) ? null : egress.check(event.request.url, isNavigation ? "navigate" : "subresource");
    if (refusal === null) {
      client.send("Fetch.continueRequest", { requestId: event.requestId }).catch(gone);
      return;
    }
    const code =
      event.redirectedRequestId !== undefined && refusal.code.startsWith("dest.")
        ? refusal.code.replace(/^dest\.(host|kind|port|scheme)$/u, "hop.$1")
        : refusal.code;
    onRefused({ ...refusal, code, isNavigation });
    client.send("Fetch.failRequest", { requestId: event.requestId, errorReason: isNavigation ? "Aborted" : "BlockedByClient" }).catch(gone);
  });
  await client.send("Fetch.enable", {
    patterns: [
      { urlPattern: "*", requestStage: "Request" },
      { urlPattern: "*", resourceType: "Document", requestStage: "Response" },
    ],
  });
}

/** Headers with which a PDF is kept as a file instead of being shown, where nothing of it can be read; null for other documents. */
function asDownload(headers: readonly { name: string; value: string }[]): { name: string; value: string }[] | null {
  const valueOf = (name: string): string => headers.find((each) => each.name.toLowerCase() === name)?.value ?? "";
  if (!/^application\/pdf\b/iu.test(valueOf("content-type").trim())) return null;
  const disposition = valueOf("content-disposition");
  const rest = disposition.includes(";") ? disposition.slice(disposition.indexOf(";")) : "";
  return [...headers.filter((each) => each.name.toLowerCase() !== "content-disposition"), { name: "content-disposition", value: `attachment${rest}` }];
}

/** Addresses that carry their own content and reach nobody. */
function isInert(url: string, isNavigation: boolean): boolean {
  return /^(?:data|blob|about):/iu.test(url) && !(isNavigation && !/^about:/iu.test(url));
}

function gone(): void {
  // The page went away between the question and the answer; nothing of it goes on.
}
