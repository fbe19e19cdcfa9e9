import { GraduationCap, ScanSearch } from "lucide-react";
import type { PassEntry, PassReport } from "#contract/learning/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Card } from "../../components/card.tsx";
import { Expander } from "../../components/expander.tsx";
import { Moment } from "../../components/moment.tsx";
import { Notice } from "../../components/notice.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { formatCount } from "../../format/count.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useHost, useIsConnected, usePage } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import { PassEntryRow, SourceLinks } from "./pass-entry.tsx";
import styles from "./skills.module.css";

/** What learning and dreams did and what they left out, with the reason for each, and the way to take it back. */
export function LearningPasses({ onApplied }: { readonly onApplied: () => void }) {
  const { client } = useStores();
  const reports = useResource("reports", (signal) => client.learning.reports(undefined, { signal }));
  const attempt = useAttempt();
  const isConnected = useIsConnected();
  const isLearning = useHost((state) => state.settings?.learning ?? true);
  const say = usePage((state) => state.say);
  const isOff = !isConnected || attempt.isBusy || !isLearning;

  function changed() {
    reports.reload();
    onApplied();
  }

  function induce(apply: boolean) {
    void attempt.run(async () => {
      const report = await client.learning.induce({ apply });
      reports.replace([report, ...(reports.value ?? []).filter(({ id }) => id !== report.id)]);
      say(`The pass is over: ${summary(report)}`);
      if (apply) onApplied();
    });
  }

  return (
    <Card
      title="Learning"
      actions={
        <ButtonRow>
          <Button icon={ScanSearch} isDisabled={isOff} onPress={() => induce(false)}>
            Try without learning
          </Button>
          <Button icon={GraduationCap} isDisabled={isOff} onPress={() => induce(true)}>
            {attempt.isBusy ? "Looking through your tasks …" : "Learn now"}
          </Button>
        </ButtonRow>
      }
    >
      <p className={styles.quiet}>
        Knack looks through finished tasks after the first answer of a day, and dreams of conversations that were quiet for half an hour: of routines, and of
        what you said about yourself. A routine needs three tasks of a kind, from two conversations, that you confirmed.
      </p>
      {attempt.problem === null ? null : (
        <Notice tone="bad" title="The pass could not finish">
          {attempt.problem}
        </Notice>
      )}
      <ResourceView resource={reports} noun="reports" rows={1}>
        {(all) =>
          all.length === 0 ? (
            <p className={styles.quiet}>No pass has run yet.</p>
          ) : (
            <div className={styles.list}>
              {all.map((report, at) => (
                <Expander
                  key={report.id}
                  isOpenAtFirst={at === 0}
                  summary={
                    <>
                      <Moment at={report.startedAt} />
                      {report.dryRun ? " (tried only)" : ""}: {summary(report)}
                    </>
                  }
                >
                  <Entries report={report} onChanged={changed} />
                </Expander>
              ))}
            </div>
          )
        }
      </ResourceView>
    </Card>
  );
}

function summary({ entries, episodesRead, dream }: PassReport): string {
  const count = (decision: PassEntry["decision"]) => entries.filter((entry) => entry.decision === decision).length;
  const read = [
    ...(dream ? [formatCount(dream.conversations.length, "conversation"), formatCount(dream.messagesRead, "message")] : []),
    formatCount(episodesRead, "task"),
  ].join(", ");
  return `${dream ? "a dream, " : ""}${read} read, ${count("added")} added, ${count("updated")} updated, ${count("skipped")} skipped`;
}

function Entries({ report, onChanged }: { readonly report: PassReport; readonly onChanged: () => void }) {
  return (
    <div className={styles.list}>
      {report.note === "" ? null : <p>{report.note}</p>}
      {report.dream === undefined ? null : <LookedAt conversations={report.dream.conversations} />}
      {report.entries.length === 0 ? <p className={styles.quiet}>Nothing that recurs was found.</p> : null}
      <ul className={styles.list}>
        {report.entries.map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries of one finished report
          <PassEntryRow key={at} entry={entry} onChanged={onChanged} />
        ))}
      </ul>
    </div>
  );
}

function LookedAt({ conversations }: Pick<NonNullable<PassReport["dream"]>, "conversations">) {
  return (
    <p className={styles.quiet}>
      Looked at: <SourceLinks sources={conversations.map(({ id, title = null }) => ({ conversationId: title === null ? null : id, title }))} />
    </p>
  );
}
