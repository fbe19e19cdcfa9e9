import { fold } from "#base/text.ts";
import type { Step } from "#contract/chat/schema.ts";
import type { Fact } from "#contract/memory/schema.ts";
import { factKeys } from "#core/learning/index.ts";
import type { Stores } from "#core/ports/index.ts";

type World = { readonly stores: Pick<Stores, "facts" | "trace" | "alerts" | "transaction"> };

/** What stands where a fact was quoted. */
const forgottenWords = "What this told of was forgotten.";

/**
 * Takes a fact out of everything that may quote it, in one transaction: its row with its words in the index and all it said before, the steps by which it was
 * kept or looked up, and alerts. The message it was said in is the conversation's and stays with it.
 */
export function forgetFact({ stores }: World, fact: Fact, at: number): void {
  const { facts } = stores;
  stores.transaction(() => {
    const texts = [fact.text, fact.provenance?.sentence ?? "", ...facts.history(fact.id).flatMap(({ text, provenance }) => [text, provenance?.sentence ?? ""])];
    facts.remove(fact.id, at);
    forgetInSteps(stores, fact.id, texts);
    forgetInAlerts(stores, texts);
  });
}

function forgetInSteps({ trace }: World["stores"], id: string, texts: readonly string[]): void {
  const keys = new Set(texts.filter((text) => text !== "").flatMap(factKeys));
  const tells = quotes(texts);
  for (const step of trace.stepsOfMemory()) {
    const given = Object.values(step.args).map(String);
    if (!names(step, id) && !tells([...given, step.text].join("\n")) && !given.some((text) => factKeys(text).some((key) => keys.has(key)))) continue;
    const details = Object.fromEntries(
      Object.entries(step.details).filter(([key]) => key === "factId" || key === "facts" || key === "messages" || key === "code"),
    );
    trace.updateStep({ ...step, args: {}, text: forgottenWords, details });
  }
}

/** Whether a step says of itself that it was about this fact. */
function names({ details }: Step, id: string): boolean {
  return details.factId === id || (Array.isArray(details.facts) && details.facts.includes(id));
}

function forgetInAlerts({ alerts }: World["stores"], texts: readonly string[]): void {
  const tells = quotes(texts);
  for (const { id, title, detail, resolution } of alerts.list({ all: true })) {
    if (!tells(`${title}\n${detail}\n${resolution ?? ""}`)) continue;
    alerts.reword(id, {
      title: tells(title) ? forgottenWords : title,
      detail: tells(detail) ? forgottenWords : detail,
      resolution: resolution !== null && tells(resolution) ? forgottenWords : resolution,
    });
  }
}

/** Whether a text holds one of these as it was written; what is too short to tell anything is not looked for. */
function quotes(texts: readonly string[]): (text: string) => boolean {
  const wanted = texts.map(fold).filter((text) => text.length > 3);
  return (text) => {
    const folded = fold(text);
    return wanted.some((one) => folded.includes(one));
  };
}
