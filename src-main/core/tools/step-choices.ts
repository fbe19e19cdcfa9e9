import type { Choice } from "../ports/language-model.ts";

/** What one argument of a step may be. Names and values that exist are enumerated; the rest is free text. */
export type ArgumentForm =
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  /** Free text on one line without quotes: under a grammar a string ends at the first quote the model writes. */
  | { readonly kind: "text" };

/** One way a step may be written: a tool with the forms of its arguments, in order. Free text stands last. */
export interface StepForm {
  readonly tool: string;
  readonly args: readonly (readonly [name: string, form: ArgumentForm])[];
}

/** What follows the beginning of an open choice: a text and the end of the step. */
export const openTextGrammar = [String.raw`root ::= char char* "\"}}"`, String.raw`char ::= [^"\\\x00-\x1F] | "\\n"`, ""].join("\n");

const json = (text: string): string => JSON.stringify(text).slice(1, -1);

/**
 * Every step that may be written now, as JSON: `{"tool":"…","args":{…}}` with only tools that may run and only targets that are there. A form
 * that ends in free text gives an open choice. Forms with nothing to choose from are left out. Throws when nothing is left.
 */
export function stepChoices(forms: readonly StepForm[]): Choice[] {
  const choices = forms.flatMap((form): Choice[] => {
    let beginnings = [`{"tool":"${form.tool}","args":{`];
    for (const [index, [name, argument]] of form.args.entries()) {
      const key = `${index === 0 ? "" : ","}"${name}":"`;
      if (argument.kind !== "choice") {
        if (index !== form.args.length - 1) throw new RangeError(`${form.tool}: free text must stand last`);
        return beginnings.map((beginning) => ({ text: `${beginning}${key}`, open: true }));
      }
      beginnings = beginnings.flatMap((beginning) => argument.choices.map((choice) => `${beginning}${key}${json(choice)}"`));
    }
    return beginnings.map((beginning) => ({ text: `${beginning}}}` }));
  });
  if (choices.length === 0) throw new RangeError("a step needs at least one tool that may run");
  return choices;
}
