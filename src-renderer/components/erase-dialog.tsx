import { type ReactNode, useState } from "react";
import { type Erasure, erasureWords } from "#contract/conversations/erasure.ts";
import { usePage } from "../store/use-page.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { Toggle } from "./toggle.tsx";

export interface EraseDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The verb of the act: "Delete", "Forget", "Erase". */
  readonly act: string;
  /** What is said when it is done: "The conversation is gone." */
  readonly done: string;
  readonly onErase: (backups: boolean) => Promise<Erasure>;
  readonly onClose: () => void;
}

/** Asks before something is erased for good, backups included or not, and afterwards has told what became of what rested on it. */
export function EraseDialog({ title, children, act, done, onErase, onClose }: EraseDialogProps) {
  const [backups, setBackups] = useState(false);
  const tell = usePage((state) => state.tell);
  return (
    <ConfirmDialog
      title={title}
      act={act}
      isDanger
      onClose={onClose}
      onConfirm={async () => {
        const words = erasureWords(await onErase(backups));
        if (words.length > 0) tell({ title: done, lines: words });
      }}
    >
      {children}
      <Toggle isOn={backups} onChange={setBackups}>
        Erase the backups that hold it too; one without it is made in their place
      </Toggle>
    </ConfirmDialog>
  );
}
