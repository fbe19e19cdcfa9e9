import { useState } from "react";
import type { Fact, FactChange } from "#contract/memory/schema.ts";
import { labelWords } from "#contract/memory/words.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected, usePage } from "../../store/use-page.ts";
import styles from "./memory.module.css";

const options = (Object.keys(labelWords) as Fact["label"][]).map((value) => ({ value, name: labelWords[value] }));

/** What a fact says and where it belongs, in the place of its row. Escape leaves it as it was. */
export function FactEditor({ fact, onSaved, onCancel }: { readonly fact: Fact; readonly onSaved: () => void; readonly onCancel: () => void }) {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const say = usePage((state) => state.say);
  const [text, setText] = useState(fact.text);
  const [label, setLabel] = useState<string>(fact.label);
  const attempt = useAttempt();
  const maySave = isConnected && !attempt.isBusy && text.trim() !== "";
  return (
    <form
      className={styles.editor}
      aria-label={`Change “${fact.text}”`}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!maySave) return;
        const change: FactChange = {
          ...(text.trim() === fact.text ? {} : { text: text.trim() }),
          ...(label === fact.label ? {} : { label: label as Fact["label"] }),
        };
        if (Object.keys(change).length === 0) return onCancel();
        void attempt
          .run(async () => {
            await client.memory.edit({ id: fact.id, change });
            say("Changed. It is your own word now.");
          })
          .then((done) => {
            if (done) onSaved();
          });
      }}
    >
      <TextField
        label="What it says"
        value={text}
        onChange={setText}
        rows={2}
        problem={attempt.problem}
        autoFocus
        help="Once you change it, it is your own word, and Knack leaves it as it is."
      />
      <SelectField label="Where it belongs" value={label} onChange={setLabel} options={options} />
      <ButtonRow align="end">
        <Button onPress={onCancel}>Cancel</Button>
        <Button type="submit" tone="primary" isDisabled={!maySave}>
          Save
        </Button>
      </ButtonRow>
    </form>
  );
}
