import { clip, fold } from "#base/text.ts";
import { addressesOf, toolName } from "../envelope/index.ts";
import type { Gate, GateContext } from "./context.ts";
import { addressesIn, hostOf, hostsNamed, noSources, type Sources } from "./sources.ts";
import { allow, ask, refuse } from "./verdict.ts";

/** Characters behind the host that an address may carry which nobody gave. */
const mostCarried = 200;

/**
 * An address that neither the user nor a page nor a routine gave was put together by the model, and tells its host whatever stands in it: what pages,
 * files and memory said may leave that way. It is asked about first, unless all it says stands in the goal; a long one is refused (INJ-21).
 */
export const composedAddress: Gate = (call, context) => {
  const addresses = addressesOf(call);
  if (addresses.length === 0) return allow;
  const sources = sourcesOf(context);
  for (const address of addresses) {
    if (!URL.canParse(address)) continue;
    const url = new URL(address);
    if (isGiven(url, call, sources)) continue;
    const carried = `${url.pathname === "/" ? "" : url.pathname}${url.search}${url.hash}`;
    if (carried.length > mostCarried)
      return refuse(
        "taint.query",
        `${toolName(call.tool)} was not run: it would tell ${url.hostname} ${carried.length} characters that neither the user nor a page gave; at most ${mostCarried} are possible.`,
      );
    const isNewHost = !isKnownHost(url.hostname, context, sources);
    if (!isNewHost && piecesOf(url).every((piece) => isInGoal(piece, sources.goal))) continue;
    return ask(
      `Neither you nor a page nor a skill gave this address; it would tell ${url.hostname}${carried === "" ? " that it was asked for" : ` "${clip(carried, 120)}"`}.`,
      "composed-address",
    );
  }
  return allow;
};

export function sourcesOf({ sources }: GateContext): Sources {
  return typeof sources === "function" ? sources() : (sources ?? noSources);
}

/** As it stands in the user's words, on a page, or in the step that the routine has next. */
function isGiven(url: URL, call: { readonly tool: string }, { user, goal, addresses, visited, due }: Sources): boolean {
  const isDue = due !== null && toolName(due.tool) === toolName(call.tool) ? addressesOf(due) : [];
  const given = [...[goal, ...user].flatMap(addressesIn), ...addresses, ...visited, ...isDue];
  return given.some((one) => URL.canParse(one) && new URL(one).href === url.href);
}

/** A name under a granted "*.site" is a channel as well; a host that was granted by its own name says nothing. */
function isKnownHost(host: string, { envelope, skillInCharge }: GateContext, { user, goal, addresses, visited }: Sources): boolean {
  if (envelope.destinations.some((granted) => granted.host === host)) return true;
  const known = [...addresses, ...visited, ...(skillInCharge?.capabilities.destinations ?? [])].map(hostOf);
  return known.includes(host) || hostsNamed([goal, ...user]).has(host);
}

/** Everything an address says behind its host, readable. */
function piecesOf(url: URL): string[] {
  const pairs = [...url.searchParams].flat();
  return [...url.pathname.split("/"), ...pairs, url.hash.slice(1)].map(readable).filter((piece) => piece !== "");
}

function readable(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

/** The key of a search is no word of the goal, and a single letter says nothing. */
function isInGoal(piece: string, goal: string): boolean {
  const said = fold(piece.replace(/[-_+.]+/gu, " "));
  return said.length <= 1 || /^(?:query|search|term|text|page)$/u.test(said) || ` ${plain(goal)} `.includes(` ${plain(said)} `);
}

function plain(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
