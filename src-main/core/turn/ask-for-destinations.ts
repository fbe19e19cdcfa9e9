import { hostWarning } from "#contract/grants/host-warning.ts";
import { envelopeOf, mayNavigate, parseOrigin } from "../envelope/index.ts";
import type { TurnWorld } from "./world.ts";

/** Addresses the user names in the goal itself are asked for once, before anything is opened; the answer is the grant. */
export async function askForDestinations(world: TurnWorld, text: string, turnId: string, signal: AbortSignal): Promise<void> {
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s"'<>)]+/giu)) {
    const url = match[0].replace(/[.,;:!?]+$/u, "");
    if (isGranted(world, url)) continue;
    const { origin, hostname } = new URL(url);
    const reason = [`May Knack open ${origin}?`, hostWarning(hostname)].filter((part) => part !== null).join(" ");
    const answer = await world.approve({ turnId, tool: "browser_open", args: { url: shownUrl(url) }, reason }, signal);
    if (answer === "allow") world.grantDestination(url, "user");
  }
}

/** As it is opened, with the host's letters in the one form that cannot look like another host's. */
function shownUrl(url: string): string {
  const { hostname, href } = new URL(url);
  return hostWarning(hostname) === null ? url : href;
}

/** True also for what no grant can name: there is nothing to ask about it, and the gates refuse it. */
function isGranted(world: TurnWorld, url: string): boolean {
  const origin = parseOrigin(url);
  return origin === null || mayNavigate(envelopeOf(world.stores.grants.list()), origin);
}
