import { ThumbsDown, ThumbsUp } from "lucide-react";
import type { Episode } from "#contract/chat/schema.ts";
import { Button } from "../../components/button.tsx";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import styles from "./outcome-buttons.module.css";

const WORDS: Record<NonNullable<Episode["outcome"]>, string> = {
  success: "Counted as success",
  claimed_success: "Knack says it worked; nobody has confirmed it",
  failure: "Counted as failure",
  abandoned: "Counted as abandoned",
};

/** The user's word on the outcome; it is what learning rests on. */
export function OutcomeButtons({ episode }: { readonly episode: Episode }) {
  const judge = useChat((state) => state.judge);
  const isConnected = useIsConnected();
  const { outcome, reason } = episode;
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons are no form
    <div className={styles.outcome} role="group" aria-label="Did it work?">
      <Button icon={ThumbsUp} isPressed={outcome === "success"} isDisabled={!isConnected} onPress={() => void judge(episode, true)}>
        That worked
      </Button>
      <Button icon={ThumbsDown} isPressed={outcome === "failure"} isDisabled={!isConnected} onPress={() => void judge(episode, false)}>
        That was wrong
      </Button>
      {outcome === null ? null : (
        <span className={styles.words}>
          {WORDS[outcome]}
          {reason === null || outcome === "claimed_success" ? "" : `: ${reason}`}
        </span>
      )}
    </div>
  );
}
