import { route } from "./route.ts";

const { grants } = route;

export const grantHandlers = grants.router({
  list: grants.list.handler(({ context }) => context.agent.grants()),
  add: grants.add.handler(({ input, context }) => context.agent.addGrant(input.what, context.by, input.limits)),
  revoke: grants.revoke.handler(({ input, context }) => context.agent.revokeGrant(input.id)),
});
