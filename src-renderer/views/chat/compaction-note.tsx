import { Archive, Undo2 } from "lucide-react";
import { type Compaction, compactionWords } from "#contract/chat/context.ts";
import { Button } from "../../components/button.tsx";
import { Expander } from "../../components/expander.tsx";
import { Moment } from "../../components/moment.tsx";
import { Notice } from "../../components/notice.tsx";
import { runningIn } from "../../store/chat-store.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import styles from "./compaction-note.module.css";

/** Where older turns were put aside: what stands in their place, since when, and the way back. */
export function CompactionNote({ compaction }: { readonly compaction: Compaction }) {
  const { conversationId, text, madeAt, undoneAt } = compaction;
  const undo = useChat((state) => state.undoCompaction);
  const isAtWork = useChat((state) => runningIn(state, conversationId) !== null);
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  return (
    <section className={styles.note} aria-label="Compaction">
      <p className={styles.words}>
        <Archive aria-hidden size={15} /> {compactionWords(compaction)} <Moment at={undoneAt ?? madeAt} />
      </p>
      {undoneAt === null ? (
        <>
          <Expander level={3} summary="What the model reads in their place">
            <pre className={styles.text}>{text}</pre>
          </Expander>
          <Button
            icon={Undo2}
            tone="quiet"
            isDisabled={!isConnected || isAtWork || attempt.isBusy}
            onPress={() => void attempt.run(() => undo(conversationId))}
          >
            Undo
          </Button>
        </>
      ) : null}
      {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
    </section>
  );
}
