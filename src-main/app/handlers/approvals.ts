import { route } from "./route.ts";

const { approvals } = route;

export const approvalHandlers = approvals.router({
  list: approvals.list.handler(({ context }) => context.agent.standingApprovals()),
  revoke: approvals.revoke.handler(({ input, context }) => context.agent.revokeApproval(input.id)),
});
