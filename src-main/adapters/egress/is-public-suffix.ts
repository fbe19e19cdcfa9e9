import { getPublicSuffix } from "tldts";

/** True for a name under which anybody may register, private section included ("co.uk", "github.io"); also for a single label. */
export function isPublicSuffix(host: string): boolean {
  return !host.includes(".") || getPublicSuffix(host, { allowPrivateDomains: true }) === host;
}
