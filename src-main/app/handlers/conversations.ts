import { route } from "./route.ts";

const { conversations } = route;

export const conversationHandlers = conversations.router({
  list: conversations.list.handler(({ context }) => context.agent.conversations()),
  get: conversations.get.handler(({ input, context }) => context.agent.conversation(input.id)),
  delete: conversations.delete.handler(({ input, context }) => context.agent.deleteConversation(input.id, input.backups)),
  eraseEpisode: conversations.eraseEpisode.handler(({ input, context }) => context.agent.eraseEpisode(input.id, input.backups)),
  rename: conversations.rename.handler(({ input, context }) => context.agent.renameConversation(input.id, input.title)),
  search: conversations.search.handler(({ input, context }) => context.agent.searchMessages(input.query)),
});
