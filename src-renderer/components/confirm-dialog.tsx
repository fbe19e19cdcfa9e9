import type { ReactNode } from "react";
import { useAttempt } from "../store/use-attempt.ts";
import { Button } from "./button.tsx";
import { ButtonRow } from "./button-row.tsx";
import { ModalDialog } from "./modal-dialog.tsx";
import { Notice } from "./notice.tsx";

export interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The verb of the act: "Delete", never "OK". */
  readonly act: string;
  readonly isDanger?: boolean;
  readonly onConfirm: () => Promise<void> | void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. The harmless choice has the focus. */
export function ConfirmDialog({ title, children, act, isDanger = false, onConfirm, onClose }: ConfirmDialogProps) {
  const attempt = useAttempt();
  return (
    <ModalDialog title={title} onClose={onClose} role="alertdialog">
      <div>{children}</div>
      {attempt.problem === null ? null : <Notice tone="bad">{attempt.problem}</Notice>}
      <ButtonRow align="end">
        <Button onPress={onClose} autoFocus>
          Cancel
        </Button>
        <Button
          tone={isDanger ? "danger" : "primary"}
          isDisabled={attempt.isBusy}
          onPress={() => {
            void attempt
              .run(async () => onConfirm())
              .then((done) => {
                if (done) onClose();
              });
          }}
        >
          {act}
        </Button>
      </ButtonRow>
    </ModalDialog>
  );
}
