import { GraduationCap, ScanSearch } from "lucide-react";
import type { PassEntry, PassReport } from "#contract/learning/schema.ts";
import { entryTitle, reasonWords } from "#contract/learning/words.ts";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Card } from "../../components/card.tsx";
import { Expander } from "../../components/expander.tsx";
import { Moment } from "../../components/moment.tsx";
import { Notice } from "../../components/notice.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { formatCount } from "../../format/count.ts";
import { routeHash } from "../../store/route.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useHost, useIsConnected, usePage } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import styles from "./skills.module.css";

const TONES: Record<PassEntry["decision"], Tone> = { added: "good", updated: "accent", unchanged: "plain", skipped: "warn" };

/** What learning did and what it left out, with the reason for each. */
export function LearningPasses({ onApplied }: { readonly onApplied: () => void }) {
  const { client } = useStores();
  const reports = useResource("reports", (signal) => client.learning.reports(undefined, { signal }));
  const attempt = useAttempt();
  const isConnected = useIsConnected();
  const isLearning = useHost((state) => state.settings?.learning ?? true);
  const say = usePage((state) => state.say);
  const isOff = !isConnected || attempt.isBusy || !isLearning;

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
        Knack looks through finished tasks after the first answer of a day and when it is idle. It needs three of a kind, from two conversations, that you
        confirmed.
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
                  <Entries report={report} />
                </Expander>
              ))}
            </div>
          )
        }
      </ResourceView>
    </Card>
  );
}

function summary({ entries, episodesRead }: PassReport): string {
  const count = (decision: PassEntry["decision"]) => entries.filter((entry) => entry.decision === decision).length;
  return `${formatCount(episodesRead, "task")} read, ${count("added")} added, ${count("updated")} updated, ${count("skipped")} skipped`;
}

function Entries({ report }: { readonly report: PassReport }) {
  return (
    <div className={styles.list}>
      {report.note === "" ? null : <p>{report.note}</p>}
      {report.entries.length === 0 ? <p className={styles.quiet}>Nothing that recurs was found.</p> : null}
      <ul className={styles.list}>
        {report.entries.map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries of one finished report
          <li key={at}>
            <Badge tone={TONES[entry.decision]}>{entry.decision}</Badge>{" "}
            {entry.skillName === null ? <b>{entryTitle(entry)}</b> : <a href={routeHash("skills", entry.skillName)}>{entry.skillName}</a>}:{" "}
            {reasonWords(entry.reason)} <span className={styles.quiet}>({formatCount(entry.episodes.length, "task")})</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
