import type { Compaction, ContextUse } from "#contract/chat/context.ts";
import type { Conversation, Message } from "#contract/chat/schema.ts";
import type { FoundMessage } from "#contract/conversations/routes.ts";
import type { ConversationStore, Span } from "#core/ports/stores.ts";
import { attachmentRows } from "./attachment-rows.ts";
import type { Connection } from "./connection.ts";
import { folderRows } from "./folder-rows.ts";
import { searchWords } from "./full-text-query.ts";

const conversationColumns = `conversations.id, title, conversations.created_at AS createdAt, updated_at AS updatedAt, folder_id AS folderId,
  branch_of AS branchOf, branch_after AS branchAfter, temporary_host AS temporaryHost, imported`;
interface ConversationRow extends Pick<Conversation, "id" | "title" | "createdAt" | "updatedAt"> {
  readonly folderId: string | null;
  readonly branchOf: string | null;
  readonly branchAfter: string | null;
  readonly temporaryHost: string | null;
  readonly imported: number;
}
const messageColumns = `messages.id, messages.conversation_id AS conversationId, messages.turn_id AS turnId, messages.role, messages.text,
  messages.status, messages.created_at AS createdAt`;

const compactionColumns = `id, conversation_id AS conversationId, through_turn_id AS throughTurnId, turns, text, tokens_before AS tokensBefore,
  tokens_after AS tokensAfter, made_at AS madeAt, undone_at AS undoneAt`;

/** What is in temporary conversations is found by nobody. */
const isLasting = "messages.conversation_id NOT IN (SELECT id FROM conversations WHERE temporary_host IS NOT NULL)";
/** Around what was found these stand in a snippet; characters for private use, which texts seldom hold. */
const [hitBegins, hitEnds] = ["\u{e000}", "\u{e001}"];
/** Words of an excerpt. */
const excerptWords = 24;

/** @param host names the process that temporary conversations belong to */
export function conversationStore(connection: Connection, host: string | null): ConversationStore {
  const { withAttachments, ...files } = attachmentRows(connection);
  const familyOf = (id: string): string =>
    connection.get<{ family: string }>("SELECT coalesce(family, id) AS family FROM conversations WHERE id = :id", { id })?.family ?? id;
  return {
    ...files,
    ...folderRows(connection),
    create({ id, title, createdAt, updatedAt, folderId, branch, isTemporary, isImported }) {
      connection.run(
        `INSERT INTO conversations (id, title, created_at, updated_at, folder_id, branch_of, branch_after, family, temporary_host, imported)
         VALUES (:id, :title, :createdAt, :updatedAt, :folderId, :branchOf, :branchAfter, :family, :temporaryHost, :imported)`,
        {
          id,
          title,
          createdAt,
          updatedAt,
          folderId: folderId ?? null,
          branchOf: branch?.of ?? null,
          branchAfter: branch?.after ?? null,
          family: branch === undefined ? null : familyOf(branch.of),
          temporaryHost: isTemporary === true ? (host ?? "") : null,
          imported: isImported === true ? 1 : 0,
        },
      );
    },
    get(id) {
      const row = connection.get<ConversationRow>(`SELECT ${conversationColumns} FROM conversations WHERE id = :id`, { id });
      return row && toConversation(row);
    },
    list: (limit = -1) =>
      connection
        .all<ConversationRow>(`SELECT ${conversationColumns} FROM conversations ORDER BY updated_at DESC, id DESC LIMIT :limit`, { limit })
        .map(toConversation),
    temporaries: (isAlive = () => false) =>
      connection
        .all<ConversationRow>(`SELECT ${conversationColumns} FROM conversations WHERE temporary_host IS NOT NULL ORDER BY id`)
        .filter(({ temporaryHost }) => !isAlive(temporaryHost ?? ""))
        .map(toConversation),
    branchesOf: (ids) =>
      connection
        .all<ConversationRow>(
          `SELECT ${conversationColumns} FROM conversations WHERE branch_of IN (SELECT value FROM json_each(:ids)) ORDER BY created_at, id`,
          { ids: JSON.stringify(ids) },
        )
        .map(toConversation),
    familyOf,
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
      withAttachments(
        connection.all<Message>(`SELECT ${messageColumns} FROM messages WHERE conversation_id = :conversationId ORDER BY created_at, seq`, { conversationId }),
      ),
    messagesOfTurn: (turnId) =>
      withAttachments(connection.all<Message>(`SELECT ${messageColumns} FROM messages WHERE turn_id = :turnId ORDER BY created_at, seq`, { turnId })),
    message(id) {
      const found = connection.get<Message>(`SELECT ${messageColumns} FROM messages WHERE id = :id`, { id });
      return found && withAttachments([found])[0];
    },
    search: (text, limit) =>
      searchWords(text, (query) =>
        connection.all<Message>(
          `SELECT ${messageColumns} FROM message_words JOIN messages ON messages.seq = message_words.rowid
           WHERE message_words MATCH :query AND ${isLasting} ORDER BY message_words.rank LIMIT :limit`,
          { query, limit },
        ),
      ),
    find: (text, limit) =>
      searchWords(text, (query) =>
        // The places are looked for in what is told, not in everything that was found.
        connection.all<Message & { title: string; snippet: string }>(
          `WITH best AS MATERIALIZED (
             SELECT message_words.rowid AS seq, message_words.rank AS score FROM message_words JOIN messages ON messages.seq = message_words.rowid
             WHERE message_words MATCH :query AND ${isLasting} ORDER BY message_words.rank LIMIT :limit
           )
           SELECT ${messageColumns}, conversations.title, snippet(message_words, 0, :hitBegins, :hitEnds, '…', ${excerptWords}) AS snippet
           FROM message_words JOIN messages ON messages.seq = message_words.rowid JOIN conversations ON conversations.id = messages.conversation_id
           WHERE message_words MATCH :query AND message_words.rowid IN (SELECT seq FROM best) ORDER BY message_words.rank`,
          { query, limit, hitBegins, hitEnds },
        ),
      ).map(({ snippet, ...message }): FoundMessage => ({ ...message, excerpt: excerptOf(snippet) })),

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

function toConversation({ id, title, createdAt, updatedAt, folderId, branchOf, branchAfter, temporaryHost, imported }: ConversationRow): Conversation {
  return {
    id,
    title,
    createdAt,
    updatedAt,
    ...(folderId === null ? {} : { folderId }),
    ...(branchOf === null ? {} : { branch: { of: branchOf, after: branchAfter } }),
    ...(temporaryHost === null ? {} : { isTemporary: true }),
    ...(imported === 0 ? {} : { isImported: true }),
  };
}

/** A snippet in parts, those that were looked for marked. A mark that the text itself held parts nothing wrongly: it is only told as a hit. */
function excerptOf(snippet: string): FoundMessage["excerpt"] {
  return snippet
    .split(hitBegins)
    .flatMap((part, index) => {
      if (index === 0) return [{ text: part, isHit: false }];
      const [hit = "", ...rest] = part.split(hitEnds);
      return [
        { text: hit, isHit: true },
        { text: rest.join(""), isHit: false },
      ];
    })
    .filter(({ text }) => text !== "");
}
