import { useRef } from "react";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { Draft } from "#contract/learning/schema.ts";
import { Badge } from "../../components/badge.tsx";
import { formatCheck } from "../../format/check.ts";
import { EditorRow } from "./editor-row.tsx";
import { focusRow } from "./focus-row.ts";
import { StepEditor } from "./step-editor.tsx";
import styles from "./teach.module.css";

export interface DraftStepsProps {
  readonly draft: Draft;
  /** Names of the vault entries that are granted. */
  readonly entries: readonly string[];
  readonly isBusy: boolean;
  readonly onEdit: (...edits: DraftEdit[]) => Promise<unknown>;
}

/** The steps of a draft, each with what can be changed about it. */
export function DraftSteps({ draft, entries, isBusy, onEdit }: DraftStepsProps) {
  const list = useRef<HTMLOListElement>(null);
  const editAt =
    (at: number) =>
    (...edits: DraftEdit[]) =>
      void onEdit(...edits).then(() => focusRow(list.current, at));
  return (
    <ol ref={list} className={styles.rows} aria-label="Steps of the draft">
      {draft.content.steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step has no name of its own
        <li key={at}>
          <EditorRow
            summary={
              <>
                <span>
                  {at + 1}. {step.do}
                  {step.repeatUntilNext === true ? <em className={styles.quiet}> (repeat until the next step is possible)</em> : null}
                </span>{" "}
                {draft.observed[at]?.secretField && step.call === undefined ? <Badge tone="warn">choose a vault entry</Badge> : null}
                <small className={styles.quiet}>{step.check === undefined ? "Needs judgement" : `Then: ${formatCheck(step.check)}`}</small>
              </>
            }
          >
            {() => <StepEditor number={at + 1} step={step} observed={draft.observed[at] ?? null} entries={entries} isBusy={isBusy} onEdit={editAt(at)} />}
          </EditorRow>
        </li>
      ))}
    </ol>
  );
}
