import type { HostedAgent } from "#app/create-agent.ts";
import { KnackError } from "#contract/errors.ts";
import type { SecretInput } from "./secret-input.ts";

/** Opens the vault for this process: by the keychain where that is switched on and answers, else by the passphrase. */
export async function unlock(agent: HostedAgent, input: SecretInput): Promise<void> {
  const { state, keychain } = await agent.vault.status();
  if (state === "unlocked") return;
  if (state === "none") throw new KnackError("vault.none", "There is no vault yet. Make one with: knack vault init", { exit: 3 });
  if (keychain.state === "on") {
    try {
      await agent.vault.unlockByKeychain();
      return;
    } catch (error) {
      if (!(error instanceof KnackError)) throw error;
      // The passphrase opens it all the same.
    }
  }
  await agent.vault.unlock(await input.passphrase("Passphrase of the vault: "));
}
