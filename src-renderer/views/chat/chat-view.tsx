import { useEffect } from "react";
import { useStore } from "zustand";
import { LoadingState } from "../../components/loading-state.tsx";
import { Notice } from "../../components/notice.tsx";
import { useStores } from "../../store/stores.ts";
import { useChat, usePage } from "../../store/use-page.ts";
import styles from "./chat-view.module.css";
import { Composer } from "./composer.tsx";
import { PendingMessage } from "./pending-message.tsx";
import { TurnCard } from "./turn-card.tsx";
import { useStickToEnd } from "./use-stick-to-end.ts";
import { Welcome } from "./welcome.tsx";

export function ChatView() {
  const { connection, chat } = useStores();
  const conversationId = usePage((state) => (state.route.view === "chat" ? state.route.item : null));
  const life = useStore(connection, (state) => (state.phase === "open" ? state.life : 0));
  const view = useChat((state) => (conversationId === null ? null : (state.views[conversationId] ?? null)));
  const running = useChat((state) => state.running);
  const problem = useChat((state) => state.problem);
  const title = useChat((state) => state.conversations?.find(({ id }) => id === conversationId)?.title);

  useEffect(() => {
    if (conversationId !== null && life > 0) void chat.getState().open(conversationId);
  }, [chat, conversationId, life]);

  const isHere = running !== null && running.conversationId === conversationId;
  const isUnstored = isHere && (running.turnId === null || view?.turns.every(({ turn }) => turn.id !== running.turnId) === true);
  const last = view?.turns.at(-1);
  const scroller = useStickToEnd(
    conversationId ?? "new",
    last === undefined ? "" : `${view?.turns.length} ${last.steps.length} ${last.text.length} ${last.turn.status} ${isUnstored}`,
  );

  return (
    <div className={styles.chat}>
      <h1 className="unseen">{title ?? "New conversation"}</h1>
      <div className={styles.scroll} ref={scroller}>
        <div className={styles.column}>
          {view === null ? (
            conversationId === null ? (
              isUnstored ? null : (
                <Welcome />
              )
            ) : problem === null ? (
              <LoadingState label="Loading the conversation" />
            ) : null
          ) : (
            <ol className={styles.turns} aria-label="Messages">
              {view.turns.map((turn) => (
                <li key={turn.turn.id}>
                  <TurnCard view={view} turn={turn} isLast={turn === last} />
                </li>
              ))}
            </ol>
          )}
          {isUnstored ? <PendingMessage text={running.text} /> : null}
          {problem === null ? null : (
            <Notice tone="bad" title="That did not work">
              {problem}
            </Notice>
          )}
        </div>
      </div>
      <Composer conversationId={conversationId} />
    </div>
  );
}
