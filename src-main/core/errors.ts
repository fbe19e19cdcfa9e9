import { KnackError } from "#contract/errors.ts";

/** Raised by an objector before a tool runs (SPEC 3.3 e); `ruleIds` name the rules that object. */
export class GovernanceRefused extends KnackError {
  readonly ruleIds: readonly string[];

  constructor(message: string, ruleIds: readonly string[], cause?: unknown) {
    super("governance.refused", message, { exit: 3, fields: { ruleIds: [...ruleIds] }, ...(cause === undefined ? {} : { cause }) });
    this.ruleIds = [...ruleIds];
  }
}

/** One line a person can read out of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : typeof thrown === "string" ? thrown : "";
  return text.replace(/\s+/gu, " ").trim() || "unknown error";
}
