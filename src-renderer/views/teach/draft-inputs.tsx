import { useRef } from "react";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { RevisionContent, SkillInput } from "#contract/skills/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { TextField } from "../../components/text-field.tsx";
import { EditorRow } from "./editor-row.tsx";
import { focusRow } from "./focus-row.ts";
import styles from "./teach.module.css";
import { useTextOf } from "./use-text-of.ts";

export interface DraftInputsProps {
  readonly content: RevisionContent;
  readonly isBusy: boolean;
  readonly onEdit: (...edits: DraftEdit[]) => Promise<unknown>;
}

/** The inputs of a draft, each with what can be changed about it. */
export function DraftInputs({ content: { inputs, bindings }, isBusy, onEdit }: DraftInputsProps) {
  const list = useRef<HTMLUListElement>(null);
  const entries = Object.entries(inputs.properties);
  const editAt =
    (at: number) =>
    (...edits: DraftEdit[]) =>
      void onEdit(...edits).then(() => focusRow(list.current, at));
  if (entries.length === 0) return <p>None: it does the same thing every time. A step's constant can be made an input below.</p>;
  return (
    <ul ref={list} className={styles.rows} aria-label="Inputs of the draft">
      {entries.map(([name, input], at) => (
        <li key={name}>
          <EditorRow
            summary={
              <>
                <b>{name}</b> <span className={styles.quiet}>{needOf(name, input, inputs.required)}</span>
              </>
            }
          >
            {() => (
              <InputEditor
                name={name}
                input={input}
                shown={bindings.find((one) => one.inputs[name] !== undefined)?.inputs[name] ?? input.default ?? input.examples[0]}
                isBusy={isBusy}
                onEdit={editAt(at)}
              />
            )}
          </EditorRow>
        </li>
      ))}
    </ul>
  );
}

function needOf(name: string, input: SkillInput, required: readonly string[]): string {
  if (input.default !== undefined) return `${input.kind}, “${input.default}” unless the goal names another`;
  return `${input.kind}, ${required.includes(name) ? "required" : "optional"}`;
}

interface InputEditorProps {
  readonly name: string;
  readonly input: SkillInput;
  /** What it was when it was shown. */
  readonly shown: string | undefined;
  readonly isBusy: boolean;
  readonly onEdit: (...edits: DraftEdit[]) => void;
}

function InputEditor({ name, input, shown, isBusy, onEdit }: InputEditorProps) {
  const [newName, setNewName] = useTextOf(name);
  const [fallback, setFallback] = useTextOf(input.default ?? "");
  const isNameSame = newName.trim() === name || newName.trim() === "";
  const isDefaultSame = fallback.trim() === (input.default ?? "");
  function save() {
    const change: DraftEdit[] = isDefaultSame ? [] : [{ edit: "set-default", input: name, default: fallback.trim() === "" ? null : fallback.trim() }];
    onEdit(...change, ...(isNameSame ? [] : [{ edit: "rename-input" as const, input: name, name: newName.trim() }]));
  }
  return (
    <div className={styles.editor}>
      <div className={styles.pair}>
        <TextField label={`Name of ${name}`} value={newName} onChange={setNewName} isDisabled={isBusy} />
        <TextField label={`Default of ${name}`} value={fallback} onChange={setFallback} placeholder="none: it is asked for" isDisabled={isBusy} />
      </div>
      <ButtonRow>
        <Button label={`Save changes of input ${name}`} isDisabled={isBusy || (isNameSame && isDefaultSame)} onPress={save}>
          Save changes
        </Button>
        {shown === undefined ? null : (
          <Button label={`Make ${name} always “${shown}”`} isDisabled={isBusy} onPress={() => onEdit({ edit: "fix-input", input: name })}>
            Always “{shown}”
          </Button>
        )}
      </ButtonRow>
    </div>
  );
}
