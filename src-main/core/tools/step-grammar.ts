import { grammarText } from "#base/grammar-text.ts";

/** What one argument of a step may be. Names and values that exist are enumerated; the rest is free text. */
export type ArgumentForm =
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  /** Free text on one line without quotes: under a grammar a string ends at the first quote the model writes. */
  | { readonly kind: "text" }
  | { readonly kind: "url" };

/** One way a step may be written: a tool with the forms of its arguments, in order. */
export interface StepForm {
  readonly tool: string;
  readonly args: readonly (readonly [name: string, form: ArgumentForm])[];
}

const json = (text: string): string => JSON.stringify(text).slice(1, -1);

function argumentRule(form: ArgumentForm): string {
  switch (form.kind) {
    case "choice":
      return `(${form.choices.map((choice) => grammarText(json(choice))).join(" | ")})`;
    case "url":
      return "url";
    default:
      return "text";
  }
}

/**
 * The grammar of one step: `{"tool":"…","args":{…}}` with only tools that may run now and only targets that are there. Forms whose
 * choices are empty are left out. Throws when nothing is left.
 */
export function stepGrammar(forms: readonly StepForm[]): string {
  const usable = forms.filter((form) => form.args.every(([, argument]) => argument.kind !== "choice" || argument.choices.length > 0));
  if (usable.length === 0) throw new RangeError("a step grammar needs at least one tool that may run");
  const rules = usable.map((form) => {
    const args = form.args
      .map(([name, argument], index) => `${grammarText(`${index === 0 ? "" : ","}"${name}":"`)} ${argumentRule(argument)} ${grammarText('"')}`)
      .join(" ");
    return `${grammarText(`{"tool":"${form.tool}","args":{`)} ${args} ${grammarText("}}")}`;
  });
  return [
    `root ::= ${rules.map((_, index) => `step${index}`).join(" | ")}`,
    ...rules.map((rule, index) => `step${index} ::= ${rule}`),
    String.raw`text ::= char char*`,
    String.raw`char ::= [^"\\\x00-\x1F] | "\\n"`,
    String.raw`url ::= "http" "s"? "://" [a-zA-Z0-9.:-]+ ("/" [a-zA-Z0-9_.~%?&=/+-]*)?`,
    "",
  ].join("\n");
}
