import { MessagesSquare } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import type { Message } from "#contract/chat/schema.ts";
import { SearchBox } from "../../components/search-box.tsx";
import { routeHash } from "../../store/route.ts";
import { saidError } from "../../store/said-error.ts";
import { useStores } from "../../store/stores.ts";
import { useChat, useIsConnected, usePage } from "../../store/use-page.ts";
import styles from "./conversation-list.module.css";
import { ConversationRow } from "./conversation-row.tsx";

export function ConversationList() {
  const [query, setQuery] = useState("");
  const conversations = useChat((state) => state.conversations);
  const problem = useChat((state) => state.conversationsProblem);
  const isConnected = useIsConnected();
  return (
    <section className={styles.conversations} aria-label="Conversations">
      <SearchBox label="Search messages" value={query} onChange={setQuery} />
      {query.trim() !== "" ? (
        <Found query={query.trim()} />
      ) : conversations === null ? (
        <p className={styles.note}>{problem ?? (isConnected ? "Loading conversations …" : "Not connected")}</p>
      ) : conversations.length === 0 ? (
        <p className={styles.note}>
          <MessagesSquare aria-hidden size={16} /> No conversations yet
        </p>
      ) : (
        <ul className={styles.list} onKeyDown={moveFocus}>
          {conversations.map((conversation) => (
            <ConversationRow key={conversation.id} conversation={conversation} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Up and Down go from one conversation to the next; Tab still reaches everything. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>) {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const links = [...event.currentTarget.querySelectorAll("a")];
  const at = links.indexOf(event.target as HTMLAnchorElement);
  if (at < 0) return;
  event.preventDefault();
  links[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
}

function Found({ query }: { readonly query: string }) {
  const { chat } = useStores();
  const titles = useChat((state) => state.conversations);
  const show = usePage((state) => state.show);
  const [found, setFound] = useState<{ readonly messages: readonly Message[]; readonly problem: string | null } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      chat
        .getState()
        .search(query, controller.signal)
        .then(
          (messages) => setFound({ messages, problem: null }),
          (error: unknown) => {
            if (!controller.signal.aborted) setFound({ messages: [], problem: saidError(error) });
          },
        );
    }, 150);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [chat, query]);
  if (found === null) return <p className={styles.note}>Searching …</p>;
  if (found.problem !== null) return <p className={styles.note}>{found.problem}</p>;
  if (found.messages.length === 0) return <p className={styles.note}>No message contains “{query}”</p>;
  return (
    <ul className={styles.list} aria-label="Messages found">
      {found.messages.map((message) => (
        <li key={message.id}>
          <a className={styles.found} href={routeHash("chat", message.conversationId)} onClick={() => show(null)}>
            <strong>{titles?.find(({ id }) => id === message.conversationId)?.title ?? "Conversation"}</strong>
            <span>{message.text}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
