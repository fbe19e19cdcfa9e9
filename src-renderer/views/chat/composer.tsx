import { ArrowUp, Lightbulb, Paperclip, Square } from "lucide-react";
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { COMPOSER_ID } from "../../actions/focus-composer.ts";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { runningIn } from "../../store/chat-store.ts";
import { questionOf } from "../../store/turn-parts.ts";
import { useChat, useIsConnected, usePage } from "../../store/use-page.ts";
import { useWarm } from "../../store/use-warm.ts";
import { AttachedFiles } from "./attached-files.tsx";
import styles from "./composer.module.css";
import { ComposerNote } from "./composer-note.tsx";
import { ContextLine } from "./context-line.tsx";
import { useAttached } from "./use-attached.ts";

/**
 * Where the user writes. Enter sends, Shift+Enter makes a line, Up in an empty box takes the last message up again; the text stays until the host has it.
 */
export function Composer({ conversationId }: { readonly conversationId: string | null }) {
  const [text, setText] = useState("");
  const [hint, setHint] = useState("");
  const [isHintShown, setHintShown] = useState(false);
  const [isDraggedOver, setDraggedOver] = useState(false);
  const attached = useAttached();
  const box = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const running = useChat((state) => runningIn(state, conversationId));
  const unsent = useChat((state) => state.unsent);
  const takeUnsent = useChat((state) => state.takeUnsent);
  const send = useChat((state) => state.send);
  const stop = useChat((state) => state.stop);
  const edit = useChat((state) => state.edit);
  const view = useChat((state) => (conversationId === null ? undefined : state.views[conversationId]));
  const editing = useChat((state) => (state.editing?.conversationId === conversationId ? state.editing : null));
  const isTemporary = usePage((state) => state.isTemporary);
  const isConnected = useIsConnected();
  const warm = useWarm(conversationId);

  const { replace } = attached;
  useEffect(() => {
    if (unsent === null || unsent.conversationId !== conversationId) return;
    // What was written meanwhile stays as well.
    setText((now) => [now, unsent.text].filter((part) => part !== "").join("\n"));
    setHint((now) => (now === "" ? unsent.hint : now));
    replace((now) => [...now, ...unsent.attachments]);
    takeUnsent();
  }, [unsent, conversationId, takeUnsent, replace]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another message is a reason to begin anew
  useEffect(() => {
    if (editing === null) return;
    const turn = view?.turns.find((one) => one.turn.id === editing.turnId);
    const question = view === undefined || turn === undefined ? null : questionOf(view, turn);
    if (question === null) return;
    setText(question.text);
    replace(() => (question.attachments ?? []).map(({ id, name }) => ({ id, name })));
    box.current?.focus();
  }, [editing]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the box grows with its text
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, 240)}px`;
  }, [text]);

  // A conversation that is only being begun cannot be named yet, so nothing can wait for it.
  const mayQueue = running !== null && conversationId !== null && editing === null;
  const canSend = isConnected && (running === null || mayQueue) && text.trim() !== "" && !attached.isReading;

  function clear() {
    setText("");
    setHint("");
    replace(() => []);
  }

  function leaveEditing() {
    edit(null);
    clear();
    box.current?.focus();
  }

  function submit() {
    if (!canSend) return;
    const place = editing !== null ? { insteadOf: editing.turnId } : conversationId !== null ? { conversationId } : isTemporary ? { temporary: true } : {};
    void send({
      text: text.trim(),
      ...place,
      ...(isHintShown && hint.trim() !== "" ? { hint: hint.trim() } : {}),
      ...(attached.files.length === 0 ? {} : { attachments: attached.sent() }),
    });
    edit(null);
    clear();
    box.current?.focus();
  }

  function press(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && editing !== null) {
      event.preventDefault();
      event.stopPropagation();
      return leaveEditing();
    }
    if (event.key === "ArrowUp" && text === "" && event.currentTarget === box.current && !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey) {
      const last = view?.turns.findLast((turn) => turn.turn.status !== "running" && view !== undefined && questionOf(view, turn) !== null);
      if (last === undefined || running !== null || view?.about?.isTemporary) return;
      event.preventDefault();
      return edit(last);
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    submit();
  }

  function drop(event: DragEvent) {
    setDraggedOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    attached.add([...event.dataTransfer.files]);
  }

  function paste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    attached.add(files);
  }

  return (
    <div className={styles.frame}>
      <form
        className={classNames(styles.composer, isDraggedOver && styles.over)}
        aria-label="New message"
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes("Files")) return;
          event.preventDefault();
          setDraggedOver(true);
        }}
        onDragLeave={() => setDraggedOver(false)}
        onDrop={drop}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {editing === null ? null : (
          <p className={styles.editing}>
            <span>You write this message anew. It goes on in a branch; what was said stays as it is.</span>
            <Button tone="quiet" onPress={leaveEditing}>
              Leave it
            </Button>
          </p>
        )}
        <textarea
          ref={box}
          id={COMPOSER_ID}
          className={styles.text}
          aria-label="Message"
          aria-describedby="composer-note"
          placeholder={isTemporary && conversationId === null ? "Nothing of this is kept" : "What should be done?"}
          rows={1}
          value={text}
          onFocus={warm}
          onPaste={paste}
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
        <AttachedFiles attached={attached} />
        <div className={styles.controls}>
          <Button tone="quiet" icon={Lightbulb} isPressed={isHintShown} onPress={() => setHintShown(!isHintShown)}>
            Say how
          </Button>
          <IconButton icon={Paperclip} label="Attach a text file" onPress={() => picker.current?.click()} />
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            data-testid="attach"
            onChange={(event) => {
              attached.add([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
          <p id="composer-note" className={styles.note}>
            <ComposerNote conversationId={conversationId} />
          </p>
          {running === null ? null : (
            <Button icon={Square} onPress={() => void stop(conversationId)} isDisabled={running.isStopping}>
              {running.isStopping ? "Stopping …" : "Stop"}
            </Button>
          )}
          {running === null || (mayQueue && text.trim() !== "") ? (
            <IconButton icon={ArrowUp} label={running === null ? "Send" : "Send after this answer"} type="submit" tone="primary" isDisabled={!canSend} />
          ) : null}
        </div>
      </form>
      {conversationId === null ? null : <ContextLine conversationId={conversationId} />}
    </div>
  );
}
