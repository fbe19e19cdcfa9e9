import type { TurnView } from "#contract/chat/reducer.ts";
import { Spinner } from "../../components/spinner.tsx";
import { routeHash } from "../../store/route.ts";
import styles from "./turn-card.module.css";

/** Whom a turn waits for. It leaves the row when it is stopped. */
export function WaitingLine({ waiting: { ahead, behind } }: { readonly waiting: NonNullable<TurnView["waiting"]> }) {
  return (
    <p className={styles.working}>
      <Spinner /> <span>Waits: Knack answers</span>
      {behind === null ? "another conversation" : <a href={routeHash("chat", behind.conversationId)}>“{behind.title}”</a>}
      <span>first{ahead > 1 ? `, and ${ahead - 1} more` : ""}. Stop leaves the row.</span>
    </p>
  );
}
