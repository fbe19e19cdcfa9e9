import { FileText } from "lucide-react";
import { useState } from "react";
import type { Attachment } from "#contract/chat/schema.ts";
import { Button } from "../../components/button.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { ModalDialog } from "../../components/modal-dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { formatCount } from "../../format/count.ts";
import { useStores } from "../../store/stores.ts";
import { useIsConnected } from "../../store/use-page.ts";
import { useResource } from "../../store/use-resource.ts";
import styles from "./message-files.module.css";

/** Files that came with a message: how much of each the model read, and the file itself. */
export function MessageFiles({ files }: { readonly files: readonly Attachment[] }) {
  const [opened, setOpened] = useState<Attachment | null>(null);
  const isConnected = useIsConnected();
  return (
    <ul className={styles.files} aria-label="Files of this message">
      {files.map((file) => (
        <li key={file.id} className={styles.file}>
          <FileText aria-hidden size={15} />
          <Button tone="quiet" isDisabled={!isConnected} onPress={() => setOpened(file)}>
            {file.name}
          </Button>
          <span>{readWords(file)}</span>
        </li>
      ))}
      {opened === null ? null : <FileDialog file={opened} onClose={() => setOpened(null)} />}
    </ul>
  );
}

/** "whole file, 1,204 characters"; "first 6,120 of 48,000 characters, the rest searched". */
export function readWords({ characters, read, isSearched }: Attachment): string {
  if (read === null) return formatCount(characters, "character");
  if (read >= characters) return `whole file, ${formatCount(characters, "character")}`;
  return `first ${read.toLocaleString("en")} of ${formatCount(characters, "character")}${isSearched ? ", the rest searched" : ""}`;
}

function FileDialog({ file: { id, name }, onClose }: { readonly file: Attachment; readonly onClose: () => void }) {
  const { client } = useStores();
  const file = useResource(`attachment ${id}`, (signal) => client.chat.attachment({ id }, { signal }));
  return (
    <ModalDialog title={name} size="large" onClose={onClose}>
      {file.problem === null ? null : <Notice tone="bad">{file.problem}</Notice>}
      {file.value === null ? (
        <LoadingState label="Reading the file" />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long file must be scrollable by keyboard
        <section tabIndex={0} aria-label={`Text of ${name}`} className={styles.text}>
          <pre>{file.value.text}</pre>
        </section>
      )}
    </ModalDialog>
  );
}
