import type { Send } from "#contract/chat/schema.ts";
import { withoutToldSecrets } from "#core/learning/index.ts";
import { asksToRemember } from "#core/tools/index.ts";
import type { Redactor } from "#core/vault/index.ts";
import { notice } from "./upkeep.ts";

/**
 * A value of the vault that a person pastes into the chat, and a secret they tell in it, is masked before anything reads it, so that nothing later depends on
 * it and nothing shows or keeps it; they are told.
 */
export function maskMessage(world: Parameters<typeof notice>[0], redactor: Redactor, input: Send): Send {
  const masked = redactor.redactDeep(input);
  if (masked !== input)
    notice(
      world,
      "A value of your vault was in a message",
      "It was masked before anything was stored or read. Name the login instead: Knack types its values where they belong. If others could read the message before, change the value at its site.",
    );
  const text = withoutToldSecrets(masked.text, asksToRemember(masked.text));
  if (text === masked.text) return masked;
  notice(
    world,
    "A password, key or card number was in a message",
    "It was masked before anything was stored or read. A secret belongs in the vault: Knack types it where it belongs, and no prompt ever shows it.",
  );
  return { ...masked, text };
}
