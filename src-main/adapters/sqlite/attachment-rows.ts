import type { Attachment, Message } from "#contract/chat/schema.ts";
import type { AttachedFile, ConversationStore } from "#core/ports/stores.ts";
import type { Connection } from "./connection.ts";

type FileRow = Omit<AttachedFile, "isSearched"> & { isSearched: number };
type ListedRow = Omit<Attachment, "isSearched"> & { isSearched: number; messageId: string };

const columns = "id, message_id AS messageId, conversation_id AS conversationId, name, text, excerpt, read, searched AS isSearched";
const listed = "id, message_id AS messageId, name, characters, read, searched AS isSearched";

interface AttachmentRows extends Pick<ConversationStore, "addAttachment" | "setExcerpt" | "attachment" | "attachmentsOf"> {
  /** The same messages with what is told of the files that came with them. */
  readonly withAttachments: (messages: Message[]) => Message[];
}

/** Files that came with messages; they go with their message. */
export function attachmentRows(connection: Connection): AttachmentRows {
  return {
    addAttachment({ isSearched, ...file }) {
      connection.run(
        `INSERT INTO attachments (id, message_id, conversation_id, name, text, characters, excerpt, read, searched)
         VALUES (:id, :messageId, :conversationId, :name, :text, :characters, :excerpt, :read, :searched)`,
        // Characters as the page counts them, not as SQLite does.
        { ...file, characters: file.text.length, searched: isSearched ? 1 : 0 },
      );
    },
    setExcerpt(id, excerpt, read, isSearched) {
      connection.change("attachment", "UPDATE attachments SET excerpt = :excerpt, read = :read, searched = :searched WHERE id = :id", {
        id,
        excerpt,
        read,
        searched: isSearched ? 1 : 0,
      });
    },
    attachment(id) {
      const row = connection.get<FileRow>(`SELECT ${columns} FROM attachments WHERE id = :id`, { id });
      return row && toFile(row);
    },
    attachmentsOf: (turnId) =>
      connection
        .all<FileRow>(`SELECT ${columns} FROM attachments WHERE message_id IN (SELECT id FROM messages WHERE turn_id = :turnId) ORDER BY seq`, { turnId })
        .map(toFile),
    withAttachments(messages) {
      const [first] = messages;
      if (first === undefined) return messages;
      const conversations = JSON.stringify([...new Set(messages.map(({ conversationId }) => conversationId))]);
      const rows = connection.all<ListedRow>(
        `SELECT ${listed} FROM attachments WHERE conversation_id IN (SELECT value FROM json_each(:conversations)) ORDER BY seq`,
        { conversations },
      );
      if (rows.length === 0) return messages;
      const files = Map.groupBy(rows, ({ messageId }) => messageId);
      return messages.map((message) => {
        const own = files.get(message.id);
        return own === undefined ? message : { ...message, attachments: own.map(toAttachment) };
      });
    },
  };
}

function toFile({ isSearched, ...row }: FileRow): AttachedFile {
  return { ...row, isSearched: isSearched === 1 };
}

function toAttachment({ messageId: _messageId, isSearched, ...row }: ListedRow): Attachment {
  return { ...row, isSearched: isSearched === 1 };
}
