import type { Check, RevisionContent, SkillStep } from "#contract/skills/schema.ts";
import { callTarget, mapTexts, textsIn } from "../skills/index.ts";
import { isPlainCall, undecided } from "./plain-call.ts";

/** What stands for something left out; in a check it stands for anything. */
export const leftOut = "***";

/** What stands before the @ has at most 64 characters (RFC 5321): a long text without a space is not read again from each of its letters. */
const email = /[\p{L}\p{N}][\p{L}\p{N}._%+'’-]{0,63}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
/** In groups behind a plus or a nought, or as three, three and four: numbers of nine digits or more. */
const telephone =
  /(?<![\p{L}\p{N}.,:/+-])(?:(?:\+\d{1,3}|\(0\d{1,5}\)|0\d{2,5})(?:[ .-]?(?:\(0\))?\d{2,8}){1,5}|\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}[.-]\d{3}[.-]\d{4})(?![\p{L}\p{N}]|[-/]\d)/gu;

/** Addresses and numbers by which a person is reached, in a text, with what is done to each. */
function replaced(text: string, change: (found: string) => string): string {
  return text.replace(email, change).replace(telephone, (found) => (found.replace(/\D/gu, "").length >= 9 ? change(found) : found));
}

/** A text without e-mail addresses and telephone numbers; those among `kept` stay. */
export function withoutPersonalText(text: string, kept: ReadonlySet<string> = new Set()): string {
  return replaced(text, (found) => (kept.has(plain(found)) ? found : leftOut));
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s().-]/gu, "");
}

/**
 * A skill without the e-mail addresses and telephone numbers that are no values of its inputs: in its texts they are left out, in its checks they stand
 * for anything, and a call that held one is left to judgement (UNT-03).
 */
export function withoutPersonal(content: RevisionContent): RevisionContent {
  const inputs = content.bindings.flatMap((binding) => Object.values(binding.inputs));
  const kept = new Set([...inputs, ...Object.values(content.inputs.properties).flatMap(({ examples }) => examples)].map(plain));
  const { steps, bindings, ...rest } = content;
  return {
    ...mapTexts(rest, (text) => withoutPersonalText(text, kept)),
    bindings: bindings.map((binding) => ({ ...binding, goal: withoutPersonalText(binding.goal, kept) })),
    steps: steps.map(withoutPersonalStep),
  };
}

/** In a step an input is a placeholder: whatever else stands there is of one run. */
function withoutPersonalStep(step: SkillStep): SkillStep {
  const { call, check } = step;
  const words = mapTexts({ do: step.do, onFail: step.onFail }, (text) => withoutPersonalText(text));
  const safe: { check?: Check } = check ? { check: mapTexts(check, (text) => withoutPersonalText(text)) } : {};
  const held = Object.entries(call?.args ?? {}).filter(([, value]) => textsIn(value).some((text) => withoutPersonalText(text) !== text));
  if (call === undefined || held.length === 0) return { ...step, ...words, ...safe };
  if (isPlainCall(call))
    return undecided(
      step,
      held.map(([name]) => name),
    );
  const role = callTarget(call)?.role;
  return { do: role === undefined ? "Decide where to go on" : `Decide what to do with the ${role}`, onFail: words.onFail };
}
