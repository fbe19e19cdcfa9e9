import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { ModalDialog } from "../../components/modal-dialog.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useAttempt } from "../../store/use-attempt.ts";
import styles from "./conversation-row.module.css";

export interface FolderDialogProps {
  readonly title: string;
  readonly act: string;
  readonly name: string;
  readonly onName: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the name of a folder; one that cannot be had says why, and stays to be changed. */
export function FolderDialog({ title, act, name: before, onName, onClose }: FolderDialogProps) {
  const [name, setName] = useState(before);
  const attempt = useAttempt();
  const isEmpty = name.trim() === "";
  return (
    <ModalDialog title={title} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isEmpty || attempt.isBusy) return;
          void attempt
            .run(() => onName(name.trim()))
            .then((wasDone) => {
              if (wasDone) onClose();
            });
        }}
      >
        <TextField label="Name" value={name} onChange={setName} problem={attempt.problem} autoFocus />
        <ButtonRow align="end">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" isDisabled={isEmpty || attempt.isBusy}>
            {act}
          </Button>
        </ButtonRow>
      </form>
    </ModalDialog>
  );
}
