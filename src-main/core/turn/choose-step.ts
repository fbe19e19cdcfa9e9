import type { TokenCount } from "#contract/chat/schema.ts";
import type { Call } from "#contract/skills/schema.ts";
import type { PageView } from "../ports/browser.ts";
import type { Keep, LanguageModel, PromptMessage } from "../ports/language-model.ts";
import { targetOf } from "../ports/target-of.ts";
import { openTextGrammar, type StepForm, stepChoices } from "../tools/index.ts";
import { readStep, replyStream, writeStep } from "./step-text.ts";
import { withoutRepeat } from "./without-repeat.ts";

export interface Chosen {
  readonly call: Call;
  /** The step's JSON exactly as it was generated: history keeps these bytes, so nothing is evaluated twice. */
  readonly written: string;
  readonly tokens: TokenCount;
  readonly complete: boolean;
}

const maxStepTokens = 320;

/**
 * One step by the model: only what the forms allow can be written. The label it chose becomes the target it stands for. With `begun` it is a reply that was
 * interrupted and goes on from there.
 * @param keep null for a question beside the conversation
 */
export async function chooseStep(
  model: LanguageModel,
  messages: readonly PromptMessage[],
  forms: readonly StepForm[],
  page: PageView | null,
  onText: (text: string) => void,
  keep: Keep | null,
  signal: AbortSignal,
  begun = "",
): Promise<Chosen> {
  const again = withoutRepeat(begun);
  const stream = replyStream(begun === "" ? onText : again.stream(onText));
  const opened = begun === "" ? null : writeStep("reply", { text: begun }).slice(0, -'"}}'.length);
  const generation = await model.generate(
    {
      messages,
      ...(keep === null ? {} : { keep }),
      choices: opened === null ? stepChoices(forms) : [{ text: opened, open: true }],
      grammar: openTextGrammar,
      maxTokens: maxStepTokens,
      onText: stream,
    },
    signal,
  );
  const tokens: TokenCount = { evaluated: generation.tokensEvaluated, reused: generation.tokensReused, generated: generation.tokensGenerated };
  const step = readStep(generation.text) ?? salvage(generation.text);
  if (!step)
    return {
      call: { tool: "ask_user", args: { question: "I could not put the next step into words. Could you say it differently?" } },
      written: generation.text,
      tokens,
      complete: false,
    };
  const args: Record<string, unknown> = { ...step.args };
  if (begun !== "" && step.tool === "reply" && typeof args.text === "string") args.text = again.whole(args.text);
  for (const named of step.tool === "browser_login" ? ["user", "password", "code"] : ["target"]) {
    const element = page?.elements.find((candidate) => candidate.label === args[named]);
    if (element) args[named] = targetOf(element);
  }
  return { call: { tool: step.tool, args }, written: generation.text, tokens, complete: generation.stopped === "end" };
}

/** A reply that ran into the token limit is still a reply: its text up to there is kept. */
function salvage(text: string): { tool: string; args: Record<string, string> } | undefined {
  const match = /^\{"tool":"(reply|ask_user)","args":\{"(text|question)":"([\s\S]*)$/u.exec(text);
  if (!match?.[1] || !match[2] || match[3] === undefined) return undefined;
  return (
    readStep(`{"tool":"${match[1]}","args":{"${match[2]}":"${match[3].replace(/\\$/u, "")}"}}`) ??
    readStep(`{"tool":"${match[1]}","args":{"${match[2]}":"${match[3].replace(/\\[^n"\\]*$/u, "")}"}}`)
  );
}
