import { route } from "./route.ts";
import { showingEvents } from "./showing-events.ts";
import { signalOf } from "./signal-of.ts";

const { learning } = route;

export const learningHandlers = learning.router({
  induce: learning.induce.handler(({ input, context, signal }) => context.agent.induce(input.apply, signalOf(signal))),
  reports: learning.reports.handler(({ context }) => context.agent.reports()),
  startShowing: learning.startShowing.handler(async function* ({ input, context, signal }) {
    yield* showingEvents(context.agent, input, signalOf(signal));
  }),
  finishShowing: learning.finishShowing.handler(({ input, context }) => context.agent.finishShowing(input.id)),
  confirmShowing: learning.confirmShowing.handler(({ input, context }) => context.agent.confirmShowing(input.id, context.by, input.name, input.skill)),
  dropShowing: learning.dropShowing.handler(({ input, context }) => context.agent.dropShowing(input.id)),
  learnFrom: learning.learnFrom.handler(({ input, context }) => context.agent.learnFrom(input.conversation, input.worked === true, context.by)),
  showings: learning.showings.handler(({ context }) => context.agent.showings()),
});
