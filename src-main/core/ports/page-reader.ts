import type { Destination } from "#contract/grants/schema.ts";
import type { OnDecision } from "./egress.ts";

/** A page that was read without a browser. All of it is data from its origin. */
export interface FetchedPage {
  /** Where the redirects ended. */
  readonly url: string;
  readonly origin: string;
  readonly status: number;
  readonly title: string;
  /** Markdown of an HTML page, other text as it is. */
  readonly text: string;
  /** Redirects that were followed. */
  readonly hops: number;
  /** More was there than is read. */
  readonly isCut: boolean;
}

export interface ReadRequest {
  /** Refuses a place that is granted: the skill in charge does not declare it. Asked for every hop. */
  readonly within?: (origin: { readonly scheme: string; readonly host: string; readonly port: number }) => boolean;
  readonly onDecision?: OnDecision;
}

export interface PageReader {
  /**
   * Reads one page under these grants; every hop is decided anew. Rejects with KnackError: the code of a refusal ("dest.*", "hop.*", "dns.error" …, exit 3),
   * "stop.time", "stop.bytes", "fetch.content" for what is no text, "fetch.failed".
   */
  read(url: string, destinations: readonly Destination[], request: ReadRequest, signal: AbortSignal): Promise<FetchedPage>;
  /** Grants apply to the next hop of what is being read; connections that are no longer covered are closed. */
  setDestinations(destinations: readonly Destination[]): void;
}
