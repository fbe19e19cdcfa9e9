import { FileJson } from "lucide-react";
import { useRef } from "react";
import { Button } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { ModalDialog } from "../../components/modal-dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { useAttempt } from "../../store/use-attempt.ts";
import { useChat, useIsConnected } from "../../store/use-page.ts";
import styles from "./conversation-row.module.css";

/** Takes in a conversation that was exported as JSON; why a file was not taken is said here, and another can be chosen. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const importFile = useChat((state) => state.import);
  const isConnected = useIsConnected();
  const attempt = useAttempt();
  return (
    <ModalDialog title="Import a conversation" onClose={onClose}>
      <div className={styles.form}>
        <p>Choose a file that “Export as JSON” wrote, here or on another machine. It becomes a conversation of its own, from which Knack learns nothing.</p>
        {attempt.problem === null ? null : (
          <Notice tone="bad" title="It was not imported">
            {attempt.problem}
          </Notice>
        )}
        <input
          ref={picker}
          type="file"
          accept=".json,application/json"
          hidden
          data-testid="import"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            event.target.value = "";
            if (file !== undefined)
              void attempt
                .run(() => importFile(file))
                .then((wasDone) => {
                  if (wasDone) onClose();
                });
          }}
        />
        <ButtonRow align="end">
          <Button onPress={onClose}>Cancel</Button>
          <Button icon={FileJson} tone="primary" isDisabled={!isConnected || attempt.isBusy} onPress={() => picker.current?.click()}>
            {attempt.isBusy ? "Reading …" : "Choose a file"}
          </Button>
        </ButtonRow>
      </div>
    </ModalDialog>
  );
}
