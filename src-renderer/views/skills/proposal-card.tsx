import { Check, X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { SkillDetail } from "#contract/skills/routes.ts";
import type { Proposal } from "#contract/skills/schema.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { DiffView } from "../../components/diff-view.tsx";
import { Moment } from "../../components/moment.tsx";
import { Notice } from "../../components/notice.tsx";
import { formatCount } from "../../format/count.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import styles from "./proposals.module.css";

export interface ProposalCardProps {
  readonly proposal: Proposal;
  readonly activeRevision: number;
  /** Somebody came here for this one: it takes the focus once. */
  readonly isSought: boolean;
  /** The skill as it is after an acceptance; null after a refusal. */
  readonly onDecided: (detail: SkillDetail | null) => void;
}

/** A revision that waits for a yes: what it rests on, what it changes, and two answers of the same weight. */
export function ProposalCard({ proposal, activeRevision, isSought, onDecided }: ProposalCardProps) {
  const { client } = useStores();
  const { id, base, status, evidence } = proposal;
  const attempt = useAttempt();
  const isConnected = useIsConnected();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isSought) heading.current?.focus();
  }, [isSought]);
  const isOff = !isConnected || attempt.isBusy;
  const isOpen = status === "open";
  return (
    <li className={styles.proposal} data-open={isOpen}>
      <h3 ref={heading} tabIndex={-1} className={styles.title}>
        Proposed change to revision {base} {isOpen ? null : <Badge tone={status === "accepted" ? "good" : "plain"}>{status}</Badge>}
      </h3>
      <p>{proposal.reason}</p>
      <p className={styles.quiet}>
        Proposed <Moment at={proposal.createdAt} />
        {evidence.length === 0 ? "" : `, resting on ${formatCount(evidence.length, "task")}`}
        {proposal.decidedAt === null ? null : (
          <>
            ; {status} <Moment at={proposal.decidedAt} />
          </>
        )}
      </p>
      <DiffView diff={proposal.diff} label={`What the proposal of revision ${base} changes`} />
      {isOpen && base !== activeRevision ? (
        <Notice tone="warn">
          Revision {activeRevision} is active now; this was proposed for revision {base}.
        </Notice>
      ) : null}
      {attempt.problem === null ? null : (
        <Notice tone="bad" title="Nothing was changed">
          {attempt.problem}
        </Notice>
      )}
      {isOpen ? (
        <ButtonRow>
          <Button
            icon={Check}
            tone="primary"
            label={`Accept the change to revision ${base}: ${proposal.reason}`}
            isDisabled={isOff}
            onPress={() => void attempt.run(async () => onDecided(await client.skills.acceptProposal({ id })))}
          >
            Accept
          </Button>
          <Button
            icon={X}
            label={`Decline the change to revision ${base}: ${proposal.reason}`}
            isDisabled={isOff}
            onPress={() =>
              void attempt.run(async () => {
                await client.skills.declineProposal({ id });
                onDecided(null);
              })
            }
          >
            Decline
          </Button>
        </ButtonRow>
      ) : null}
    </li>
  );
}
