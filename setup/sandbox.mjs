import { say } from "./say.mjs";

/**
 * Chromium refuses its sandbox to root. Commands that open nothing but this repository's own test sites may go without it then; the app
 * itself never does unless KNACK_NO_SANDBOX=1 is set by whoever starts it.
 */
export function allowNoSandboxForRoot() {
  if (process.getuid?.() !== 0 || process.env.KNACK_NO_SANDBOX !== undefined) return;
  process.env.KNACK_NO_SANDBOX = "1";
  say("Running as root, where Chromium has no sandbox: KNACK_NO_SANDBOX=1 for this run, which opens its own test sites only.");
}
