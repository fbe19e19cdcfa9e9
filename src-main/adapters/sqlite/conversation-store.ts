import type { Compaction, ContextUse } from "#contract/chat/context.ts";
import type { Conversation, Message } from "#contract/chat/schema.ts";
import type { ConversationStore, Span } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";
import { searchWords } from "./full-text-query.ts";

const conversationColumns = "id, title, created_at AS createdAt, updated_at AS updatedAt";
const messageColumns = `messages.id, messages.conversation_id AS conversationId, messages.turn_id AS turnId, messages.role, messages.text,
  messages.status, messages.created_at AS createdAt`;

const compactionColumns = `id, conversation_id AS conversationId, through_turn_id AS throughTurnId, turns, text, tokens_before AS tokensBefore,
  tokens_after AS tokensAfter, made_at AS madeAt, undone_at AS undoneAt`;

export function conversationStore(connection: Connection): ConversationStore {
  return {
    create({ id, title, createdAt, updatedAt }) {
      connection.run("INSERT INTO conversations (id, title, created_at, updated_at) VALUES (:id, :title, :createdAt, :updatedAt)", {
        id,
        title,
        createdAt,
        updatedAt,
      });
    },
    get: (id) => connection.get<Conversation>(`SELECT ${conversationColumns} FROM conversations WHERE id = :id`, { id }),
    list: (limit = -1) =>
      connection.all<Conversation>(`SELECT ${conversationColumns} FROM conversations ORDER BY updated_at DESC, id DESC LIMIT :limit`, { limit }),
    rename(id, title, at) {
      connection.change("conversation", "UPDATE conversations SET title = :title, updated_at = :at WHERE id = :id", { id, title, at });
    },
    touch(id, at) {
      connection.change("conversation", "UPDATE conversations SET updated_at = :at WHERE id = :id", { id, at });
    },
    delete(id) {
      connection.forget(() => connection.run("DELETE FROM conversations WHERE id = :id", { id }));
    },

    addMessage({ id, conversationId, turnId, role, text, status, createdAt }) {
      connection.run(
        `INSERT INTO messages (id, conversation_id, turn_id, role, text, status, created_at)
         VALUES (:id, :conversationId, :turnId, :role, :text, :status, :createdAt)`,
        { id, conversationId, turnId, role, text, status, createdAt },
      );
    },
    updateMessage(id, text, status) {
      connection.change("message", "UPDATE messages SET text = :text, status = :status WHERE id = :id", { id, text, status });
    },
    messages: (conversationId) =>
      connection.all<Message>(`SELECT ${messageColumns} FROM messages WHERE conversation_id = :conversationId ORDER BY created_at, seq`, { conversationId }),
    message: (id) => connection.get<Message>(`SELECT ${messageColumns} FROM messages WHERE id = :id`, { id }),
    search: (text, limit) =>
      searchWords(text, (query) =>
        connection.all<Message>(
          `SELECT ${messageColumns} FROM message_words JOIN messages ON messages.seq = message_words.rowid
           WHERE message_words MATCH :query ORDER BY message_words.rank LIMIT :limit`,
          { query, limit },
        ),
      ),

    context: (id) =>
      connection.get<ContextUse>("SELECT context_used AS used, context_size AS size FROM conversations WHERE id = :id AND context_size IS NOT NULL", { id }),
    setContext(id, { used, size }) {
      connection.change("conversation", "UPDATE conversations SET context_used = :used, context_size = :size WHERE id = :id", { id, used, size });
    },
    addCompaction(compaction) {
      connection.run(
        `INSERT INTO compactions (id, conversation_id, through_turn_id, turns, text, tokens_before, tokens_after, made_at, undone_at)
         VALUES (:id, :conversationId, :throughTurnId, :turns, :text, :tokensBefore, :tokensAfter, :madeAt, :undoneAt)`,
        { ...compaction },
      );
    },
    undoCompaction(id, at) {
      connection.change("compaction", "UPDATE compactions SET undone_at = :at WHERE id = :id AND undone_at IS NULL", { id, at });
    },
    rewordCompaction(id, text) {
      connection.forget(() => connection.change("compaction", "UPDATE compactions SET text = :text WHERE id = :id", { id, text }));
    },
    markForgotten(messageId, spans) {
      for (const { start, end } of spans)
        connection.run(
          `INSERT INTO forgotten_spans (message_id, "start", "end") SELECT id, :start, :end FROM messages WHERE id = :messageId
           ON CONFLICT (message_id, "start", "end") DO NOTHING`,
          { messageId, start, end },
        );
    },
    forgotten(conversationId) {
      const marked = new Map<string, Span[]>();
      const rows = connection.all<Span & { messageId: string }>(
        `SELECT message_id AS messageId, "start", "end" FROM forgotten_spans JOIN messages ON messages.id = message_id
         WHERE conversation_id = :conversationId ORDER BY message_id, "start", "end" DESC`,
        { conversationId },
      );
      for (const { messageId, start, end } of rows) marked.set(messageId, [...(marked.get(messageId) ?? []), { start, end }]);
      return marked;
    },
    compactions: (conversationId) =>
      connection.all<Compaction>(`SELECT ${compactionColumns} FROM compactions WHERE conversation_id = :conversationId ORDER BY seq`, { conversationId }),
  };
}
