/** The operating system's keychain, where there is one that protects what it keeps. */
export interface SecretStore {
  /** What it is, for people: "the keychain of macOS". */
  readonly name: string;
  /** Why what it keeps would not be protected, with the way on; null where it is. Asked each time: a keychain may be locked or gone. */
  problem(): Promise<string | null>;
  /** The secret kept under this name, or null. */
  get(name: string): Promise<string | null>;
  set(name: string, secret: string): Promise<void>;
  remove(name: string): Promise<void>;
}
