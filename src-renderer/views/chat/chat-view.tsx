import { RotateCw, Unplug } from "lucide-react";
import { useEffect } from "react";
import { useStore } from "zustand";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { Notice } from "../../components/notice.tsx";
import { runningIn } from "../../store/chat-store.ts";
import { useStores } from "../../store/stores.ts";
import { useChat, useIsConnected, usePage } from "../../store/use-page.ts";
import { AboutLine, TemporaryNotice } from "./about-line.tsx";
import styles from "./chat-view.module.css";
import { Composer } from "./composer.tsx";
import { PendingMessage } from "./pending-message.tsx";
import { QueuedMessages } from "./queued-messages.tsx";
import { TurnList } from "./turn-list.tsx";
import { useStickToEnd } from "./use-stick-to-end.ts";
import { Welcome } from "./welcome.tsx";

export function ChatView() {
  const { connection, chat } = useStores();
  const conversationId = usePage((state) => (state.route.view === "chat" ? state.route.item : null));
  /** The message somebody came here for. */
  const soughtId = usePage((state) => (state.route.view === "chat" ? state.route.part : null));
  const life = useStore(connection, (state) => (state.phase === "open" ? state.life : 0));
  const view = useChat((state) => (conversationId === null ? null : (state.views[conversationId] ?? null)));
  const running = useChat((state) => runningIn(state, conversationId));
  const problem = useChat((state) => state.problem);
  const title = useChat((state) => state.conversations?.find(({ id }) => id === conversationId)?.title);

  useEffect(() => {
    if (conversationId === null) chat.getState().forgetProblem();
    else if (life > 0) void chat.getState().open(conversationId, soughtId);
  }, [chat, conversationId, life, soughtId]);

  const isUnstored = running !== null && (running.turnId === null || view?.turns.every(({ turn }) => turn.id !== running.turnId) === true);
  const last = view?.turns.at(-1);
  const scroller = useStickToEnd(
    conversationId ?? "new",
    soughtId === null,
    last === undefined ? "" : `${view?.turns.length} ${last.steps.length} ${last.text.length} ${last.turn.status} ${isUnstored}`,
  );

  return (
    <div className={styles.chat}>
      <h1 className="unseen">{title ?? "New conversation"}</h1>
      <div className={styles.scroll} ref={scroller}>
        <div className={styles.column}>
          {view === null ? (
            <Blank conversationId={conversationId} isPending={isUnstored} />
          ) : (
            <section aria-label="Messages">
              <AboutLine conversation={view.about} />
              <TurnList key={conversationId} conversationId={conversationId ?? ""} view={view} soughtId={soughtId} scroller={scroller} />
            </section>
          )}
          {isUnstored ? <PendingMessage text={running.text} /> : null}
          {conversationId === null ? null : <QueuedMessages conversationId={conversationId} />}
          {problem === null ? null : (
            <Notice
              tone="bad"
              title={view === null && conversationId !== null ? "The conversation could not be read" : "That did not work"}
              actions={
                view === null && conversationId !== null ? (
                  <Button icon={RotateCw} onPress={() => void chat.getState().open(conversationId)}>
                    Try again
                  </Button>
                ) : undefined
              }
            >
              {problem}
            </Notice>
          )}
        </div>
      </div>
      <Composer conversationId={conversationId} />
    </div>
  );
}

/** A conversation of which there is nothing to show yet: new, on its way, or out of reach. */
function Blank({ conversationId, isPending }: { readonly conversationId: string | null; readonly isPending: boolean }) {
  const isConnected = useIsConnected();
  const isTemporary = usePage((state) => state.isTemporary);
  const problem = useChat((state) => state.problem);
  if (isPending) return null;
  if (conversationId === null) return isTemporary ? <TemporaryNotice /> : <Welcome />;
  if (problem !== null) return null;
  if (isConnected) return <LoadingState label="Loading the conversation" />;
  return (
    <EmptyState icon={Unplug} title="Not connected">
      Knack's host cannot be reached, so this conversation cannot be shown. It is stored and comes back with the connection.
    </EmptyState>
  );
}
