import { KnackError } from "#contract/errors.ts";

/** What to do where Chromium cannot start its sandbox; null where it can, or may go without. */
export function whySandboxFails(): string | null {
  const isRoot = process.platform === "linux" && process.getuid?.() === 0;
  return isRoot && process.env.KNACK_NO_SANDBOX !== "1"
    ? "run Knack as an ordinary user; only if it must be root, set KNACK_NO_SANDBOX=1 and know that pages are then less contained"
    : null;
}

/** For commands that open nothing but sites of this machine: said before the first model is loaded, not after. */
export function requireSandbox(command: string): void {
  if (whySandboxFails() === null) return;
  throw new KnackError(
    "browser.sandbox",
    `The browser's sandbox cannot start as root. These commands open test sites of this machine only, so it may be left out: KNACK_NO_SANDBOX=1 knack ${command}, or npm run ${command.replace(/^(eval)\b.*/u, "eval -- routines")}`,
  );
}
