import { Undo2 } from "lucide-react";
import { useEffect, useRef } from "react";
import type { SkillDetail } from "#contract/skills/routes.ts";
import type { LedgerEntry } from "#contract/skills/schema.ts";
import { Button } from "../../components/button.tsx";
import { Moment } from "../../components/moment.tsx";
import { formatActor } from "../../format/actor.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected, usePage } from "../../store/use-page.ts";
import styles from "./skills.module.css";

export interface LedgerRowProps {
  readonly entry: LedgerEntry;
  /** Its place in the ledger, counted from the oldest. */
  readonly number: number;
  readonly count: number;
  readonly onChange: (detail: SkillDetail) => void;
}

/** One change and the way back from it. Whether it may be taken back is the host's to say; a refusal stands until the ledger grows. */
export function LedgerRow({ entry, number, count, onChange }: LedgerRowProps) {
  const { client } = useStores();
  const { clear, ...attempt } = useAttempt();
  const isConnected = useIsConnected();
  const say = usePage((state) => state.say);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another change is a reason to ask again
  useEffect(() => clear(), [clear, count]);
  const text = useRef<HTMLSpanElement>(null);

  async function takeBack() {
    if (attempt.isBusy) return;
    const isDone = await attempt.run(async () => {
      onChange(await client.skills.undo({ entryId: entry.id }));
      say(`Change ${number} was taken back.`);
    });
    // The button is about to be disabled, and a disabled button loses the focus to nowhere.
    if (!isDone) text.current?.focus();
  }

  return (
    <li className={styles.entry}>
      <span ref={text} tabIndex={-1} className={styles.entryText}>
        <span className={styles.quiet}>{number}.</span> <b>{entry.action}</b> by {formatActor(entry.actor)}, <Moment at={entry.at} />
        {entry.reason === "" ? "" : `: ${entry.reason}`}
        {attempt.problem === null ? null : (
          <span className={styles.refusal} role="alert">
            Cannot be taken back: {attempt.problem}
          </span>
        )}
      </span>
      <Button
        icon={Undo2}
        tone="quiet"
        label={`Take back change ${number}: ${entry.action}`}
        isDisabled={!isConnected || attempt.problem !== null}
        onPress={() => void takeBack()}
      >
        Take back
      </Button>
    </li>
  );
}
