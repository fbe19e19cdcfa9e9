import { useState } from "react";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { Observation } from "#contract/learning/schema.ts";
import type { Check } from "#contract/skills/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { formatCheck } from "../../format/check.ts";
import styles from "./teach.module.css";
import { useTextOf } from "./use-text-of.ts";

type Part = Extract<DraftEdit, { edit: "look-for" }>["part"];

const PARTS: Readonly<Record<Part, string>> = { heading: "Heading", url: "Address", text: "Text" };
const isPart = (part: string): part is Part => Object.hasOwn(PARTS, part);

export interface CheckEditorProps {
  /** Of the step, from 1. */
  readonly number: number;
  readonly check: Check | undefined;
  readonly observed: Observation | null;
  readonly isBusy: boolean;
  readonly onEdit: (...edits: DraftEdit[]) => void;
}

/** What is looked for after a step: changed, taken out, or added from what was to be seen there. */
export function CheckEditor({ number, check, observed, isBusy, onEdit }: CheckEditorProps) {
  const page = check !== undefined && "page" in check ? check.page : undefined;
  const parts = Object.entries(page ?? {}).filter((part): part is [Part, string] => isPart(part[0]) && typeof part[1] === "string");
  return (
    <fieldset className={styles.group}>
      <legend>What is looked for after step {number}</legend>
      {check === undefined ? <p className={styles.quiet}>Nothing: whether it worked needs judgement.</p> : null}
      {check !== undefined && page === undefined ? <p>{formatCheck(check)}</p> : null}
      {parts.map(([part, value]) => (
        <CheckPart key={part} number={number} part={part} value={value} isBusy={isBusy} onEdit={onEdit} />
      ))}
      {check === undefined || page !== undefined ? <AddCheck number={number} page={page ?? {}} observed={observed} isBusy={isBusy} onEdit={onEdit} /> : null}
      {check === undefined ? null : (
        <ButtonRow>
          <Button tone="quiet" label={`Look for nothing after step ${number}`} isDisabled={isBusy} onPress={() => onEdit({ edit: "drop-check", step: number })}>
            Look for nothing
          </Button>
        </ButtonRow>
      )}
    </fieldset>
  );
}

type CheckPartProps = Pick<CheckEditorProps, "number" | "isBusy" | "onEdit"> & { readonly part: Part; readonly value: string };

function CheckPart({ number, part, value, isBusy, onEdit }: CheckPartProps) {
  const [text, setText] = useTextOf(value);
  const name = `${PARTS[part].toLowerCase()} after step ${number}`;
  return (
    <div className={styles.line}>
      <TextField label={`${PARTS[part]} after step ${number}`} value={text} onChange={setText} isDisabled={isBusy} />
      <Button
        label={`Save the ${name}`}
        isDisabled={isBusy || text.trim() === value || text.trim() === ""}
        onPress={() => onEdit({ edit: "look-for", step: number, part, value: text.trim() })}
      >
        Save
      </Button>
      <Button tone="quiet" label={`Take out the ${name}`} isDisabled={isBusy} onPress={() => onEdit({ edit: "look-for", step: number, part, value: null })}>
        Take out
      </Button>
    </div>
  );
}

type AddCheckProps = Pick<CheckEditorProps, "number" | "observed" | "isBusy" | "onEdit"> & {
  readonly page: Readonly<Partial<Record<Part, string | undefined>>>;
};

/** Only from what was there: something else would never be found. */
function AddCheck({ number, page, observed, isBusy, onEdit }: AddCheckProps) {
  const seen: readonly (readonly [Part, string])[] =
    observed === null ? [] : [["heading", observed.heading], ["url", observed.url], ...observed.lines.map((line) => ["text", line] as const)];
  const options = seen.filter(([part, value]) => value !== "" && page[part] !== value && (part === "text" || page[part] === undefined));
  const [chosen, setChosen] = useState("0");
  const found = options[Number(chosen)] ?? options[0];
  if (options.length === 0) return null;
  return (
    <div className={styles.line}>
      <SelectField
        label={`Seen after step ${number}`}
        value={found === options[Number(chosen)] ? chosen : "0"}
        onChange={setChosen}
        isDisabled={isBusy}
        options={options.map(([part, value], index) => ({ value: String(index), name: `${PARTS[part]}: ${value}` }))}
      />
      <Button
        label={`Look for this after step ${number}`}
        isDisabled={isBusy || found === undefined}
        onPress={() => found && onEdit({ edit: "look-for", step: number, part: found[0], value: found[1] })}
      >
        Look for this
      </Button>
    </div>
  );
}
