import { seeded } from "#base/seeded.ts";
import type { Turn } from "#contract/chat/schema.ts";
import type { SkillWorld } from "../skills.ts";
import { phrasingsOf, topicOf } from "./made-skills.ts";

/** Turns a transaction. */
const batch = 500;
const noTokens = { evaluated: 0, reused: 0, generated: 0 };

/** A conversation of so many messages, as years of use leave it: a question and an answer a turn, in every fifth a few steps, some answers long. Returns its id. */
export function fillConversation({ stores, makeId, clock }: Pick<SkillWorld, "stores" | "makeId" | "clock">, messages: number): string {
  const { conversations, trace } = stores;
  const id = makeId();
  const turns = Math.ceil(messages / 2);
  const startedAt = clock() - turns * 60_000;
  conversations.create({ id, title: "A conversation of years", createdAt: startedAt, updatedAt: clock() });
  for (let from = 0; from < turns; from += batch) {
    stores.transaction(() => {
      for (let n = from; n < Math.min(turns, from + batch); n += 1) addTurn(n, startedAt + n * 60_000);
    });
  }
  return id;

  function addTurn(n: number, at: number): void {
    const [turnId, episodeId] = [makeId(), makeId()];
    const question = phrasingsOf(topicOf(n))[n % 7] ?? "";
    trace.addEpisode({ id: episodeId, conversationId: id, goal: question, outcome: null, reason: null, open: false, createdAt: at, closedAt: at + 5000 });
    const turn: Turn = {
      id: turnId,
      conversationId: id,
      episodeId,
      status: "done",
      skillId: null,
      revision: null,
      mode: null,
      recall: null,
      startedAt: at,
      endedAt: at + 5000,
      tokens: { evaluated: 300, reused: 2000, generated: 80 },
    };
    trace.addTurn(turn);
    const said = { conversationId: id, turnId, status: "complete" as const };
    conversations.addMessage({ ...said, id: makeId(), role: "user", text: question, createdAt: at });
    if (n % 5 === 0) for (let index = 0; index < 3; index += 1) addStep(turn, index, at);
    conversations.addMessage({ ...said, id: makeId(), role: "assistant", text: answerOf(n), createdAt: at + 4000 });
  }

  function addStep({ id: turnId, episodeId }: Turn, index: number, at: number): void {
    const args = { target: `link Section ${index}` };
    const step = { turnId, episodeId, index, tool: "browser_click", args, status: "ok" as const, text: "The page shows the section.", details: {} };
    trace.addStep({ ...step, id: makeId(), startedAt: at + index * 100, durationMs: 90, tokens: noTokens });
  }
}

function answerOf(n: number): string {
  const next = seeded(n + 1);
  const { verb, thing, place } = topicOf(n);
  const sentence = (): string => `To ${verb} the ${thing} at the ${place} number ${Math.floor(next() * 100_000)} of its kind was looked at.`;
  const paragraph = Array.from({ length: 1 + Math.floor(next() * 5) }, sentence).join(" ");
  if (n % 11 === 0) return `${paragraph}\n\n| what | how many |\n|---|---|\n| ${thing} | ${n} |\n| ${place} | ${n * 2} |`;
  if (n % 7 === 0) return `${paragraph}\n\n\`\`\`js\nconst ${verb} = ${n};\n\`\`\`\n\n${sentence()}`;
  return n % 3 === 0 ? `${paragraph}\n\n- ${sentence()}\n- ${sentence()}` : paragraph;
}
