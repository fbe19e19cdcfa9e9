import { runningIn } from "../../store/chat-store.ts";
import { routeHash } from "../../store/route.ts";
import { useChat, useHost, useIsConnected } from "../../store/use-page.ts";
import styles from "./composer.module.css";

/** The one thing worth knowing before sending. */
export function ComposerNote({ conversationId }: { readonly conversationId: string | null }) {
  const running = useChat((state) => runningIn(state, conversationId));
  const other = useChat((state) => state.running.find((one) => one.conversationId !== conversationId));
  const model = useHost((state) => state.status?.model);
  const isConnected = useIsConnected();
  if (!isConnected) return "Not connected; your text stays here.";
  if (running !== null) return "Esc stops. What you send now waits for its turn.";
  if (other !== undefined) {
    return (
      <>
        Knack is at work in <a href={other.conversationId === null ? routeHash("chat") : routeHash("chat", other.conversationId)}>another conversation</a>; this
        one comes after it.
      </>
    );
  }
  if (model !== undefined && (model.state === "missing" || model.state === "refused")) {
    return (
      <span className={styles.bad}>
        {model.message} <a href={routeHash("models")}>Models</a>
      </span>
    );
  }
  return <span className={styles.keys}>Enter sends, Shift+Enter makes a new line.</span>;
}
