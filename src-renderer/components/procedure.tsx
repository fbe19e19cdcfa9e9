import type { SkillStep } from "#contract/skills/schema.ts";
import { formatArguments, formatTool } from "../format/call.ts";
import { formatCheck } from "../format/check.ts";
import styles from "./procedure.module.css";

/** The steps of a skill, each with its call and what is looked for afterwards. */
export function Procedure({ steps }: { readonly steps: readonly SkillStep[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps of one immutable revision
        <li key={at} className={styles.step}>
          <span>
            {step.do}
            {step.repeatUntilNext === true ? <em className={styles.repeat}> (repeat until the next step is possible)</em> : null}
          </span>
          {step.call === undefined ? null : (
            <code className={styles.call}>
              {formatTool(step.call.tool)} {formatArguments(step.call.args)}
            </code>
          )}
          <small className={styles.check}>{step.check === undefined ? "Needs judgement" : `Then: ${formatCheck(step.check)}`}</small>
        </li>
      ))}
    </ol>
  );
}
