import { useState } from "react";
import { type Block, type EditableBlock, longestBlock, type StandingContext } from "#contract/blocks/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Notice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useStores } from "../../store/stores.ts";
import { useAttempt } from "../../store/use-attempt.ts";
import { useIsConnected } from "../../store/use-page.ts";

export interface EditableTextProps {
  readonly name: EditableBlock;
  readonly label: string;
  readonly help: string;
  readonly block: Block;
  readonly onChanged: (now: StandingContext) => void;
}

/** What the text was before it was saved; null where it was as Knack comes with it. */
type Before = { readonly text: string | null };

/** A text of the user's own: saved as a whole, and taken back as long as the page is open. What is typed stays when it cannot be saved. */
export function EditableText({ name, label, help, block, onChanged }: EditableTextProps) {
  const { client } = useStores();
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  const written = block.written ?? "";
  const [text, setText] = useState(written);
  const [held, setHeld] = useState(written);
  const [before, setBefore] = useState<Before | null>(null);

  // A text that was edited elsewhere is taken over, unless something is being typed here.
  if (written !== held) {
    setHeld(written);
    if (text === held) setText(written);
  }

  const change = (write: () => Promise<StandingContext>, undo: Before | null) =>
    void attempt.run(async () => {
      const now = await write();
      const after = now.blocks.find((one) => one.name === name)?.written ?? "";
      setText(after);
      setHeld(after);
      setBefore(undo);
      onChanged(now);
    });
  const own: Before = { text: block.isOwn ? block.written : null };
  const put = (to: Before) => (to.text === null ? client.blocks.reset({ name }) : client.blocks.set({ name, text: to.text }));
  const isTooLong = text.length > longestBlock;
  const problem = isTooLong ? `${text.length} characters; at most ${longestBlock} stand in the prompt. Shorten it.` : attempt.problem;
  const isIdle = isConnected && !attempt.isBusy;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change(() => client.blocks.set({ name, text }), block.written === null ? null : own);
      }}
    >
      {block.state === "failed" ? (
        <Notice tone="bad" title={`${label} cannot be read; no message is answered until it can`}>
          {block.problem}
        </Notice>
      ) : null}
      <TextField label={label} help={help} rows={4} value={text} onChange={setText} problem={problem} />
      <ButtonRow>
        <Button type="submit" label={`Save: ${label}`} isDisabled={!isIdle || isTooLong || text.trim() === "" || text === held}>
          Save
        </Button>
        {before === null ? null : (
          <Button tone="quiet" label={`Undo: ${label}`} isDisabled={!isIdle} onPress={() => change(() => put(before), null)}>
            Undo
          </Button>
        )}
        {block.isOwn ? (
          <Button
            tone="quiet"
            label={`As Knack comes with it: ${label}`}
            isDisabled={!isIdle}
            onPress={() => change(() => client.blocks.reset({ name }), block.written === null ? null : own)}
          >
            As Knack comes with it
          </Button>
        ) : null}
      </ButtonRow>
    </form>
  );
}
