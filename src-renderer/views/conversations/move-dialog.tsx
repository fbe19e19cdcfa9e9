import { useState } from "react";
import type { Conversation } from "#contract/chat/schema.ts";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Choices } from "../../components/choices.tsx";
import { ModalDialog } from "../../components/modal-dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useAttempt } from "../../store/use-attempt.ts";
import { useChat } from "../../store/use-page.ts";
import styles from "./conversation-row.module.css";

const [NONE, NEW] = ["none", "new"];

/** Into which folder a conversation is put: one there is, a new one, or none. */
export function MoveDialog({ conversation, onClose }: { readonly conversation: Conversation; readonly onClose: () => void }) {
  const folders = useChat((state) => state.folders);
  const addFolder = useChat((state) => state.addFolder);
  const move = useChat((state) => state.move);
  const [chosen, setChosen] = useState<string>(conversation.folderId ?? (folders.length === 0 ? NEW : NONE) ?? "");
  const [name, setName] = useState("");
  const attempt = useAttempt();
  const isUnnamed = chosen === NEW && name.trim() === "";
  return (
    <ModalDialog title={`Move “${conversation.title}”`} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isUnnamed || attempt.isBusy) return;
          void attempt
            .run(async () => move(conversation.id, chosen === NONE ? null : chosen === NEW ? (await addFolder(name.trim())).id : chosen))
            .then((wasDone) => {
              if (wasDone) onClose();
            });
        }}
      >
        <Choices
          label="Folder"
          value={chosen}
          onChange={setChosen}
          choices={[
            ...folders.map((folder) => ({ value: folder.id, name: folder.name })),
            { value: NEW ?? "", name: "A new folder" },
            { value: NONE ?? "", name: "No folder" },
          ]}
        />
        {chosen === NEW ? <TextField label="Name of the new folder" value={name} onChange={setName} /> : null}
        {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
        <ButtonRow align="end">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" isDisabled={isUnnamed || attempt.isBusy}>
            Move
          </Button>
        </ButtonRow>
      </form>
    </ModalDialog>
  );
}
