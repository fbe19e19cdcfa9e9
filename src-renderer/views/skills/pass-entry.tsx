import { Archive, PowerOff, Undo2 } from "lucide-react";
import { Fragment } from "react";
import type { PassEntry, ReportSource } from "#contract/learning/schema.ts";
import { entryTitle, reasonWords } from "#contract/learning/words.ts";
import type { SkillStatus } from "#contract/skills/schema.ts";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { formatCount } from "../../format/count.ts";
import { routeHash } from "../../store/route.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected, usePage } from "../../store/use-page.ts";
import { SkillStatusBadge } from "./skill-status-badge.tsx";
import styles from "./skills.module.css";

const TONES: Record<PassEntry["decision"], Tone> = { added: "good", updated: "accent", unchanged: "plain", skipped: "warn" };

export interface PassEntryRowProps {
  readonly entry: PassEntry;
  /** What was made is not as it was any more. */
  readonly onChanged: () => void;
}

/** One thing a pass or a dream made, or left out, where it was said, and the way to take it back. */
export function PassEntryRow({ entry, onChanged }: PassEntryRowProps) {
  const { client } = useStores();
  const attempt = useAttempt();
  const isConnected = useIsConnected();
  const say = usePage((state) => state.say);
  const { decision, skillName, now } = entry;
  const isOff = !isConnected || attempt.isBusy;
  const isMade = decision === "added" || decision === "updated";
  const fact = isMade ? (now?.fact ?? null) : null;
  const status = isMade && skillName !== null ? (now?.skillStatus ?? null) : null;
  const act = (work: () => Promise<unknown>, done: string) =>
    void attempt.run(async () => {
      await work();
      say(done);
      onChanged();
    });
  const setStatus = (to: SkillStatus, reason: string, done: string) =>
    skillName === null ? undefined : act(() => client.skills.setStatus({ name: skillName, status: to, reason }), done);
  return (
    <li className={styles.entry}>
      <div className={styles.entryText}>
        <Badge tone={TONES[decision]}>{decision}</Badge> <EntryName entry={entry} />: {reasonWords(entry.reason)}
        {status === null ? null : (
          <>
            {" "}
            <SkillStatusBadge status={status} />
          </>
        )}
        <span className={styles.record}>
          {entry.fact === undefined ? `${formatCount(entry.episodes.length, "task")}` : "said"}
          {now === undefined || now.sources.length === 0 ? null : (
            <>
              {" "}
              in <SourceLinks sources={now.sources} />
            </>
          )}
          {fact?.provenance === undefined || fact.provenance.sentence === fact.text ? null : <> · “{fact.provenance.sentence}”</>}
        </span>
        {attempt.problem === null ? null : (
          <span className={styles.refusal} role="alert">
            {attempt.problem}
          </span>
        )}
      </div>
      {fact === null ? null : (
        <Button
          icon={Undo2}
          tone="quiet"
          label={`Undo: forget “${fact.text}”`}
          isDisabled={isOff}
          onPress={() => act(() => client.memory.forget({ id: fact.id }), "Forgotten; it will not be found again.")}
        >
          Undo
        </Button>
      )}
      {status === "provisional" || status === "active" ? (
        <Button
          icon={PowerOff}
          tone="quiet"
          label={`Switch off ${skillName}`}
          isDisabled={isOff}
          onPress={() => setStatus("disabled", "switched off in the report of what made it", "Switched off.")}
        >
          Switch off
        </Button>
      ) : null}
      {status === null || status === "retired" ? null : (
        <Button
          icon={Archive}
          tone="quiet"
          label={`Retire ${skillName}`}
          isDisabled={isOff}
          onPress={() => setStatus("retired", "retired in the report of what made it", "Retired; it can be revived.")}
        >
          Retire
        </Button>
      )}
    </li>
  );
}

function EntryName({ entry }: { readonly entry: PassEntry }) {
  const { skillName, goal, fact, now } = entry;
  if (fact !== undefined) {
    if (now?.fact) return <b>“{now.fact.text}”</b>;
    return <b>{fact.id === null ? "A sentence about you" : "A fact that is forgotten"}</b>;
  }
  if (skillName === null) return <b>{entryTitle(entry)}</b>;
  // Of a skill that was erased there is nothing to go to.
  return now !== undefined && now.skillStatus === null && goal !== "" ? <b>{skillName}</b> : <a href={routeHash("skills", skillName)}>{skillName}</a>;
}

/** Conversations to go to; one that was erased shows as such. */
export function SourceLinks({ sources }: { readonly sources: readonly ReportSource[] }) {
  return sources.map(({ conversationId, title, messageId = null }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: erased ones have nothing else to be told apart by
    <Fragment key={at}>
      {at === 0 ? "" : ", "}
      {conversationId === null ? <i>a conversation that was erased</i> : <a href={routeHash("chat", conversationId, messageId)}>{title ?? "a conversation"}</a>}
    </Fragment>
  ));
}
