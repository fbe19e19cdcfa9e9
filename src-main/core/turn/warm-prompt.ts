import type { Keep, PromptMessage } from "../ports/language-model.ts";
import { freezeState } from "../skills/index.ts";
import { promptHistory } from "./desk.ts";
import { systemText } from "./system-text.ts";
import type { Desk, TurnWorld } from "./world.ts";

/**
 * What the next prompt of a conversation begins with, as far as it is known before its message is; `desk` null for one that has not begun. Rejects as a turn
 * would where a block cannot be read.
 */
export async function warmPrompt(world: TurnWorld, desk: Desk | null): Promise<{ readonly messages: readonly PromptMessage[]; readonly keep: Keep }> {
  const { L1 } = await world.blocks();
  const system: PromptMessage = { role: "system", text: systemText({ world, state: freezeState(world.state()) }, false, L1) };
  return { messages: [system, ...(desk === null ? [] : promptHistory(desk))], keep: { conversation: desk?.conversationId ?? null, prefix: 1 } };
}
