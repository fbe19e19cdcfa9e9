import { route } from "./route.ts";

const { blocks } = route;

export const blockHandlers = blocks.router({
  list: blocks.list.handler(({ context }) => context.agent.blocks()),
  set: blocks.set.handler(({ input, context }) => context.agent.setBlock(input.name, input.text)),
  reset: blocks.reset.handler(({ input, context }) => context.agent.resetBlock(input.name)),
  decline: blocks.decline.handler(({ input, context }) => context.agent.declineField(input.field)),
  askAgain: blocks.askAgain.handler(({ input, context }) => context.agent.askFieldAgain(input.field)),
});
