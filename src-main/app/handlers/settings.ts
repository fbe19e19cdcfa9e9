import { route } from "./route.ts";

const { settings } = route;

export const settingsHandlers = settings.router({
  get: settings.get.handler(({ context }) => context.agent.settings()),
  change: settings.change.handler(({ input, context }) => context.agent.changeSettings(input)),
});
