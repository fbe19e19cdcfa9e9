import type { ConversationView, TurnView } from "#contract/chat/reducer.ts";
import type { Message } from "#contract/chat/schema.ts";

/** What the user asked in a turn. */
export function questionOf(view: ConversationView, turn: TurnView): Message | null {
  return view.messages.find((message) => message.turnId === turn.turn.id && message.role === "user") ?? null;
}

/** The stored answer of a turn, also when it was cut off. */
export function answerOf(view: ConversationView, turn: TurnView): Message | null {
  return view.messages.findLast((message) => message.turnId === turn.turn.id && message.role === "assistant") ?? null;
}

/** The name and revision in charge; a stored turn knows the name from its recall, else only the id. */
export function chargeOf({
  turn,
  skill,
}: TurnView): { readonly name: string; readonly revision: number; readonly inputs: Readonly<Record<string, string>>; readonly isNamed: boolean } | null {
  if (skill !== null) return { ...skill, isNamed: true };
  if (turn.skillId === null || turn.revision === null) return null;
  const name = turn.recall?.skillId === turn.skillId ? turn.recall.skillName : null;
  return { name: name ?? turn.skillId, revision: turn.revision, inputs: {}, isNamed: name !== null };
}
