export { openAge, sealAge } from "./age-file.ts";
export type { Cost } from "./derive-key.ts";
export { systemKeychain } from "./system-keychain.ts";
export { readTotp, type TotpCode, totpCode, totpSeed } from "./totp.ts";
export { openVaultStore, type VaultStoreOptions } from "./vault-store.ts";
