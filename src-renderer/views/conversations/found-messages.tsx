import { useEffect, useState } from "react";
import type { FoundMessage } from "#contract/conversations/routes.ts";
import { Moment } from "../../components/moment.tsx";
import { formatCount } from "../../format/count.ts";
import { routeHash } from "../../store/route.ts";
import { saidError } from "../../store/said-error.ts";
import { useStores } from "../../store/stores.ts";
import { usePage } from "../../store/use-page.ts";
import styles from "./conversation-list.module.css";
import { moveFocus } from "./move-focus.ts";

/** So long nothing is typed before it is searched. */
const PAUSE = 40;

/** Messages of all conversations that hold what is looked for, each with the place; it leads to the message itself. */
export function FoundMessages({ query }: { readonly query: string }) {
  const { chat } = useStores();
  const show = usePage((state) => state.show);
  const [found, setFound] = useState<{ readonly query: string; readonly messages: readonly FoundMessage[]; readonly problem: string | null } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      chat
        .getState()
        .search(query, controller.signal)
        .then(
          (messages) => {
            if (!controller.signal.aborted) setFound({ query, messages, problem: null });
          },
          (error: unknown) => {
            if (!controller.signal.aborted) setFound({ query, messages: [], problem: saidError(error) });
          },
        );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [chat, query]);
  if (found === null) return <p className={styles.note}>Searching …</p>;
  if (found.problem !== null) return <p className={styles.note}>{found.problem}</p>;
  if (found.messages.length === 0) return <p className={styles.note}>No message contains “{found.query}”</p>;
  return (
    <div className={styles.results}>
      <p className="unseen" role="status">
        {formatCount(found.messages.length, "message")} found
      </p>
      <ul className={styles.list} aria-label="Messages found" data-query={found.query} onKeyDown={moveFocus}>
        {found.messages.map((message) => (
          <li key={message.id}>
            <a className={styles.found} href={routeHash("chat", message.conversationId, message.id)} onClick={() => show(null)}>
              <strong>{message.title}</strong>
              <span className={styles.excerpt}>
                {message.excerpt.map(({ text, isHit }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: parts of a fixed text
                  <span key={at}>{isHit ? <mark>{text}</mark> : text}</span>
                ))}
              </span>
              <small>
                {message.role === "user" ? "You" : "Knack"}, <Moment at={message.createdAt} />
              </small>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
