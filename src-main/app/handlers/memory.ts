import { route } from "./route.ts";

const { memory } = route;

export const memoryHandlers = memory.router({
  list: memory.list.handler(({ context }) => context.agent.facts()),
  add: memory.add.handler(({ input, context }) => context.agent.addFact(input.text)),
  forget: memory.forget.handler(({ input, context }) => context.agent.forgetFact(input.id)),
});
