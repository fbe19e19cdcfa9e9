import { useState } from "react";
import type { DraftEdit, DraftPlace } from "#contract/learning/draft-edit.ts";
import { type SkillStep, type ValueKind, valueKindSchema } from "#contract/skills/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { EditorRow } from "./editor-row.tsx";
import styles from "./teach.module.css";

const PLACES: Readonly<Record<DraftPlace, string>> = { value: "what is typed or chosen", name: "the name", within: "the row", url: "the address" };

export interface ConstantEditorProps {
  /** Of the step, from 1. */
  readonly number: number;
  readonly step: SkillStep;
  readonly isBusy: boolean;
  readonly onEdit: (...edits: DraftEdit[]) => void;
}

/** What a step always does the same, made an input. */
export function ConstantEditor({ number, step, isBusy, onEdit }: ConstantEditorProps) {
  const constants = constantsOf(step);
  const [place, setPlace] = useState<DraftPlace | "">(constants[0]?.[0] ?? "");
  const [text, setText] = useState(constants[0]?.[1] ?? "");
  const [name, setName] = useState("");
  const [kind, setKind] = useState<ValueKind>("text");
  if (constants.length === 0 || place === "") return null;
  function choose(next: string) {
    const found = constants.find(([one]) => one === next);
    if (found === undefined) return;
    setPlace(found[0]);
    setText(found[1]);
  }
  return (
    <EditorRow summary={`Make a constant of step ${number} an input`}>
      {() => (
        <div className={styles.editor}>
          <div className={styles.pair}>
            <SelectField
              label={`Constant of step ${number}`}
              value={place}
              onChange={choose}
              isDisabled={isBusy}
              options={constants.map(([one, value]) => ({ value: one, name: `${PLACES[one]}: ${value}` }))}
            />
            <TextField
              label={`The value in it, step ${number}`}
              value={text}
              onChange={setText}
              isDisabled={isBusy}
              help="All of it, or the part that changes."
            />
            <TextField label={`Name of the new input, step ${number}`} value={name} onChange={setName} placeholder="zone" isDisabled={isBusy} />
            <SelectField
              label={`Kind of the new input, step ${number}`}
              value={kind}
              onChange={(next) => setKind(valueKindSchema.parse(next))}
              isDisabled={isBusy}
              options={valueKindSchema.options.map((one) => ({ value: one, name: one }))}
            />
          </div>
          <ButtonRow>
            <Button
              label={`Make it an input, step ${number}`}
              isDisabled={isBusy || name.trim() === "" || text.trim() === ""}
              onPress={() => onEdit({ edit: "open-value", step: number, place, text: text.trim(), name: name.trim(), kind })}
            >
              Make it an input
            </Button>
          </ButtonRow>
        </div>
      )}
    </EditorRow>
  );
}

function constantsOf({ call }: SkillStep): (readonly [DraftPlace, string])[] {
  if (call === undefined || call.tool === "browser_login") return [];
  const { target, text, option, url } = call.args as { target?: { name?: unknown; within?: unknown }; text?: unknown; option?: unknown; url?: unknown };
  const places: readonly (readonly [DraftPlace, unknown])[] = [
    ["value", text ?? option],
    ["name", target?.name],
    ["within", target?.within],
    ["url", url],
  ];
  return places.filter((one): one is readonly [DraftPlace, string] => typeof one[1] === "string" && one[1] !== "" && !/^\{\{[^}]*\}\}$/u.test(one[1]));
}
