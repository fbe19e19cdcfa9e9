import type { AgentConfig } from "#app/config.ts";
import type { HostedAgent } from "#app/create-agent.ts";
import { KnackError } from "#contract/errors.ts";
import { isPersonThere } from "./ask-person.ts";
import type { Screen } from "./screen.ts";
import { type SecretInput, secretInput } from "./secret-input.ts";
import type { Session } from "./session.ts";

const mostTries = 3;

/** For a login that needs the vault: only where somebody sits at the terminal, never from a pipe. `askHidden` where the terminal is read already. */
export function unlockerAt(screen: Screen, session: Session, askHidden?: (question: string) => Promise<string>): Pick<AgentConfig, "unlock"> {
  if (!isPersonThere()) return {};
  return {
    async unlock(vault, entry) {
      screen.status(null);
      screen.note(`Knack wants to sign in with the login "${entry}", and the vault is locked.`);
      for (let tries = 1; ; tries += 1) {
        try {
          return await unlock({ vault }, askHidden === undefined ? secretInput(session, undefined) : { passphrase: askHidden });
        } catch (error) {
          const isWrong = error instanceof KnackError && error.code === "vault.not-opened";
          screen.note(error instanceof Error ? error.message : String(error), "yellow");
          if (!isWrong || tries === mostTries) throw error;
        }
      }
    },
  };
}

/** Opens the vault for this process: by the keychain where that is switched on and answers, else by the passphrase. */
export async function unlock(agent: Pick<HostedAgent, "vault">, input: Pick<SecretInput, "passphrase">): Promise<void> {
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
