import { ChevronRight, Ellipsis, Folder as FolderIcon, FolderX, Pencil } from "lucide-react";
import { useState } from "react";
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { Conversation } from "#contract/chat/schema.ts";
import type { Folder } from "#contract/conversations/routes.ts";
import { classNames } from "../../components/class-names.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { formatCount } from "../../format/count.ts";
import { saidError } from "../../store/said-error.ts";
import { useChat, useIsConnected, usePage } from "../../store/use-page.ts";
import styles from "./conversation-row.module.css";
import { ConversationRow } from "./conversation-row.tsx";
import { FolderDialog } from "./folder-dialog.tsx";

/** A folder, and folded out what is in it. It opens by itself where what is looked at is inside. */
export function FolderRow({ folder, conversations }: { readonly folder: Folder; readonly conversations: readonly Conversation[] }) {
  const { id, name } = folder;
  const [wish, setWish] = useState<boolean | null>(null);
  const [asks, setAsks] = useState<"rename" | "remove" | null>(null);
  const holdsCurrent = usePage(({ route }) => route.view === "chat" && conversations.some((one) => one.id === route.item));
  const say = usePage((state) => state.say);
  const rename = useChat((state) => state.renameFolder);
  const remove = useChat((state) => state.removeFolder);
  const isConnected = useIsConnected();
  const isOpen = wish ?? holdsCurrent;
  return (
    <li>
      <div className={styles.row}>
        <AriaButton className={classNames(styles.link, styles.folder)} aria-expanded={isOpen} onPress={() => setWish(!isOpen)}>
          <ChevronRight aria-hidden size={14} className={classNames(styles.chevron, isOpen && styles.open)} />
          <FolderIcon aria-hidden size={15} />
          <span className={styles.title}>{name}</span>
          <span className={styles.count}>
            {conversations.length}
            <span className="unseen"> {formatCount(conversations.length, "conversation").replace(/^\S+ /u, "")}</span>
          </span>
        </AriaButton>
        <MenuTrigger>
          <IconButton icon={Ellipsis} label={`More for the folder “${name}”`} isDisabled={!isConnected} />
          <Popover className={classNames(styles.popover)} placement="bottom end">
            <Menu className={classNames(styles.menu)} onAction={(key) => setAsks(key === "rename" ? "rename" : "remove")}>
              <MenuItem id="rename" className={classNames(styles.item)} textValue="Rename">
                <Pencil aria-hidden size={15} /> Rename
              </MenuItem>
              <MenuItem id="remove" className={classNames(styles.item)} textValue="Remove the folder">
                <FolderX aria-hidden size={15} /> Remove the folder
              </MenuItem>
            </Menu>
          </Popover>
        </MenuTrigger>
      </div>
      {isOpen ? (
        <ul className={styles.inside} aria-label={`In ${name}`}>
          {conversations.length === 0 ? <li className={styles.empty}>Nothing in it yet</li> : null}
          {conversations.map((conversation) => (
            <ConversationRow key={conversation.id} conversation={conversation} />
          ))}
        </ul>
      ) : null}
      {asks === "rename" ? (
        <FolderDialog title="Rename the folder" act="Rename" name={name} onClose={() => setAsks(null)} onName={(given) => rename(id, given)} />
      ) : null}
      {asks === "remove" ? (
        <ConfirmDialog
          title="Remove this folder?"
          act="Remove"
          onClose={() => setAsks(null)}
          onConfirm={() =>
            void remove(id).then(
              () => say(`The folder “${name}” was removed. What was in it stays.`),
              (error: unknown) => say(saidError(error)),
            )
          }
        >
          <p>
            {conversations.length === 0
              ? `“${name}” is empty.`
              : `${formatCount(conversations.length, "conversation")} in “${name}” ${conversations.length === 1 ? "stays" : "stay"}, in no folder.`}
          </p>
        </ConfirmDialog>
      ) : null}
    </li>
  );
}
