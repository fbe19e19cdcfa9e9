import { Trash2 } from "lucide-react";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { Observation } from "#contract/learning/schema.ts";
import type { SkillStep } from "#contract/skills/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { TextField } from "../../components/text-field.tsx";
import { formatArguments, formatTool } from "../../format/call.ts";
import { CheckEditor } from "./check-editor.tsx";
import { ConstantEditor } from "./constant-editor.tsx";
import styles from "./teach.module.css";
import { useTextOf } from "./use-text-of.ts";

export interface StepEditorProps {
  /** Counted from 1. */
  readonly number: number;
  readonly step: SkillStep;
  readonly observed: Observation | null;
  readonly entries: readonly string[];
  readonly isBusy: boolean;
  readonly onEdit: (...edits: DraftEdit[]) => void;
}

export function StepEditor({ number, step, observed, entries, isBusy, onEdit }: StepEditorProps) {
  const [words, setWords] = useTextOf(step.do);
  const isSame = words.trim() === step.do || words.trim() === "";
  return (
    <div className={styles.editor}>
      {step.call === undefined ? null : (
        <code className={styles.quiet}>
          {formatTool(step.call.tool)} {formatArguments(step.call.args)}
        </code>
      )}
      <TextField
        label={`What step ${number} says`}
        value={words}
        onChange={setWords}
        isDisabled={isBusy}
        {...(step.call === undefined ? {} : { help: "Only for people and the model to read: what is done stays as it stands above." })}
      />
      <ButtonRow>
        <Button
          label={`Save the words of step ${number}`}
          isDisabled={isBusy || isSame}
          onPress={() => onEdit({ edit: "say-step", step: number, do: words.trim() })}
        >
          Save words
        </Button>
        <Button icon={Trash2} label={`Drop step ${number}`} isDisabled={isBusy} onPress={() => onEdit({ edit: "drop-step", step: number })}>
          Drop this step
        </Button>
      </ButtonRow>
      {observed?.secretField ? (
        <EntryEditor number={number} step={step} field={observed.secretField} entries={entries} isBusy={isBusy} onEdit={onEdit} />
      ) : null}
      <CheckEditor number={number} check={step.check} observed={observed} isBusy={isBusy} onEdit={onEdit} />
      <ConstantEditor key={JSON.stringify(step.call?.args ?? null)} number={number} step={step} isBusy={isBusy} onEdit={onEdit} />
    </div>
  );
}

type EntryEditorProps = Omit<StepEditorProps, "observed"> & { readonly field: string };

/** The credential that belongs into a field; only its name is known here. */
function EntryEditor({ number, step, field, entries, isBusy, onEdit }: EntryEditorProps) {
  const chosen = typeof step.call?.args["entry"] === "string" ? step.call.args["entry"] : "";
  const [entry, setEntry] = useTextOf(chosen);
  return (
    <>
      <TextField
        label={`Vault entry for “${field}” at step ${number}`}
        value={entry}
        onChange={setEntry}
        isDisabled={isBusy}
        help={
          entries.length === 0
            ? "What was typed there was not kept. Name the entry of the vault that is filled in instead."
            : `What was typed there was not kept. Granted: ${entries.join(", ")}.`
        }
      />
      <ButtonRow>
        <Button
          label={`Use this vault entry at step ${number}`}
          isDisabled={isBusy || entry.trim() === "" || entry.trim() === chosen}
          onPress={() => onEdit({ edit: "choose-entry", step: number, entry: entry.trim() })}
        >
          Use this entry
        </Button>
      </ButtonRow>
    </>
  );
}
