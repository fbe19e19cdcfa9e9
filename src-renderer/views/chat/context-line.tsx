import { Archive } from "lucide-react";
import { contextAdvice, contextWords } from "#contract/chat/context.ts";
import { Button } from "../../components/button.tsx";
import { runningIn } from "../../store/chat-store.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import styles from "./context-line.module.css";

/** What the conversation holds of the model's context, and what to do before it is full. */
export function ContextLine({ conversationId }: { readonly conversationId: string }) {
  const context = useChat((state) => state.views[conversationId]?.context ?? null);
  const compact = useChat((state) => state.compact);
  const isAtWork = useChat((state) => runningIn(state, conversationId) !== null);
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  if (context === null) return null;
  const advice = contextAdvice(context, "compact it");
  return (
    <section className={styles.line} aria-label="Context">
      <p className={advice === null ? styles.words : styles.full}>
        {contextWords(context)}
        {advice === null ? "" : `. ${advice}`}
      </p>
      <Button
        icon={Archive}
        tone="quiet"
        isDisabled={!isConnected || isAtWork || attempt.isBusy}
        onPress={() => void attempt.run(() => compact(conversationId))}
      >
        {attempt.isBusy ? "Compacting …" : "Compact"}
      </Button>
      {attempt.problem === null ? null : (
        <p className={styles.problem} role="alert">
          {attempt.problem}
        </p>
      )}
    </section>
  );
}
