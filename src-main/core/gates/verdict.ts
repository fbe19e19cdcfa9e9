/** What a gate says of one call. A refusal is a result the model reads, not an exception. */
export type Verdict =
  | { readonly kind: "allow" }
  | {
      readonly kind: "ask";
      readonly reason: string;
      readonly rule: string;
      /** What is written down of it instead of the reason, where that quotes what a person may have erased. */
      readonly record?: string;
      /**
       * Set when the question stands for a refusal that was repeated too often. The turn goes to the user, and no answer
       * lets this call run: a yes to a question is not a grant.
       */
      readonly refused?: Refused;
    }
  | Refused;

export interface Refused {
  readonly kind: "refuse";
  readonly code: string;
  readonly message: string;
  readonly ruleIds: readonly string[];
}

export const allow: Verdict = { kind: "allow" };

export function ask(reason: string, rule: string, record?: string): Verdict {
  return { kind: "ask", reason, rule, ...(record === undefined ? {} : { record }) };
}

export function refuse(code: string, message: string, ruleIds: readonly string[] = [code]): Refused {
  return { kind: "refuse", code, message, ruleIds };
}

/** May the call run once a person has said yes? */
export function mayRunAfterYes(verdict: Verdict): boolean {
  return verdict.kind === "allow" || (verdict.kind === "ask" && verdict.refused === undefined);
}
