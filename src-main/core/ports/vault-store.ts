/** What of an entry may be known while the vault is open, without a value. */
export interface EntryOutline {
  /** Never changes, also when the name does. */
  readonly id: string;
  /** Grows by one with each change; an older one is refused. */
  readonly revision: number;
  readonly name: string;
  readonly origins: readonly string[];
  readonly fields: readonly string[];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An entry to be sealed. */
export interface EntryContent {
  readonly name: string;
  readonly origins: readonly string[];
  /** By field: "username", "password", "totp" (an otpauth address), others. */
  readonly values: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Last line of the audit log that the vault itself vouches for. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}

/** What a change may do, in order; nothing of it is seen before it is on the disk. */
export interface VaultDraft {
  readonly entries: readonly EntryOutline[];
  /** A new entry without `id`, else the next revision of that one. Returns its id. */
  put(content: EntryContent, id?: string): string;
  remove(id: string): void;
}

/** A vault whose data key is in memory. After `close` every method throws "vault.locked". */
export interface OpenVault {
  /** 32 hexadecimal digits; the same for the life of the vault. */
  readonly id: string;
  /** By name. What another process changed since is read first. */
  entries(): readonly EntryOutline[];
  /** Decrypts one entry now. Throws "vault.not-opened" where it does not belong where it stands. */
  content(id: string): EntryContent;
  readonly auditHead: AuditHead | null;
  /**
   * Reads what is on the disk, lets `edit` change it and writes it, as the one writer of all processes. Throws "vault.busy" where another one writes, what
   * `edit` throws, and "vault.save" where the disk refuses; the vault is then as it was.
   */
  change(edit: (draft: VaultDraft) => void, auditHead: AuditHead | null): void;
  /** Wraps the same data key by another passphrase. Zeroes both. Throws "vault.not-opened" where `current` is wrong. */
  changePassphrase(current: Uint8Array, next: Uint8Array): Promise<void>;
  /** A new data key, every entry sealed anew. Zeroes the passphrase. Throws "vault.not-opened" where it is wrong. */
  rotate(passphrase: Uint8Array): Promise<void>;
  /** Throws "vault.not-opened" where it is wrong. Zeroes it. */
  check(passphrase: Uint8Array): Promise<void>;
  /** A copy of the data key, for the operating system's keychain and nothing else; the caller zeroes it. */
  dataKey(): Uint8Array;
  /** Overwrites the key with zeroes. */
  close(): void;
}

/** The file the vault is in. Passphrases are UTF-8 in NFKC, and zeroed by whoever takes them. */
export interface VaultStore {
  exists(): boolean;
  /** Throws "vault.exists". */
  create(passphrase: Uint8Array): Promise<OpenVault>;
  /** Throws "vault.not-opened", the same for a wrong passphrase and an altered file; "vault.none"; "vault.newer". */
  open(passphrase: Uint8Array): Promise<OpenVault>;
  /** Opens by a data key that the keychain kept; zeroes it. */
  openByKey(dataKey: Uint8Array): OpenVault;
  /** The id without opening it, to find its key in a keychain; null where there is no vault, or no file that is one. */
  id(): string | null;
}
