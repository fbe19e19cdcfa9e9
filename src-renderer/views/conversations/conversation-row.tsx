import { Ellipsis, FileJson, FileText, FolderInput, GitBranch, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { type Key, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { Conversation } from "#contract/chat/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { classNames } from "../../components/class-names.ts";
import { EraseDialog } from "../../components/erase-dialog.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { ModalDialog } from "../../components/modal-dialog.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { TextField } from "../../components/text-field.tsx";
import { runningIn } from "../../store/chat-store.ts";
import { routeHash } from "../../store/route.ts";
import { saidError } from "../../store/said-error.ts";
import { useChat, useIsConnected, usePage } from "../../store/use-page.ts";
import styles from "./conversation-row.module.css";
import { MoveDialog } from "./move-dialog.tsx";

export function ConversationRow({ conversation }: { readonly conversation: Conversation }) {
  const { id, title, branch } = conversation;
  const [asks, setAsks] = useState<"rename" | "move" | "delete" | null>(null);
  const isCurrent = usePage(({ route }) => route.view === "chat" && route.item === id);
  const show = usePage((state) => state.show);
  const isRunning = useChat((state) => runningIn(state, id) !== null);
  const remove = useChat((state) => state.remove);
  const exportAs = useChat((state) => state.export);
  const say = usePage((state) => state.say);
  const isConnected = useIsConnected();
  function act(key: Key) {
    if (key === "markdown" || key === "json") void exportAs(id, key).catch((error: unknown) => say(saidError(error)));
    else if (key === "rename" || key === "move" || key === "delete") setAsks(key);
  }
  return (
    <li className={classNames(styles.row, isCurrent && styles.current)}>
      <a className={styles.link} href={routeHash("chat", id)} aria-current={isCurrent ? "page" : undefined} title={title} onClick={() => show(null)}>
        {isRunning ? (
          <>
            <Spinner size={14} />
            <span className="unseen">working: </span>
          </>
        ) : null}
        {branch === undefined ? null : (
          <>
            <GitBranch aria-hidden size={14} className={styles.mark} />
            <span className="unseen">branch: </span>
          </>
        )}
        <span className={styles.title}>{title}</span>
      </a>
      <MenuTrigger>
        <IconButton icon={Ellipsis} label={`More for “${title}”`} isDisabled={!isConnected} />
        <Popover className={classNames(styles.popover)} placement="bottom end">
          <Menu className={classNames(styles.menu)} onAction={act}>
            <MenuItem id="rename" className={classNames(styles.item)} textValue="Rename">
              <Pencil aria-hidden size={15} /> Rename
            </MenuItem>
            <MenuItem id="move" className={classNames(styles.item)} textValue="Move to a folder">
              <FolderInput aria-hidden size={15} /> Move to a folder
            </MenuItem>
            <MenuItem id="markdown" className={classNames(styles.item)} textValue="Export as Markdown">
              <FileText aria-hidden size={15} /> Export as Markdown
            </MenuItem>
            <MenuItem id="json" className={classNames(styles.item)} textValue="Export as JSON">
              <FileJson aria-hidden size={15} /> Export as JSON
            </MenuItem>
            <MenuItem id="delete" className={classNames(styles.item)} textValue="Delete">
              <Trash2 aria-hidden size={15} /> Delete
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      {asks === "rename" ? <RenameDialog conversation={conversation} onClose={() => setAsks(null)} /> : null}
      {asks === "move" ? <MoveDialog conversation={conversation} onClose={() => setAsks(null)} /> : null}
      {asks === "delete" ? (
        <EraseDialog
          title="Delete this conversation?"
          act="Delete"
          done="The conversation is gone"
          onErase={(backups) => remove(id, backups)}
          onClose={() => setAsks(null)}
        >
          <p>
            “{title}” with its messages and steps is erased and cannot be brought back. A skill that Knack learned from it is derived again from what is left,
            or retired; one that you made stays. Branches that went on from it stay, without what they shared with it.
          </p>
        </EraseDialog>
      ) : null}
    </li>
  );
}

function RenameDialog({ conversation, onClose }: { readonly conversation: Conversation; readonly onClose: () => void }) {
  const [title, setTitle] = useState(conversation.title);
  const rename = useChat((state) => state.rename);
  const isEmpty = title.trim() === "";
  return (
    <ModalDialog title="Rename the conversation" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isEmpty) void rename(conversation.id, title.trim()).then(onClose);
        }}
        className={styles.form}
      >
        <TextField label="Title" value={title} onChange={setTitle} problem={isEmpty ? "The title is empty." : null} autoFocus />
        <ButtonRow align="end">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" isDisabled={isEmpty}>
            Rename
          </Button>
        </ButtonRow>
      </form>
    </ModalDialog>
  );
}
