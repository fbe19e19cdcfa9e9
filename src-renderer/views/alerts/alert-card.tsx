import { Check, FileDiff, Search } from "lucide-react";
import type { Alert } from "#contract/alerts/schema.ts";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Moment } from "../../components/moment.tsx";
import { routeHash } from "../../store/route.ts";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected, usePage } from "../../store/use-page.ts";
import styles from "./alerts.module.css";
import { DriftActions } from "./drift-actions.tsx";
import { ReviewActions } from "./review-actions.tsx";

const KINDS: Record<Alert["kind"], { readonly words: string; readonly tone: Tone }> = {
  drift: { words: "stopped working", tone: "warn" },
  refused: { words: "refused", tone: "bad" },
  damage: { words: "damaged data", tone: "bad" },
  proposal: { words: "proposal", tone: "accent" },
  review: { words: "waits for you", tone: "accent" },
  notice: { words: "notice", tone: "plain" },
};

export interface AlertCardProps {
  readonly alert: Alert;
  readonly skillName: string | null;
  readonly onResolved: () => void;
}

/** One alert with what can be done about its kind. Where the skill is gone, nothing is offered about it. */
export function AlertCard({ alert, skillName, onResolved }: AlertCardProps) {
  const { client } = useStores();
  const attempt = useAttempt();
  const isConnected = useIsConnected();
  const go = usePage((state) => state.go);
  const { id, kind, title, detail, proposalId, resolvedAt, resolution } = alert;
  const { words, tone } = KINDS[kind];
  const isOff = !isConnected || attempt.isBusy;
  return (
    <li className={styles.alert} data-resolved={resolvedAt !== null}>
      <p className={styles.head}>
        <Badge tone={tone}>{words}</Badge>
        <span className={styles.quiet}>
          <Moment at={alert.createdAt} />
        </span>
      </p>
      <h3>{title}</h3>
      {detail === "" ? null : <p className={styles.detail}>{detail}</p>}
      {attempt.problem === null ? null : (
        <p className={styles.problem} role="alert">
          {attempt.problem}
        </p>
      )}
      {resolvedAt !== null ? (
        <p className={styles.quiet}>
          Resolved <Moment at={resolvedAt} />
          {resolution === null ? "" : `: ${resolution}`}
          {skillName === null ? null : (
            <>
              {" · "}
              <a href={routeHash("skills", skillName)}>{skillName}</a>
            </>
          )}
        </p>
      ) : (
        <ButtonRow>
          {skillName === null ? null : kind === "proposal" ? (
            <Button icon={FileDiff} tone="primary" label={`Review the proposal for ${skillName}: ${title}`} onPress={() => go("skills", skillName, proposalId)}>
              Review the proposal
            </Button>
          ) : (
            <Button icon={Search} label={`Review the skill ${skillName}: ${title}`} onPress={() => go("skills", skillName)}>
              Review “{skillName}”
            </Button>
          )}
          {kind === "drift" && skillName !== null ? <DriftActions alert={alert} isOff={isOff} attempt={attempt} onResolved={onResolved} /> : null}
          {kind === "review" && skillName !== null ? <ReviewActions alert={alert} isOff={isOff} attempt={attempt} onResolved={onResolved} /> : null}
          {kind === "refused" ? <a href={routeHash("permissions")}>Open Permissions</a> : null}
          <Button
            icon={Check}
            tone="quiet"
            label={`Dismiss: ${title}`}
            isDisabled={isOff}
            onPress={() =>
              void attempt.run(async () => {
                await client.alerts.resolve({ id, resolution: "seen by the user" });
                onResolved();
              })
            }
          >
            Dismiss
          </Button>
        </ButtonRow>
      )}
    </li>
  );
}
