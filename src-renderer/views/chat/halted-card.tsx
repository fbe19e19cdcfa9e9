import { CircleStop, MessageSquareMore, RotateCcw } from "lucide-react";
import type { TurnView } from "#contract/chat/reducer.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Facts } from "../../components/facts.tsx";
import { runningIn } from "../../store/chat-store.ts";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import styles from "./approval-card.module.css";

const GO_ON = "Go on with the model";

/**
 * A routine the host carried out by itself and had to halt: where, why, what its step says of that, and the way on with the model. Where the
 * browser still stands at that place, the model goes on there; later there is only to begin anew.
 */
export function HaltedCard({ turn, goal }: { readonly turn: TurnView; readonly goal: string }) {
  const { id, conversationId, status, mode } = turn.turn;
  const held = useChat((state) => state.runs[id]);
  const send = useChat((state) => state.send);
  const isAtWork = useChat((state) => runningIn(state, conversationId) !== null);
  const isConnected = useIsConnected();
  if (status !== "failed" || held === undefined || mode === null || mode === "advisory") return null;
  const { name, run, failedStep } = held;
  const isOff = !isConnected || isAtWork;
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
        {turn.mayResume ? (
          <Button icon={MessageSquareMore} tone="primary" isDisabled={isOff} onPress={() => void send({ conversationId, text: GO_ON, resume: true })}>
            {GO_ON}
          </Button>
        ) : (
          <Button icon={RotateCcw} isDisabled={isOff} onPress={() => void send({ conversationId, text: goal, skill: name, mode: "advisory" })}>
            Begin anew with the model
          </Button>
        )}
      </ButtonRow>
    </section>
  );
}
