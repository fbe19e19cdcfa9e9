import { SearchCheck } from "lucide-react";
import { useState } from "react";
import type { Recall } from "#contract/skills/schema.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Notice } from "../../components/notice.tsx";
import { RecallExplanation } from "../../components/recall-explanation.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";
import styles from "./skills.module.css";

/** "Which skill would be recalled for …, and why?" without doing anything. */
export function GoalTest() {
  const { client } = useStores();
  const [goal, setGoal] = useState("");
  const [recall, setRecall] = useState<Recall | null>(null);
  const attempt = useAttempt();
  const isConnected = useIsConnected();
  const canAsk = isConnected && !attempt.isBusy && goal.trim() !== "";
  return (
    <Card title="Test a goal">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (canAsk) void attempt.run(async () => setRecall(await client.skills.match({ goal: goal.trim() })));
        }}
      >
        <TextField label="Which skill would be used for …" value={goal} onChange={setGoal} placeholder="Get me the May invoice" />
        <Button type="submit" icon={SearchCheck} isDisabled={!canAsk}>
          {attempt.isBusy ? "Looking …" : "Test"}
        </Button>
      </form>
      {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
      {recall === null ? null : (
        <div aria-live="polite">
          <RecallExplanation recall={recall} />
        </div>
      )}
    </Card>
  );
}
