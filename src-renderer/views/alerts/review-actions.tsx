import { Ban, CircleCheck } from "lucide-react";
import type { AlertAction } from "#contract/alerts/schema.ts";
import { Button } from "../../components/button.tsx";
import { useStores } from "../../store/stores.ts";
import type { DriftActionsProps } from "./drift-actions.tsx";

/** A skill that was learned and waits for a person's look: take it into use, or decline it. Declined it is retired, and can be revived. */
export function ReviewActions({ alert: { id, title }, isOff, attempt, onResolved }: DriftActionsProps) {
  const { client } = useStores();
  const act = (action: AlertAction) =>
    attempt.run(async () => {
      await client.alerts.act({ id, action });
      onResolved();
    });
  return (
    <>
      <Button icon={CircleCheck} tone="primary" label={`Use it: ${title}`} isDisabled={isOff} onPress={() => void act("accept")}>
        Use it
      </Button>
      <Button icon={Ban} label={`Decline it: ${title}`} isDisabled={isOff} onPress={() => void act("decline")}>
        Decline it
      </Button>
    </>
  );
}
