import type { TurnEvent } from "#contract/chat/schema.ts";
import type { ApprovalRequest } from "#core/ports/index.ts";

/** An approval that nobody answers turns into a no. */
export const approvalTimeoutMs = 120_000;

type Answer = "allow" | "deny" | "always";

/** Open questions to the person at the page. */
export interface Approvals {
  ask(request: ApprovalRequest, emit: (event: TurnEvent) => void, signal: AbortSignal): Promise<Answer>;
  answer(id: string, allow: boolean, always?: boolean): boolean;
}

export function makeApprovals(makeId: () => string): Approvals {
  const open = new Map<string, { readonly done: (answer: Answer) => void; readonly hasAlways: boolean }>();
  return {
    ask(request, emit, signal) {
      const id = makeId();
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => done("deny"), approvalTimeoutMs);
        timer.unref();
        const stop = (): void => {
          clearTimeout(timer);
          open.delete(id);
          reject(signal.reason as Error);
        };
        const done = (answer: Answer): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", stop);
          open.delete(id);
          resolve(answer);
        };
        signal.addEventListener("abort", stop, { once: true });
        open.set(id, { done, hasAlways: request.always !== undefined });
        emit({
          type: "approval-requested",
          turnId: request.turnId,
          approvalId: id,
          tool: request.tool,
          args: request.args,
          reason: request.reason,
          ...(request.always === undefined ? {} : { always: request.always }),
        });
      });
    },
    answer(id, allow, always = false) {
      const asked = open.get(id);
      asked?.done(allow ? (always && asked.hasAlways ? "always" : "allow") : "deny");
      return asked !== undefined;
    },
  };
}
