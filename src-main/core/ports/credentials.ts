/** A login that wants values of an entry. */
export interface CredentialRequest {
  /** Name of the vault entry. */
  readonly entry: string;
  /** Origin of the document that holds the fields, as the browser tells it: "https://app.test", "https://app.test:8443". */
  readonly origin: string;
  /** What is wanted: "username", "password", "totp", or a field of the user's own. */
  readonly fields: readonly string[];
}

/** Values on their way into a page, for as long as `use` runs. */
export interface CredentialValues {
  /**
   * The value of a field that was asked for, at the last moment; of "totp" the code of this moment. Throws "vault.locked" once the vault was locked, and
   * "vault.over" after the use has ended. Every value taken is masked in all texts from before it is handed out.
   */
  take(field: string): string;
}

/**
 * The only way a value leaves the vault. The entry must be bound to exactly this origin; the caller has looked at the document, its frames and the form
 * before, and injects without reading back.
 *
 * Rejects, before any value is read, with KnackError (exit 3): "vault.locked"; "cred.origin", the same for an entry that is not bound to the origin, one
 * that lacks a field and one that does not exist. `signal` aborts when the vault is locked while `use` runs. Each release and each refusal is one line of
 * the audit log; what `use` throws passes on, without the values in it.
 */
export type WithCredential = <T>(request: CredentialRequest, use: (values: CredentialValues, signal: AbortSignal) => Promise<T>) => Promise<T>;

/** What a login needs of the vault. */
export interface Credentials {
  readonly withCredential: WithCredential;
  /** Names and origins of the entries, by name; empty while it is locked. */
  bindings(): ReadonlyMap<string, readonly string[]>;
  /** What an entry holds, by the names of its fields; nothing while it is locked, and of one that does not exist. */
  fields(entry: string): readonly string[];
  /** There is a vault, and it is not open. */
  isLocked(): boolean;
  /** Whether a text holds a value that was handed out, or one of the open vault, in whatever encoding. */
  holdsValue(text: string): boolean;
  /** Milliseconds until a login may be tried again; they grow with those that were refused, and with each use of the same entry. */
  waitMs(entry: string): number;
  /** Counts a login: what refused it, or null where the page was filled in. What a page did to be refused is written down, and told to the user where it tried to send values elsewhere. */
  tried(entry: string, refusal: { readonly code: string; readonly origin: string } | null): void;
  /** Values released since the process began; for tests that must see that none was. */
  readonly released: number;
}
