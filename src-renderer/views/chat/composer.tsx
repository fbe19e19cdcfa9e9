import { ArrowUp, Lightbulb, Square } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { COMPOSER_ID } from "../../actions/focus-composer.ts";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { runningIn } from "../../store/chat-store.ts";
import { routeHash } from "../../store/route.ts";
import { useChat, useHost, useIsConnected } from "../../store/use-page.ts";
import { useWarm } from "../../store/use-warm.ts";
import styles from "./composer.module.css";
import { ContextLine } from "./context-line.tsx";

/** Where the user writes. Enter sends, Shift+Enter makes a line; the text stays until the host has it. */
export function Composer({ conversationId }: { readonly conversationId: string | null }) {
  const [text, setText] = useState("");
  const [hint, setHint] = useState("");
  const [isHintShown, setHintShown] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const running = useChat((state) => runningIn(state, conversationId));
  const unsent = useChat((state) => state.unsent);
  const send = useChat((state) => state.send);
  const stop = useChat((state) => state.stop);
  const isConnected = useIsConnected();
  const warm = useWarm(conversationId);

  useEffect(() => {
    if (unsent === null || unsent.conversationId !== conversationId) return;
    setText((now) => (now === "" ? unsent.text : now));
    setHint((now) => (now === "" ? unsent.hint : now));
  }, [unsent, conversationId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the box grows with its text
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, 240)}px`;
  }, [text]);

  const canSend = isConnected && running === null && text.trim() !== "";

  function submit() {
    if (!canSend) return;
    void send({
      text: text.trim(),
      ...(conversationId === null ? {} : { conversationId }),
      ...(isHintShown && hint.trim() !== "" ? { hint: hint.trim() } : {}),
    });
    setText("");
    setHint("");
    box.current?.focus();
  }

  function press(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  }

  return (
    <div className={styles.frame}>
      <form
        className={styles.composer}
        aria-label="New message"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <textarea
          ref={box}
          id={COMPOSER_ID}
          className={styles.text}
          aria-label="Message"
          aria-describedby="composer-note"
          placeholder="What should be done?"
          rows={1}
          value={text}
          onFocus={warm}
          onChange={(event) => {
            warm();
            setText(event.target.value);
          }}
          onKeyDown={press}
        />
        {isHintShown ? (
          <input
            className={styles.hint}
            aria-label="How to do it"
            placeholder="How: “Go to My account, then Billing …”"
            value={hint}
            onChange={(event) => setHint(event.target.value)}
            onKeyDown={press}
          />
        ) : null}
        <div className={styles.controls}>
          <Button tone="quiet" icon={Lightbulb} isPressed={isHintShown} onPress={() => setHintShown(!isHintShown)}>
            Say how
          </Button>
          <p id="composer-note" className={styles.note}>
            <Note conversationId={conversationId} />
          </p>
          {running === null ? (
            <IconButton icon={ArrowUp} label="Send" type="submit" tone="primary" isDisabled={!canSend} />
          ) : (
            <Button icon={Square} onPress={() => void stop(conversationId)} isDisabled={running.isStopping}>
              {running.isStopping ? "Stopping …" : "Stop"}
            </Button>
          )}
        </div>
      </form>
      {conversationId === null ? null : <ContextLine conversationId={conversationId} />}
    </div>
  );
}

/** The one thing worth knowing before sending. */
function Note({ conversationId }: { readonly conversationId: string | null }) {
  const running = useChat((state) => runningIn(state, conversationId));
  const other = useChat((state) => state.running.find((one) => one.conversationId !== conversationId));
  const model = useHost((state) => state.status?.model);
  const isConnected = useIsConnected();
  if (!isConnected) return "Not connected; your text stays here.";
  if (running !== null) return "Esc stops.";
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
