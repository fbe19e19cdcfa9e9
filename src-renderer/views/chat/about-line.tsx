import { Clock, Download, GitBranch } from "lucide-react";
import type { Conversation } from "#contract/chat/schema.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { routeHash } from "../../store/route.ts";
import { useChat, useIsConnected, usePage } from "../../store/use-page.ts";
import styles from "./about-line.module.css";

/** What sets this conversation apart from others, said where it begins. */
export function AboutLine({ conversation }: { readonly conversation: Conversation | null }) {
  if (conversation === null) return null;
  const { id, branch, isTemporary, isImported } = conversation;
  return (
    <>
      {isTemporary ? <TemporaryLine id={id} /> : null}
      {isImported ? (
        <p className={styles.line}>
          <Download aria-hidden size={15} /> Imported. Knack learns nothing from it.
        </p>
      ) : null}
      {branch === undefined ? null : <BranchLine of={branch.of} />}
    </>
  );
}

function BranchLine({ of }: { readonly of: string }) {
  const title = useChat((state) => state.conversations?.find((one) => one.id === of)?.title);
  return (
    <p className={styles.line}>
      <GitBranch aria-hidden size={15} />
      <span>A branch of {title === undefined ? "another conversation" : <a href={routeHash("chat", of)}>“{title}”</a>}, which stays as it was.</span>
    </p>
  );
}

function TemporaryLine({ id }: { readonly id: string }) {
  const close = useChat((state) => state.closeTemporary);
  const isConnected = useIsConnected();
  return (
    <p className={styles.line}>
      <Clock aria-hidden size={15} />
      <span>Temporary: Knack learns nothing from it, and nothing of it is kept once you close it, go to another conversation, or Knack ends.</span>
      <Button tone="quiet" isDisabled={!isConnected} onPress={() => void close(id)}>
        Close it now
      </Button>
    </p>
  );
}

/** A new conversation that nothing will be kept of, before anything is said in it. */
export function TemporaryNotice() {
  const go = usePage((state) => state.go);
  return (
    <Notice
      tone="info"
      title="Temporary chat"
      actions={
        <Button tone="quiet" onPress={() => go("chat")}>
          Ordinary conversation instead
        </Button>
      }
    >
      Nothing of it is kept once you close it, go to another conversation, or Knack ends. It is in no list, no search and no backup, and Knack learns nothing
      from it. Files that it downloads or writes stay.
    </Notice>
  );
}
