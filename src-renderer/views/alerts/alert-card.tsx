import { Check } from "lucide-react";
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

const KINDS: Record<Alert["kind"], { readonly words: string; readonly tone: Tone }> = {
  drift: { words: "stopped working", tone: "warn" },
  refused: { words: "refused", tone: "bad" },
  damage: { words: "damaged data", tone: "bad" },
  proposal: { words: "proposal", tone: "accent" },
  notice: { words: "notice", tone: "plain" },
};

export interface AlertCardProps {
  readonly alert: Alert;
  readonly skillName: string | null;
  readonly onResolved: () => void;
}

export function AlertCard({ alert, skillName, onResolved }: AlertCardProps) {
  const { client } = useStores();
  const attempt = useAttempt();
  const isConnected = useIsConnected();
  const go = usePage((state) => state.go);
  const { words, tone } = KINDS[alert.kind];
  const resolve = (resolution: string) =>
    attempt.run(async () => {
      await client.alerts.resolve({ id: alert.id, resolution });
      onResolved();
    });
  const isOff = !isConnected || attempt.isBusy;
  return (
    <li className={styles.alert} data-resolved={alert.resolvedAt !== null}>
      <p className={styles.head}>
        <Badge tone={tone}>{words}</Badge>
        <span className={styles.quiet}>
          <Moment at={alert.createdAt} />
        </span>
      </p>
      <h2>{alert.title}</h2>
      {alert.detail === "" ? null : <p className={styles.detail}>{alert.detail}</p>}
      {attempt.problem === null ? null : (
        <p className={styles.problem} role="alert">
          {attempt.problem}
        </p>
      )}
      {alert.resolvedAt !== null ? (
        <p className={styles.quiet}>
          Resolved <Moment at={alert.resolvedAt} />
          {alert.resolution === null ? "" : `: ${alert.resolution}`}
        </p>
      ) : (
        <ButtonRow>
          {skillName === null ? null : (
            <Button label={`Review the skill ${skillName}`} onPress={() => go("skills", skillName)}>
              Review “{skillName}”
            </Button>
          )}
          {alert.kind === "drift" ? (
            <Button label={`Keep off: ${alert.title}`} isDisabled={isOff} onPress={() => void resolve("kept off by the user")}>
              Keep off
            </Button>
          ) : null}
          <Button icon={Check} tone="primary" label={`Resolve: ${alert.title}`} isDisabled={isOff} onPress={() => void resolve("seen by the user")}>
            Resolve
          </Button>
        </ButtonRow>
      )}
      {skillName === null && alert.skillId !== null && alert.resolvedAt === null ? <a href={routeHash("skills")}>Open skills</a> : null}
    </li>
  );
}
