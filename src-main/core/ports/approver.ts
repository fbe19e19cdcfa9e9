export interface ApprovalRequest {
  readonly turnId: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly reason: string;
}

/** Asks the person. Without a person to ask the answer is "deny". */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<"allow" | "deny">;
