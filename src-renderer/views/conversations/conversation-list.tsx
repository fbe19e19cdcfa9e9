import { FolderPlus, MessagesSquare, Upload } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { SEARCH_ID } from "../../actions/focus-composer.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { SearchBox } from "../../components/search-box.tsx";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import styles from "./conversation-list.module.css";
import { ConversationRow } from "./conversation-row.tsx";
import { FolderDialog } from "./folder-dialog.tsx";
import { FolderRow } from "./folder-row.tsx";
import { FoundMessages } from "./found-messages.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { moveFocus } from "./move-focus.ts";

export function ConversationList() {
  const [query, setQuery] = useState("");
  const section = useRef<HTMLElement>(null);
  /** From the field down into what was found, and back to it from the first. */
  function leaveField(event: KeyboardEvent) {
    const [first] = section.current?.querySelectorAll<HTMLElement>("ul a") ?? [];
    const field = section.current?.querySelector("input");
    if (event.key === "ArrowDown" && event.target === field && first !== undefined) {
      event.preventDefault();
      first.focus();
    } else if (event.key === "ArrowUp" && event.target === first) {
      event.preventDefault();
      field?.focus();
    }
  }
  return (
    <section className={styles.conversations} aria-label="Conversations" ref={section} onKeyDown={leaveField}>
      <div className={styles.head}>
        <div id={SEARCH_ID} className={styles.search}>
          <SearchBox label="Search messages" value={query} onChange={setQuery} />
        </div>
        <ListActions />
      </div>
      {query.trim() === "" ? <Everything /> : <FoundMessages query={query.trim()} />}
    </section>
  );
}

/** A new folder, and a conversation from a file. */
function ListActions() {
  const [isNaming, setNaming] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const addFolder = useChat((state) => state.addFolder);
  const isConnected = useIsConnected();
  return (
    <>
      <IconButton icon={FolderPlus} label="New folder" isDisabled={!isConnected} onPress={() => setNaming(true)} />
      <IconButton icon={Upload} label="Import a conversation" isDisabled={!isConnected} onPress={() => setImporting(true)} />
      {isImporting ? <ImportDialog onClose={() => setImporting(false)} /> : null}
      {isNaming ? (
        <FolderDialog title="New folder" act="Make it" name="" onClose={() => setNaming(false)} onName={async (name) => void (await addFolder(name))} />
      ) : null}
    </>
  );
}

/** Folders by name, each with what is in it, then what is in none, newest first. */
function Everything() {
  const conversations = useChat((state) => state.conversations);
  const folders = useChat((state) => state.folders);
  const problem = useChat((state) => state.conversationsProblem);
  const isConnected = useIsConnected();
  if (conversations === null) return <p className={styles.note}>{problem ?? (isConnected ? "Loading conversations …" : "Not connected")}</p>;
  if (conversations.length === 0 && folders.length === 0)
    return (
      <p className={styles.note}>
        <MessagesSquare aria-hidden size={16} /> No conversations yet
      </p>
    );
  const known = new Set(folders.map(({ id }) => id));
  return (
    <ul className={styles.list} onKeyDown={moveFocus}>
      {folders.map((folder) => (
        <FolderRow key={folder.id} folder={folder} conversations={conversations.filter(({ folderId }) => folderId === folder.id)} />
      ))}
      {conversations
        .filter(({ folderId }) => folderId === undefined || !known.has(folderId))
        .map((conversation) => (
          <ConversationRow key={conversation.id} conversation={conversation} />
        ))}
    </ul>
  );
}
