import { Copy, Pencil, RefreshCw } from "lucide-react";
import type { TurnView } from "#contract/chat/reducer.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { runningIn } from "../../store/chat-store.ts";
import { useChat, useIsConnected, usePage } from "../../store/use-page.ts";
import styles from "./turn-actions.module.css";

/** What can be done with a message that was answered: both begin a branch, and leave what was said. Nothing outlives a temporary chat, so it has none. */
export function TurnActions({ turn, answer, isTemporary }: { readonly turn: TurnView; readonly answer: string; readonly isTemporary: boolean }) {
  const edit = useChat((state) => state.edit);
  const regenerate = useChat((state) => state.regenerate);
  const say = usePage((state) => state.say);
  const item = usePage((state) => state.route.item);
  const isAtWork = useChat((state) => runningIn(state, item) !== null);
  const isConnected = useIsConnected();
  const isOff = !isConnected || isAtWork;
  return (
    <div className={styles.actions}>
      {answer === "" ? null : (
        <IconButton
          icon={Copy}
          label="Copy the answer"
          onPress={() =>
            void navigator.clipboard.writeText(answer).then(
              () => say("The answer was copied."),
              () => say("The answer could not be copied."),
            )
          }
        />
      )}
      {isTemporary ? null : (
        <>
          <IconButton icon={Pencil} label="Write this message anew" isDisabled={isOff} onPress={() => edit(turn)} />
          <IconButton icon={RefreshCw} label="Answer this again" isDisabled={isOff} onPress={() => void regenerate(turn)} />
        </>
      )}
    </div>
  );
}
