import { route } from "./route.ts";

const { conversations } = route;

export const conversationHandlers = conversations.router({
  list: conversations.list.handler(({ context }) => context.agent.conversations()),
  get: conversations.get.handler(({ input, context }) => context.agent.conversation(input.id, input)),
  folders: conversations.folders.handler(({ context }) => context.agent.folders()),
  addFolder: conversations.addFolder.handler(({ input, context }) => context.agent.addFolder(input.name)),
  renameFolder: conversations.renameFolder.handler(({ input, context }) => context.agent.renameFolder(input.id, input.name)),
  removeFolder: conversations.removeFolder.handler(({ input, context }) => context.agent.removeFolder(input.id)),
  move: conversations.move.handler(({ input, context }) => context.agent.moveConversation(input.id, input.folderId)),
  close: conversations.close.handler(({ input, context }) => context.agent.closeTemporary(input.id)),
  export: conversations.export.handler(({ input, context }) => context.agent.exportConversation(input.id, input.form)),
  import: conversations.import.handler(({ input, context }) => context.agent.importConversation(input.text)),
  delete: conversations.delete.handler(({ input, context }) => context.agent.deleteConversation(input.id, input.backups)),
  eraseEpisode: conversations.eraseEpisode.handler(({ input, context }) => context.agent.eraseEpisode(input.id, input.backups)),
  compact: conversations.compact.handler(({ input, context }) => context.agent.compactConversation(input.id)),
  undoCompaction: conversations.undoCompaction.handler(({ input, context }) => context.agent.undoCompaction(input.id)),
  result: conversations.result.handler(({ input, context }) => context.agent.stepResult(input.id)),
  rename: conversations.rename.handler(({ input, context }) => context.agent.renameConversation(input.id, input.title)),
  search: conversations.search.handler(({ input, context }) => context.agent.searchMessages(input.query)),
});
