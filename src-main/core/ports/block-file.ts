/** One text of the user's own that stands in the prompt. */
export interface BlockFile {
  /** As a person finds it. */
  readonly path: string;
  /**
   * Its text, or null where there is none. Rejects with "block.unreadable", which names the file and the way on, for what is no text (UTF-8), has more than
   * `longestBlock` characters, is no ordinary file or may not be read.
   */
  read(): Promise<string | null>;
  /** Puts a text in its place, whole or not at all; what could not be read there is put aside beside it. Rejects with "block.unwritable". */
  write(text: string): Promise<void>;
  /** Takes it away; what could not be read is put aside. Rejects with "block.unwritable". */
  remove(): Promise<void>;
}
