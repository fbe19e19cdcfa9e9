import type { Send } from "#contract/chat/schema.ts";
import type { Redactor } from "#core/vault/index.ts";
import { notice } from "./upkeep.ts";

/** A value of the vault that a person pastes into the chat is masked before anything reads it, so that nothing later depends on it; they are told. */
export function maskMessage(world: Parameters<typeof notice>[0], redactor: Redactor, input: Send): Send {
  const masked = redactor.redactDeep(input);
  if (masked !== input)
    notice(
      world,
      "A value of your vault was in a message",
      "It was masked before anything was stored or read. Name the login instead: Knack types its values where they belong. If others could read the message before, change the value at its site.",
    );
  return masked;
}
