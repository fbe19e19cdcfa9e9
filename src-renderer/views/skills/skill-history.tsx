import type { SkillDetail } from "#contract/skills/routes.ts";
import type { Run } from "#contract/skills/schema.ts";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Card } from "../../components/card.tsx";
import { Expander } from "../../components/expander.tsx";
import { Moment } from "../../components/moment.tsx";
import { formatCount } from "../../format/count.ts";
import { LedgerRow } from "./ledger-row.tsx";
import styles from "./skills.module.css";

const OUTCOMES: Record<NonNullable<Run["outcome"]>, { readonly words: string; readonly tone: Tone }> = {
  success: { words: "success", tone: "good" },
  claimed_success: { words: "said to have worked", tone: "plain" },
  failure: { words: "failure", tone: "bad" },
  abandoned: { words: "abandoned", tone: "plain" },
  left: { words: "left by the model", tone: "warn" },
};

export interface SkillHistoryProps {
  readonly detail: SkillDetail;
  readonly onChange: (detail: SkillDetail) => void;
}

/** Uses with their outcomes, and the ledger of changes, each with its way back. */
export function SkillHistory({ detail: { runs, ledger }, onChange }: SkillHistoryProps) {
  return (
    <Card title="History">
      <Expander summary={runs.length === 0 ? "Not used yet" : formatCount(runs.length, "use")} isOpenAtFirst={runs.length > 0}>
        <ul className={styles.list}>
          {[...runs]
            .sort((one, other) => other.startedAt - one.startedAt)
            .map((run) => {
              const { words, tone } = run.outcome === null ? { words: "not judged yet", tone: "plain" as const } : OUTCOMES[run.outcome];
              return (
                <li key={run.id}>
                  <Badge tone={tone}>{words}</Badge> revision {run.revision}, {run.mode}, <Moment at={run.startedAt} />
                  {Object.keys(run.inputs).length === 0 ? null : (
                    <span className={styles.quiet}>
                      {" "}
                      with{" "}
                      {Object.entries(run.inputs)
                        .map(([name, value]) => `${name} = ${value}`)
                        .join(", ")}
                    </span>
                  )}
                  {run.finding === null ? null : <p className={styles.problem}>{run.finding}</p>}
                </li>
              );
            })}
        </ul>
      </Expander>
      <Expander summary={`Changes (${ledger.length})`}>
        <ul className={styles.list}>
          {ledger.map((entry, at) => <LedgerRow key={entry.id} entry={entry} number={at + 1} count={ledger.length} onChange={onChange} />).toReversed()}
        </ul>
      </Expander>
    </Card>
  );
}
