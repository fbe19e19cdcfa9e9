import { CircleStop, MessageSquareMore } from "lucide-react";
import type { TurnView } from "#contract/chat/reducer.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Facts } from "../../components/facts.tsx";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import styles from "./approval-card.module.css";

/** A routine the host carried out by itself and had to halt: where, why, what its step says of that, and the way on with the model. */
export function HaltedCard({ turn, goal }: { readonly turn: TurnView; readonly goal: string }) {
  const { id, conversationId, status } = turn.turn;
  const held = useChat((state) => state.runs[id]);
  const send = useChat((state) => state.send);
  const isAtWork = useChat((state) => state.running !== null);
  const isConnected = useIsConnected();
  if (status !== "failed" || held === undefined || held.run.mode === "advisory") return null;
  const { name, run, failedStep } = held;
  return (
    <section className={styles.card} aria-label="The run was halted">
      <h2>
        <CircleStop aria-hidden size={17} /> {failedStep === null ? "Halted" : `Halted at step ${failedStep.number} of ${failedStep.of}`}
      </h2>
      <Facts
        items={[
          ...(failedStep === null ? [] : [["Step", failedStep.says] as const]),
          ["What failed", run.finding?.replace(/^Step \d+: /u, "") ?? turn.problem ?? "no reason was kept"],
          ...(failedStep === null ? [] : [["If it fails", failedStep.onFail] as const]),
        ]}
      />
      <ButtonRow>
        <Button
          icon={MessageSquareMore}
          tone="primary"
          isDisabled={!isConnected || isAtWork}
          onPress={() => void send({ conversationId, text: goal, skill: name, mode: "advisory" })}
        >
          Go on with the model
        </Button>
      </ButtonRow>
    </section>
  );
}
