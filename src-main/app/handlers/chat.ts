import { route } from "./route.ts";
import { signalOf } from "./signal-of.ts";

const { chat } = route;

export const chatHandlers = chat.router({
  send: chat.send.handler(async function* ({ input, context, signal }) {
    yield* context.agent.send(input, signalOf(signal));
  }),
  stop: chat.stop.handler(({ input, context }) => context.agent.stop(input.turnId)),
  judge: chat.judge.handler(({ input, context }) => context.agent.judge(input.episodeId, input.worked, context.by)),
  approve: chat.approve.handler(({ input, context }) => context.agent.approve(input.approvalId, input.allow, input.scope, context.by)),
  attachment: chat.attachment.handler(({ input, context }) => context.agent.attachment(input.id)),
  why: chat.why.handler(({ input, context }) => context.agent.why(input.turnId)),
  answerSuggestion: chat.answerSuggestion.handler(({ input, context }) => context.agent.answerSuggestion(input.turnId, input.take)),
});
