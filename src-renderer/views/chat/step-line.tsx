import { Ban, CircleAlert, CircleCheck, CircleSlash, type LucideIcon } from "lucide-react";
import type { Step } from "#contract/chat/schema.ts";
import { Expander } from "../../components/expander.tsx";
import { Facts } from "../../components/facts.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { formatArguments, formatTool } from "../../format/call.ts";
import { formatCount } from "../../format/count.ts";
import { formatDuration } from "../../format/duration.ts";
import { FullResult } from "./full-result.tsx";
import styles from "./step-line.module.css";
import { StepTable } from "./step-table.tsx";

const STATES: Record<Exclude<Step["status"], "running">, { readonly icon: LucideIcon; readonly words: string }> = {
  ok: { icon: CircleCheck, words: "done" },
  error: { icon: CircleAlert, words: "failed" },
  refused: { icon: Ban, words: "refused" },
  interrupted: { icon: CircleSlash, words: "cut off" },
};

/** One tool call: what was done to what, how it went, how long it took; the whole result inside. */
export function StepLine({ step }: { readonly step: Step }) {
  const { tool, args, status, text, durationMs, tokens } = step;
  const State = status === "running" ? null : STATES[status];
  return (
    <li className={styles.step} data-status={status}>
      <Expander
        level={3}
        summary={
          <span className={styles.summary}>
            {State === null ? <Spinner size={15} /> : <State.icon aria-hidden size={15} className={styles.icon} />}
            <span className={styles.call}>
              <b>{formatTool(tool)}</b> {formatArguments(args)}
            </span>
            <span className={styles.time}>
              {State === null ? "running" : status === "ok" ? <span className="unseen">{State.words}</span> : State.words}{" "}
              {durationMs === null ? "" : formatDuration(durationMs)}
            </span>
          </span>
        }
      >
        <div className={styles.inside}>
          <Facts
            items={[
              ["Tool", <code key="tool">{tool}</code>],
              ["Arguments", <code key="args">{JSON.stringify(args, null, 1).replaceAll(/\s+/gu, " ")}</code>],
              [
                "Tokens",
                `${formatCount(tokens.evaluated, "token")} read, ${formatCount(tokens.reused, "token")} reused, ${formatCount(tokens.generated, "token")} written`,
              ],
            ]}
          />
          <FullResult step={step} />
          <StepTable details={step.details} />
          {text === "" ? null : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a long result must be scrollable by keyboard
            <section tabIndex={0} aria-label={`Result of step ${step.index + 1}, ${formatTool(tool)}`} className={styles.result}>
              <pre>{text}</pre>
            </section>
          )}
        </div>
      </Expander>
    </li>
  );
}
