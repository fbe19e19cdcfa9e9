import { KnackError } from "#contract/errors.ts";
import type { LoginRequest } from "#core/ports/index.ts";
import { hostOf, originOf } from "./address-parts.ts";
import type { BrowserWindow } from "./browser-window.ts";

interface Paused {
  readonly requestId: string;
  readonly resourceType: string;
  readonly request: { readonly url: string; readonly method: string; readonly postData?: string };
}

interface Asked {
  readonly request: { readonly url: string; readonly method: string; readonly postData?: string };
}

interface Requested {
  readonly reason: string;
  readonly url: string;
}

export interface SubmissionWatch {
  /** Throws "cred.action" where the page tried to send the login to an origin the entry is not bound to, and the refusal of its host where it was kept from asking it. */
  throwIfElsewhere(): void;
  end(): Promise<void>;
}

const LOOKED_AT = 65_536;

/**
 * Watches where a page sends what was filled in: a form's action may be changed while it is sent. Documents that would take a value to an origin the entry is
 * not bound to are stopped here, whatever is granted for looking at pages; parts of the page meet the grants.
 */
export async function watchSubmission(window: BrowserWindow, { origins, holdsValue }: LoginRequest): Promise<SubmissionWatch> {
  const { page } = window;
  const mark = window.latest;
  const client = await page.context().newCDPSession(page);
  const sentTo = new Set<string>();
  let elsewhere: string | null = null;
  const carries = ({ url, method, postData = "" }: Asked["request"]): boolean =>
    !/^(?:GET|HEAD|OPTIONS)$/u.test(method) || holdsValue(url) || (postData !== "" && holdsValue(postData.slice(0, LOOKED_AT)));
  client.on("Page.frameRequestedNavigation", ({ reason, url }: Requested) => {
    if (reason.startsWith("formSubmission") && !origins.includes(originOf(url))) elsewhere ??= originOf(url);
  });
  client.on("Network.requestWillBeSent", ({ request }: Asked) => {
    if (carries(request)) sentTo.add(hostOf(request.url));
  });
  client.on("Fetch.requestPaused", ({ requestId, request }: Paused) => {
    const isElsewhere = carries(request) && !origins.includes(originOf(request.url));
    if (isElsewhere) elsewhere ??= originOf(request.url);
    const answer = isElsewhere ? client.send("Fetch.failRequest", { requestId, errorReason: "Aborted" }) : client.send("Fetch.continueRequest", { requestId });
    // The page went away between the question and the answer; nothing of it goes on.
    answer.catch(() => undefined);
  });
  await client.send("Page.enable");
  await client.send("Network.enable", { maxPostDataSize: LOOKED_AT });
  await client.send("Fetch.enable", { patterns: [{ urlPattern: "*", resourceType: "Document", requestStage: "Request" }] });
  return {
    throwIfElsewhere() {
      if (elsewhere !== null)
        throw new KnackError("cred.action", `The page tried to send the login to ${elsewhere}, which the vault entry is not bound to. It was kept from it.`, {
          exit: 3,
          fields: { host: hostOf(elsewhere) },
        });
      const refused = window.refusedSince(mark).find(({ host }) => sentTo.has(host));
      if (refused !== undefined)
        throw new KnackError(refused.code, `The page sends its logins to ${refused.host}, and was kept from it: ${refused.message}`, {
          exit: 3,
          fields: { host: refused.host },
        });
    },
    async end() {
      await client.detach().catch(() => undefined);
    },
  };
}
