import { useState } from "react";
import type { Step } from "#contract/chat/schema.ts";
import { Expander } from "../../components/expander.tsx";
import { formatCount } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { StepLine } from "./step-line.tsx";
import styles from "./step-list.module.css";

/** Steps as they happen; open while they run, folded to one line afterwards unless the reader opened them. */
export function StepList({ steps, isRunning }: { readonly steps: readonly Step[]; readonly isRunning: boolean }) {
  const [wish, setWish] = useState<boolean | null>(null);
  if (steps.length === 0) return null;
  const bad = steps.filter(({ status }) => status === "error" || status === "refused").length;
  const total = steps.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  return (
    <div className={styles.steps}>
      <Expander
        level={2}
        isOpen={wish ?? isRunning}
        onOpenChange={setWish}
        summary={
          <>
            {formatCount(steps.length, "step")}
            {total === 0 ? "" : ` · ${formatDuration(total)}`}
            {bad === 0 ? "" : ` · ${bad} did not work`}
          </>
        }
      >
        <ol className={styles.list}>
          {steps.map((step) => (
            <StepLine key={step.id} step={step} />
          ))}
        </ol>
      </Expander>
    </div>
  );
}
