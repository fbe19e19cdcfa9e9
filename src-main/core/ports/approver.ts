export interface ApprovalRequest {
  readonly turnId: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly reason: string;
  /** What a yes for always would cover, in words; absent where there is no such yes. */
  readonly always?: string;
}

/** Asks the person. Without a person to ask the answer is "deny". "always" is an answer only where it was offered. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<"allow" | "deny" | "always">;
