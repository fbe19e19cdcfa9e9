import { clip } from "#base/text.ts";
import { languageOf } from "../prompt/index.ts";
import { type Hands, isRefusedTwice, resultText } from "./hands.ts";
import type { Ended, Scene } from "./scene.ts";
import { noTokens } from "./scene.ts";

/** How the host answered, or what it did before the model goes on with the rest of the message. */
export type FromMemory = { readonly kind: "ended"; readonly ended: Ended } | { readonly kind: "forgot"; readonly told: string };

const words = {
  English: {
    forgotten: "Forgotten. What you wrote about it yourself stays in the conversation until you delete that; I do not read it any more.",
    nothing: "Nothing is kept about that, so there is nothing to forget.",
    which: (list: string) => `Which of these is to be forgotten: ${list}?`,
  },
  German: {
    forgotten: "Vergessen. Was du selbst dazu geschrieben hast, bleibt im Gespräch, bis du es löschst; ich lese es nicht mehr.",
    nothing: "Dazu ist nichts gespeichert, also gibt es nichts zu vergessen.",
    which: (list: string) => `Was davon soll vergessen werden: ${list}?`,
  },
} as const;
/** Of the user or of what they told: "forget my name", not "forget it, let us go on". */
const ofTheUser = /\b(?:my|me|mine|i|i'm|everything|all|mein\p{L}*|mich|mir|ich|alles)\b/iu;
const longestNamed = 80;

/** A question after an answer; after a list on a line of its own. */
export function withQuestion(answer: string, question: string): string {
  return answer.includes("\n") ? `${answer}\n\n${question}` : `${answer} ${question}`;
}

/**
 * What the host does by itself in a free turn, because a small model does it badly: to forget what the user's words speak of, once they agreed, and to answer
 * what only memory knows. Null where the model is to answer.
 */
export async function fromMemory(scene: Scene, hands: Hands): Promise<FromMemory | null> {
  const { world, turn, input, charge, cutOff } = scene;
  if (charge !== null || cutOff !== null || input.hint !== undefined || hands.page !== null || !world.settings().memory) return null;
  const keeper = world.keepMemory(turn);
  const say = words[languageOf(input.text) === "German" ? "German" : "English"];
  const asked = keeper.askedToForget();
  if (asked === null) {
    const answer = keeper.answerTo(input.text, scene.kept);
    if (answer === null) return null;
    const question = keeper.questionAfter(input.text, answer);
    const says = question === null ? answer : withQuestion(answer, question);
    return { kind: "ended", ended: { kind: "said", says, acted: false, verified: null, tokens: noTokens } };
  }
  if (asked.facts.length === 0) {
    if (!asked.isAll || !ofTheUser.test(input.text)) return null;
    return { kind: "ended", ended: { kind: "said", says: say.nothing, acted: false, verified: null, tokens: noTokens } };
  }
  if (asked.isUnclear) {
    const list = asked.facts.map(({ text }) => `"${clip(text, longestNamed)}"`).join(", ");
    return { kind: "ended", ended: { kind: "asked", says: say.which(list), tokens: noTokens } };
  }
  const done = await hands.act({ tool: "forget", args: { which: asked.facts.map(({ id }) => id).join(" ") } }, null, noTokens);
  const { step, askUser } = done;
  if (askUser !== null && isRefusedTwice(step)) return { kind: "ended", ended: { kind: "asked", says: askUser, tokens: noTokens } };
  if (step.status !== "ok") return { kind: "ended", ended: { kind: "failed", says: askUser ?? step.text, reason: step.text, tokens: noTokens } };
  if (!asked.isAll) return { kind: "forgot", told: resultText(done, scene.desk.marker) };
  return { kind: "ended", ended: { kind: "said", says: say.forgotten, acted: true, verified: "it is kept no longer", tokens: noTokens } };
}
