export interface ApprovalRequest {
  readonly turnId: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly reason: string;
  /** What it acts on, in words; absent where that cannot be told. */
  readonly target?: string;
  /** How a file would change, as a unified diff. */
  readonly diff?: string;
  /** Calls that one answer may cover from then on; absent where each is asked about by itself. */
  readonly family?: { readonly key: string; readonly words: string };
}

/** Asks the person. Without a person to ask the answer is "deny". "always" is an answer only where there is a family. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<"allow" | "deny" | "always">;
