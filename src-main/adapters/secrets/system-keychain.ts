import type { SecretStore } from "#core/ports/secret-store.ts";

/** The name everything of Knack is under in a keychain. */
const service = "Knack vault";

/**
 * The keychain of macOS, the credential store of Windows, or the secret service of a Linux desktop (KWallet, GNOME Keyring). The library is loaded at
 * first use: it is not there for every platform, and most vaults never ask.
 */
export function systemKeychain(): SecretStore {
  const entryOf = async (name: string) => {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    // Linux has a second store, in the kernel, which any program of this user reads and which is empty after a restart: it protects nothing.
    return new AsyncEntry(service, name, { linux: { store: "secret-service" } });
  };
  return {
    name: nameOn(process.platform),
    async problem() {
      try {
        // Asks the keychain, and finds out whether there is one that answers.
        await (await entryOf("probe")).getPassword();
        return null;
      } catch (error) {
        return `${nameOn(process.platform)} does not answer (${messageOf(error)}). Use a passphrase, or start a keychain and try again.`;
      }
    },
    get: async (name) => (await (await entryOf(name)).getPassword()) ?? null,
    set: async (name, secret) => (await entryOf(name)).setPassword(secret),
    async remove(name) {
      await (await entryOf(name)).deletePassword();
    },
  };
}

function nameOn(platform: NodeJS.Platform): string {
  if (platform === "darwin") return "the keychain of macOS";
  if (platform === "win32") return "the credential store of Windows";
  return "the keychain of the desktop (Secret Service)";
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/gu, " ").trim().slice(0, 200);
}
