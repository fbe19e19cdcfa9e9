import { Pencil, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import type { Fact } from "#contract/memory/schema.ts";
import { sourceWords } from "#contract/memory/words.ts";
import { classNames } from "../../components/class-names.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { Moment } from "../../components/moment.tsx";
import { routeHash } from "../../store/route.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import list from "../list-view.module.css";
import { FactEditor } from "./fact-editor.tsx";
import { FactHistory } from "./fact-history.tsx";
import styles from "./memory.module.css";

export interface FactRowProps {
  readonly fact: Fact;
  readonly isOn: boolean;
  readonly onChanged: () => void;
  readonly onForget: (fact: Fact) => Promise<void>;
}

/** One fact: what it says, who wrote it down, when, and where it was said. It is changed where it stands. */
export function FactRow({ fact, isOn, onChanged, onForget }: FactRowProps) {
  const [isEdited, setIsEdited] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  function close(): void {
    setIsEdited(false);
    // The button that had opened the editor is made anew; the row is where the keyboard goes on.
    row.current?.focus();
  }
  return (
    <li ref={row} className={classNames(list.row, styles.row)} tabIndex={-1}>
      {isEdited ? (
        <FactEditor
          fact={fact}
          onSaved={() => {
            close();
            onChanged();
          }}
          onCancel={close}
        />
      ) : (
        <>
          <div className={list.text}>
            <p>{fact.text}</p>
            <p className={list.quiet}>
              {sourceWords(fact)}, <Moment at={fact.updatedAt} />
              {fact.provenance === undefined ? null : (
                <>
                  {" · "}
                  <a href={routeHash("chat", fact.provenance.conversationId, fact.provenance.messageId)} aria-label={`Where you said “${fact.text}”`}>
                    where you said it
                  </a>
                </>
              )}
            </p>
            {fact.createdAt === fact.updatedAt ? null : <FactHistory fact={fact} />}
            {attempt.problem === null ? null : (
              <p role="alert" className={styles.problem}>
                {attempt.problem}
              </p>
            )}
          </div>
          <div className={styles.acts}>
            <IconButton icon={Pencil} label={`Change “${fact.text}”`} isDisabled={!isConnected || !isOn} onPress={() => setIsEdited(true)} />
            <IconButton
              icon={Trash2}
              label={`Forget “${fact.text}”`}
              isDisabled={!isConnected || attempt.isBusy}
              onPress={() => void attempt.run(() => onForget(fact))}
            />
          </div>
        </>
      )}
    </li>
  );
}
