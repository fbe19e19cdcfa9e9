import { FileDiff, Undo2 } from "lucide-react";
import { useState } from "react";
import type { SkillDetail } from "#contract/skills/routes.ts";
import type { Revision } from "#contract/skills/schema.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { DiffView } from "../../components/diff-view.tsx";
import { Moment } from "../../components/moment.tsx";
import { Notice } from "../../components/notice.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { formatActor } from "../../format/actor.ts";
import { formatAuthor } from "../../format/author.ts";
import { formatCount } from "../../format/count.ts";
import { formatPercent } from "../../format/percent.ts";
import { acceptedBy } from "../../store/skill-parts.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import styles from "./skills.module.css";

interface Compared {
  readonly from: number;
  readonly to: number;
  readonly diff: string;
}

/** All revisions, newest first, with who made and accepted each and how it went; any two can be compared, any earlier one taken again. */
export function SkillVersions({ detail, onChange }: { readonly detail: SkillDetail; readonly onChange: (detail: SkillDetail) => void }) {
  const { client } = useStores();
  const { name, activeRevision } = detail.skill;
  const [compared, setCompared] = useState<Compared | null>(null);
  const [pair, setPair] = useState<readonly [from: number, to: number] | null>(null);
  const [reverting, setReverting] = useState<number | null>(null);
  const attempt = useAttempt();
  const isConnected = useIsConnected();
  const revisions = [...detail.revisions].sort((one, other) => other.number - one.number);
  const [from, to] = pair ?? [revisions.find(({ number }) => number !== activeRevision)?.number ?? activeRevision, activeRevision];
  const options = revisions.map(({ number }) => ({
    value: String(number),
    name: number === activeRevision ? `Revision ${number} (active)` : `Revision ${number}`,
  }));
  const compare = (a: number, b: number) =>
    void attempt.run(async () => {
      setPair([a, b]);
      setCompared({ from: a, to: b, diff: await client.skills.diff({ name, a, b }) });
    });
  return (
    <Card title="Versions">
      <ul className={styles.list}>
        {revisions.map((revision) => (
          <li key={revision.number} className={styles.entry}>
            <span className={styles.entryText}>
              <b>Revision {revision.number}</b> {revision.number === activeRevision ? <Badge tone="good">active</Badge> : null}{" "}
              <span className={styles.quiet}>
                {formatAuthor(revision.author)}, <Moment at={revision.createdAt} />
                <Acceptance revision={revision} detail={detail} />
              </span>
              <span className={styles.record}>
                <Record number={revision.number} detail={detail} />
              </span>
            </span>
            {revision.number === activeRevision ? null : (
              <ButtonRow>
                <Button
                  icon={FileDiff}
                  tone="quiet"
                  label={`Compare revision ${revision.number} with the active one`}
                  isDisabled={!isConnected || attempt.isBusy}
                  onPress={() => compare(revision.number, activeRevision)}
                >
                  Compare
                </Button>
                <Button
                  icon={Undo2}
                  tone="quiet"
                  label={`Revert to revision ${revision.number}`}
                  isDisabled={!isConnected}
                  onPress={() => setReverting(revision.number)}
                >
                  Revert
                </Button>
              </ButtonRow>
            )}
          </li>
        ))}
      </ul>
      {revisions.length < 2 ? null : (
        <form
          className={styles.pair}
          aria-label="Compare two revisions"
          onSubmit={(event) => {
            event.preventDefault();
            compare(from, to);
          }}
        >
          <SelectField label="From" value={String(from)} options={options} onChange={(value) => setPair([Number(value), to])} />
          <SelectField label="To" value={String(to)} options={options} onChange={(value) => setPair([from, Number(value)])} />
          <Button type="submit" icon={FileDiff} isDisabled={!isConnected || attempt.isBusy || from === to}>
            Show the difference
          </Button>
        </form>
      )}
      {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
      {compared === null ? null : (
        <section className={styles.list} aria-label="Difference">
          <h3>
            From revision {compared.from} to {compared.to}
          </h3>
          <DiffView diff={compared.diff} label={`Difference between revision ${compared.from} and ${compared.to}`} />
        </section>
      )}
      {reverting === null ? null : (
        <ConfirmDialog
          title={`Use revision ${reverting} again?`}
          act="Revert"
          onClose={() => setReverting(null)}
          onConfirm={async () => {
            onChange(await client.skills.revert({ name, revision: reverting }));
            setCompared(null);
          }}
        >
          <p>Revision {activeRevision} stays and can be taken again. Reverting never grants anything that was not granted.</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

function Acceptance({ revision, detail }: { readonly revision: Revision; readonly detail: SkillDetail }) {
  const actor = acceptedBy(revision, detail.ledger);
  return actor === null ? null : <>, accepted by {formatActor(actor)}</>;
}

/** Each revision has a record of its own: its uses, how many of those that were judged worked, and the trust that follows. */
function Record({ number, detail: { runs, records } }: { readonly number: number; readonly detail: SkillDetail }) {
  const uses = runs.filter(({ revision }) => revision === number).length;
  const record = records.find(({ revision }) => revision === number);
  if (uses === 0) return "not used";
  const judged =
    record === undefined || record.runs === 0 ? "none judged" : `worked ${record.successes} of ${record.runs}, trust ${formatPercent(record.trust)}`;
  return `${formatCount(uses, "run")}, ${judged}`;
}
