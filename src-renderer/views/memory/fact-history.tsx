import { useState } from "react";
import type { Fact, FactDetail } from "#contract/memory/schema.ts";
import { sourceWords } from "#contract/memory/words.ts";
import { Button } from "../../components/button.tsx";
import { Moment } from "../../components/moment.tsx";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import list from "../list-view.module.css";
import styles from "./memory.module.css";

/** What a fact said before a later word took its place; asked for only when somebody wants to know. */
export function FactHistory({ fact }: { readonly fact: Fact }) {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const [history, setHistory] = useState<FactDetail["history"] | null>(null);
  const attempt = useAttempt();
  if (history === null)
    return (
      <>
        <Button
          tone="quiet"
          label={`What “${fact.text}” said before`}
          isDisabled={!isConnected || attempt.isBusy}
          onPress={() => void attempt.run(async () => setHistory((await client.memory.show({ id: fact.id })).history))}
        >
          What it said before
        </Button>
        {attempt.problem === null ? null : <p role="alert">{attempt.problem}</p>}
      </>
    );
  if (history.length === 0) return <p className={list.quiet}>Nothing is kept of what it said before.</p>;
  return (
    <ul className={styles.history} aria-label={`What “${fact.text}” said before`}>
      {history.map((version) => (
        <li key={version.replacedAt}>
          “{version.text}” <span className={list.quiet}>({sourceWords(version)}), until </span>
          <Moment at={version.replacedAt} />
        </li>
      ))}
    </ul>
  );
}
