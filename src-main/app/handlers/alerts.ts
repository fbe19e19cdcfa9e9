import { route } from "./route.ts";

const { alerts } = route;

export const alertHandlers = alerts.router({
  list: alerts.list.handler(({ input, context }) => context.agent.alerts(input.all)),
  resolve: alerts.resolve.handler(({ input, context }) => context.agent.resolveAlert(input.id, input.resolution)),
  act: alerts.act.handler(({ input, context }) => context.agent.actOnAlert(input.id, input.action, context.by)),
});
