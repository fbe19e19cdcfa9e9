import { KnackError } from "#contract/errors.ts";

/** Whether Chromium cannot start its sandbox, and may not go without. */
export function isSandboxImpossible(): boolean {
  const isRoot = process.platform === "linux" && process.getuid?.() === 0;
  return isRoot && process.env.KNACK_NO_SANDBOX !== "1";
}

/** For commands that open nothing but sites of this machine: said before the first model is loaded, not after. */
export function requireSandbox(command: string): void {
  if (!isSandboxImpossible()) return;
  throw new KnackError(
    "browser.sandbox",
    `The browser's sandbox cannot start as root. These commands open test sites of this machine only, so it may be left out: KNACK_NO_SANDBOX=1 knack ${command}, or npm run ${command.replace(/^(eval)\b.*/u, "eval -- routines")}`,
  );
}
