import { route } from "./route.ts";
import { signalOf } from "./signal-of.ts";

const { models } = route;

export const modelHandlers = models.router({
  list: models.list.handler(({ context }) => context.agent.models()),
  fetch: models.fetch.handler(async function* ({ input, context, signal }) {
    yield* context.agent.fetchModel(input.id, signalOf(signal));
  }),
  verify: models.verify.handler(({ input, context }) => context.agent.verifyModel(input.id)),
  status: models.status.handler(({ context }) => context.agent.modelUse()),
  warm: models.warm.handler(({ input, context, signal }) => context.agent.warm(input.conversationId, signalOf(signal))),
  use: models.use.handler(({ input, context }) => context.agent.useModel(input.id)),
});
