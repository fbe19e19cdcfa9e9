import { route } from "./route.ts";
import { signalOf } from "./signal-of.ts";

const { models } = route;

export const modelHandlers = models.router({
  list: models.list.handler(({ context }) => context.agent.models()),
  fetch: models.fetch.handler(async function* ({ input, context, signal }) {
    yield* context.agent.fetchModel(input.id, signalOf(signal));
  }),
  verify: models.verify.handler(({ input, context }) => context.agent.verifyModel(input.id)),
  use: models.use.handler(({ input, context }) => context.agent.useModel(input.id)),
});
