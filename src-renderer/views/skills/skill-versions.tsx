import { FileDiff, Undo2 } from "lucide-react";
import { useState } from "react";
import type { SkillDetail } from "#contract/skills/routes.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { DiffView } from "../../components/diff-view.tsx";
import { Moment } from "../../components/moment.tsx";
import { Notice } from "../../components/notice.tsx";
import { formatAuthor } from "../../format/author.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import styles from "./skills.module.css";

/** All revisions, newest first, each comparable with the active one and one press from being it again. */
export function SkillVersions({ detail, onChange }: { readonly detail: SkillDetail; readonly onChange: (detail: SkillDetail) => void }) {
  const { client } = useStores();
  const { name, activeRevision } = detail.skill;
  const [compared, setCompared] = useState<{ readonly number: number; readonly diff: string } | null>(null);
  const [reverting, setReverting] = useState<number | null>(null);
  const attempt = useAttempt();
  const isConnected = useIsConnected();
  const revisions = [...detail.revisions].sort((one, other) => other.number - one.number);
  return (
    <Card title="Versions">
      <ul className={styles.list}>
        {revisions.map((revision) => (
          <li key={revision.number} className={styles.entry}>
            <span className={styles.entryText}>
              <b>Revision {revision.number}</b> {revision.number === activeRevision ? <Badge tone="good">active</Badge> : null}{" "}
              <span className={styles.quiet}>
                {formatAuthor(revision.author)}, <Moment at={revision.createdAt} />
              </span>
            </span>
            {revision.number === activeRevision ? null : (
              <ButtonRow>
                <Button
                  icon={FileDiff}
                  tone="quiet"
                  label={`Compare revision ${revision.number} with the active one`}
                  isDisabled={!isConnected || attempt.isBusy}
                  onPress={() =>
                    void attempt.run(async () =>
                      setCompared({ number: revision.number, diff: await client.skills.diff({ name, a: revision.number, b: activeRevision }) }),
                    )
                  }
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
      {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
      {compared === null ? null : (
        <section className={styles.list} aria-label="Difference">
          <h3>
            From revision {compared.number} to {activeRevision}
          </h3>
          <DiffView diff={compared.diff} label={`Difference between revision ${compared.number} and ${activeRevision}`} />
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
