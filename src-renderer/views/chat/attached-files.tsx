import { FileText, X } from "lucide-react";
import { IconButton } from "../../components/icon-button.tsx";
import { formatCount } from "../../format/count.ts";
import styles from "./attached-files.module.css";
import type { AttachedState } from "./use-attached.ts";

/** Files that go with the next message. */
export function AttachedFiles({ attached: { files, isReading, problem, remove } }: { readonly attached: AttachedState }) {
  if (files.length === 0 && problem === null && !isReading) return null;
  return (
    <div className={styles.files}>
      {files.length === 0 ? null : (
        <ul className={styles.list} aria-label="Attached files">
          {files.map((file, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
            <li key={index} className={styles.file}>
              <FileText aria-hidden size={15} />
              <span className={styles.name}>{file.name ?? "file"}</span>
              {"text" in file ? <span className={styles.size}>{formatCount(file.text.length, "character")}</span> : null}
              <IconButton icon={X} label={`Leave out “${file.name ?? "file"}”`} onPress={() => remove(index)} />
            </li>
          ))}
        </ul>
      )}
      {isReading ? <p className={styles.size}>Reading …</p> : null}
      {problem === null ? null : (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
