import { useCallback, useRef, useState } from "react";
import { type Attached, longestAttachments, mostAttachments } from "#contract/chat/schema.ts";
import { readTextFile } from "../../store/read-text-file.ts";
import { saidError } from "../../store/said-error.ts";

/** A file of the next message: one that was read here, or one that goes with the message whose place it takes. */
export type ComposedFile = Attached & { readonly name?: string };

export interface AttachedState {
  readonly files: readonly ComposedFile[];
  readonly isReading: boolean;
  /** Why the last file was not taken. */
  readonly problem: string | null;
  add(files: readonly File[]): void;
  remove(index: number): void;
  replace(change: (files: readonly ComposedFile[]) => readonly ComposedFile[]): void;
  /** As they go to the host. */
  sent(): Attached[];
}

/** The files of the message that is being written. One that cannot be read is refused by itself, with the reason. */
export function useAttached(): AttachedState {
  const [files, setFiles] = useState<readonly ComposedFile[]>([]);
  // Files are read side by side: each is held against those that are there by then.
  const there = useRef(files);
  const put = useCallback((next: readonly ComposedFile[]) => {
    there.current = next;
    setFiles(next);
  }, []);
  const [reading, setReading] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);

  const add = useCallback(
    (given: readonly File[]) => {
      setProblem(null);
      for (const file of given) {
        setReading((count) => count + 1);
        void readTextFile(file)
          .then(
            (read) => {
              const why = whyNot(there.current, read.text);
              if (why === null) put([...there.current, read]);
              else setProblem(why);
            },
            (error: unknown) => setProblem(saidError(error)),
          )
          .finally(() => setReading((count) => count - 1));
      }
    },
    [put],
  );
  const remove = useCallback((index: number) => put(there.current.filter((_file, at) => at !== index)), [put]);
  const replace = useCallback(
    (change: (files: readonly ComposedFile[]) => readonly ComposedFile[]) => {
      setProblem(null);
      put(change(there.current));
    },
    [put],
  );
  const sent = (): Attached[] => files.map((file) => ("id" in file ? { id: file.id } : { name: file.name, text: file.text }));
  return { files, isReading: reading > 0, problem, add, remove, replace, sent };
}

function whyNot(files: readonly ComposedFile[], text: string): string | null {
  if (files.length >= mostAttachments) return `At most ${mostAttachments} files go with a message.`;
  const length = files.reduce((sum, file) => sum + ("text" in file ? file.text.length : 0), text.length);
  return length > longestAttachments ? `The files are longer than ${longestAttachments.toLocaleString("en")} characters together.` : null;
}
