import type { Diagnostic } from "#contract/skills/schema.ts";

export type { Diagnostic };

export type Diagnose = (code: string, severity: Diagnostic["severity"], message: string) => void;
