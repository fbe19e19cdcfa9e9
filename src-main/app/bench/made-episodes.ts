import { seeded, seedOf } from "#base/seeded.ts";
import type { Outcome, Step } from "#contract/chat/schema.ts";
import type { SkillWorld } from "../skills.ts";
import { phrasingsOf, topicOf } from "./made-skills.ts";

const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const hourMs = 3_600_000;
const noTokens = { evaluated: 0, reused: 0, generated: 0 };
/** Episodes a transaction. */
const batch = 25;

export const stepsAnEpisode = 10;

/** Writes episodes number `from` to `to` of those that a seed gives, each in a conversation of its own; the n-th is the same in every store. */
export async function addEpisodes(
  { stores, clock }: SkillWorld,
  { from, to, kinds }: { readonly from: number; readonly to: number; readonly kinds: number },
  signal: AbortSignal,
): Promise<void> {
  const now = clock();
  for (let first = from; first < to; first += batch) {
    stores.transaction(() => {
      for (let n = first; n < Math.min(to, first + batch); n += 1) addEpisode({ stores }, n, kinds, now - (to - n) * hourMs);
    });
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
}

function addEpisode({ stores }: Pick<SkillWorld, "stores">, n: number, kinds: number, at: number): void {
  const pick = seeded(seedOf(`episode ${n}`));
  // Some tasks are done often, most of them seldom.
  const kind = Math.floor(pick() ** 2 * kinds);
  const topic = topicOf(kind);
  const [month, reference] = [months[Math.floor(pick() * 12)] ?? "", `AB-${1000 + Math.floor(pick() * 9000)}`];
  const phrasings = phrasingsOf(topic);
  const goal = `${phrasings[Math.floor(pick() * phrasings.length)] ?? ""}, ${month} 2027, reference ${reference}, at ${topic.site}`;
  const id = `made-${String(n).padStart(6, "0")}`;
  stores.conversations.create({ id, title: goal.slice(0, 60), createdAt: at, updatedAt: at });
  stores.trace.addTurn({
    id,
    conversationId: id,
    episodeId: id,
    status: "done",
    skillId: null,
    revision: null,
    mode: null,
    recall: null,
    startedAt: at,
    endedAt: at + 60_000,
    tokens: noTokens,
  });
  stores.trace.addEpisode({
    id,
    conversationId: id,
    goal,
    outcome: outcomeFor(pick()),
    reason: "made for a bench",
    open: false,
    createdAt: at,
    closedAt: at + 60_000,
  });
  for (const [index, step] of stepsOf(kind, month, reference).entries())
    stores.trace.addStep({ ...step, id: `${id}-${index}`, turnId: id, episodeId: id, index, startedAt: at + index * 1000, durationMs: 900, tokens: noTokens });
}

/** Most go well. */
function outcomeFor(share: number): Outcome | null {
  return share < 0.8 ? "success" : share < 0.88 ? "claimed_success" : share < 0.95 ? "failure" : share < 0.98 ? "abandoned" : null;
}

type MadeStep = Pick<Step, "tool" | "args" | "status" | "text" | "details">;

/**
 * A form of the site that is filled and sent, with looks at the page between; pages of a size as they are met. Every fourth kind uses a form whose fields
 * are called as those of others on the site, so that there are large groups too.
 */
function stepsOf(kind: number, month: string, reference: string): MadeStep[] {
  const { verb, thing, place, site } = topicOf(kind);
  const form = kind % 4 === 0 ? "" : ` of the ${thing} to ${verb}`;
  const after = (heading: string, path: string): Record<string, unknown> => ({
    url: `${site}/${path}`,
    title: heading,
    heading,
    text: `${heading}\n${`What the ${place} says of every ${thing} stands here, in some words. `.repeat(18)}`,
  });
  const siblings = Array.from({ length: 8 }, (_, at) => `${place} service ${at + 1}`);
  const step = (tool: string, args: Step["args"], heading: string, path: string): MadeStep => ({
    tool,
    args,
    status: "ok",
    text: heading,
    details: { siblings, landmark: "main", context: `${place} ${thing}`, after: after(heading, path) },
  });
  const press = (role: string, name: string, heading: string, path: string): MadeStep => step("browser_click", { target: { role, name } }, heading, path);
  const type = (name: string, text: string): MadeStep => step("browser_fill", { target: { role: "textbox", name }, text }, thing, "form");
  return [
    step("browser_open", { url: site }, place, ""),
    step("browser_snapshot", {}, place, ""),
    press("link", `All of the ${place}`, `All of the ${place}`, "all"),
    press("link", thing, thing, "form"),
    type(`Month${form}`, `${month} 2027`),
    type(`Reference${form}`, reference),
    step("browser_snapshot", {}, thing, "form"),
    press("button", `${verb} it`, `Check your ${thing}`, "check"),
    press("button", "Confirm", `Done: ${verb} ${thing}`, "done"),
    { tool: "reply", args: { text: "It is done." }, status: "ok", text: "", details: {} },
  ];
}
