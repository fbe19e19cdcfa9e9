import { outerEnvironment } from "./temp-folder.ts";

/**
 * What a browser must not take from the process that starts it: proxies, more switches, a profile of the user's, keys of services, what is meant for Node,
 * and everything of ours, a passphrase among it.
 */
const KEPT_BACK = /_proxy$|^(?:knack|node|npm|electron|chrome|chromium|google|breakpad|playwright|pw|auto_proxy)(?:_|$)/iu;

/** The environment of the browser. */
export function browserEnvironment(outer: NodeJS.ProcessEnv = outerEnvironment()): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(outer).filter(([name]) => !KEPT_BACK.test(name)));
}
