import { Sparkles } from "lucide-react";
import type { TurnView } from "#contract/chat/reducer.ts";
import { Button } from "../../components/button.tsx";
import { runningIn } from "../../store/chat-store.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import styles from "./suggestion-card.module.css";

/** A skill that may fit: one press takes it, and either answer teaches recall. */
export function SuggestionCard({ turn }: { readonly turn: TurnView }) {
  const { recall, skillId } = turn.turn;
  const answered = useChat((state) => state.answered[turn.turn.id]);
  const answer = useChat((state) => state.answerSuggestion);
  const isElsewhere = useChat((state) => (runningIn(state, turn.turn.conversationId)?.turnId ?? turn.turn.id) !== turn.turn.id);
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  if (recall?.verdict !== "suggested" || recall.skillName === null || skillId !== null) return null;
  if (answered !== undefined)
    return (
      <p className={styles.answered}>
        {answered === "taken" ? `You took “${recall.skillName}”.` : `You declined “${recall.skillName}”; Knack will remember that for goals like this.`}
      </p>
    );
  const isOff = !isConnected || isElsewhere || attempt.isBusy;
  return (
    <section className={styles.card} aria-label="Suggested skill">
      <p>
        <Sparkles aria-hidden size={16} />
        <span>A skill you have may fit this.</span>
      </p>
      <div className={styles.buttons}>
        <Button tone="primary" isDisabled={isOff} onPress={() => void attempt.run(() => answer(turn, true))}>
          Use “{recall.skillName}”
        </Button>
        <Button tone="quiet" isDisabled={isOff} onPress={() => void attempt.run(() => answer(turn, false))}>
          Not this one
        </Button>
      </div>
    </section>
  );
}
