/** One thing wrong with a file, in one line for a person. "error": something could not be read and is left out. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly message: string;
}

export type Diagnose = (code: string, severity: Diagnostic["severity"], message: string) => void;
