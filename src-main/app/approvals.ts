import type { ApprovalScope, StandingApproval } from "#contract/approvals/schema.ts";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { badInput } from "#contract/errors.ts";
import type { ApprovalRequest, Approver, Stores } from "#core/ports/index.ts";

/** An approval that nobody answers turns into a no. */
export const approvalTimeoutMs = 120_000;

export interface ApprovalsWorld {
  readonly stores: Pick<Stores, "approvals" | "trace">;
  readonly clock: () => number;
  readonly makeId: () => string;
  /** Who answers when no page does. */
  readonly person?: Approver;
}

/** Open questions to the person at the page, and their answers that hold on. */
export interface Approvals {
  ask(request: ApprovalRequest, emit: (event: TurnEvent) => void, signal: AbortSignal): Promise<"allow" | "deny">;
  /**
   * False where it is no longer open. Throws bad-input for a yes that is to hold on where each call is asked about by itself; the question stays open then.
   */
  answer(id: string, allow: boolean, scope: ApprovalScope, by: string): boolean;
  standing(): StandingApproval[];
  /** Throws bad-input for an unknown id. */
  revoke(id: string): void;
}

interface Open {
  readonly request: ApprovalRequest;
  readonly done: (answer: "allow" | "deny") => void;
}

export function makeApprovals({ stores, clock, makeId, person }: ApprovalsWorld): Approvals {
  const open = new Map<string, Open>();
  const conversationOf = (request: ApprovalRequest): string => stores.trace.turn(request.turnId)?.conversationId ?? "";

  /** Looked up for each call, so that what was taken back covers nothing more. */
  function isCovered(request: ApprovalRequest): boolean {
    if (request.family === undefined) return false;
    const covering = stores.approvals.covering(request.family.key, conversationOf(request));
    if (covering === undefined) return false;
    stores.approvals.markUsed(covering.id, clock());
    return true;
  }

  function keep(family: NonNullable<ApprovalRequest["family"]>, conversationId: string | null, by: string): void {
    stores.approvals.add({ id: makeId(), family: family.key, words: family.words, conversationId, createdAt: clock(), lastUsedAt: clock(), by });
  }

  function askAtPage(request: ApprovalRequest, emit: (event: TurnEvent) => void, signal: AbortSignal): Promise<"allow" | "deny"> {
    const id = makeId();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => done("deny"), approvalTimeoutMs);
      timer.unref();
      const stop = (): void => {
        clearTimeout(timer);
        open.delete(id);
        reject(signal.reason as Error);
      };
      const done = (answer: "allow" | "deny"): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        open.delete(id);
        resolve(answer);
      };
      signal.addEventListener("abort", stop, { once: true });
      open.set(id, { request, done });
      const { family, ...shown } = request;
      emit({
        type: "approval-requested",
        ...shown,
        approvalId: id,
        ...(family === undefined ? {} : { family: family.words }),
        expiresAt: Date.now() + approvalTimeoutMs,
      });
    });
  }

  return {
    async ask(request, emit, signal) {
      if (isCovered(request)) return "allow";
      if (person === undefined) return askAtPage(request, emit, signal);
      const answer = await person(request, signal);
      if (answer === "always" && request.family !== undefined) keep(request.family, null, "user");
      return answer === "deny" ? "deny" : "allow";
    },
    answer(id, allow, scope, by) {
      const asked = open.get(id);
      if (asked === undefined) return false;
      if (allow && scope !== "once") {
        const { family } = asked.request;
        if (family === undefined) throw badInput("This is asked about each time; it can be allowed once.");
        keep(family, scope === "always" ? null : conversationOf(asked.request), by);
      }
      asked.done(allow ? "allow" : "deny");
      return true;
    },
    standing: () => stores.approvals.list(),
    revoke(id) {
      if (!stores.approvals.list().some((one) => one.id === id)) throw badInput(`There is no standing approval ${id}; see: knack grants approvals`);
      stores.approvals.remove(id);
    },
  };
}
