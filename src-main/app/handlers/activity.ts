import { route } from "./route.ts";

const { activity } = route;

export const activityHandlers = activity.router({
  list: activity.list.handler(({ input, context }) => context.agent.activity(input)),
  get: activity.get.handler(({ input, context }) => context.agent.contact(input.id)),
});
