import { Pencil } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { runningIn } from "../../store/chat-store.ts";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import styles from "./queued-messages.module.css";

/** Messages that wait until their conversation has answered. After a stop, or a turn that failed, they wait for the user. */
export function QueuedMessages({ conversationId }: { readonly conversationId: string }) {
  const waiting = useChat((state) => state.queued[conversationId]);
  const isHeld = useChat((state) => state.held.includes(conversationId));
  const isAtWork = useChat((state) => runningIn(state, conversationId) !== null);
  const unqueue = useChat((state) => state.unqueue);
  const sendQueued = useChat((state) => state.sendQueued);
  const isConnected = useIsConnected();
  if (waiting === undefined || waiting.length === 0) return null;
  return (
    <section className={styles.queue} aria-label="Waiting messages">
      <ol className={styles.list}>
        {waiting.map((input, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: their order is what tells them apart
          <li key={index} className={styles.one}>
            <span>{input.text}</span>
            <IconButton icon={Pencil} label="Take it back and change it" onPress={() => unqueue(conversationId, index)} />
          </li>
        ))}
      </ol>
      {isHeld && !isAtWork ? (
        <p className={styles.note}>
          Held, since the last answer did not end well.{" "}
          <Button tone="primary" isDisabled={!isConnected} onPress={() => void sendQueued(conversationId)}>
            Send now
          </Button>
        </p>
      ) : (
        <p className={styles.note}>{waiting.length === 1 ? "Sent as soon as this is answered." : "Sent one after the other as soon as this is answered."}</p>
      )}
    </section>
  );
}
