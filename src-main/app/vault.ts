import type { ZodType, z } from "zod";
import type { Clock } from "#base/clock.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Settings } from "#contract/settings/schema.ts";
import { type NewVaultEntry, newVaultEntrySchema, passphraseSchema, type VaultChange, type VaultImport, vaultChangeSchema } from "#contract/vault/routes.ts";
import type { VaultAction, VaultAudit, VaultEntry, VaultStatus } from "#contract/vault/schema.ts";
import type {
  Credentials,
  EntryContent,
  EntryOutline,
  GrantStore,
  OpenVault,
  SecretStore,
  SettingStore,
  VaultLogStore,
  VaultStore,
} from "#core/ports/index.ts";
import { boundOrigin, fillFrom, LoginPace, printable, type Redactor, redactability, vaultLocked } from "#core/vault/index.ts";
import { readExport, writeExport } from "./vault-export.ts";

/** The vault for a person: everything of it but a value. */
export interface AgentVault {
  status(): Promise<VaultStatus>;
  /** Throws "vault.exists". It is unlocked then. */
  create(passphrase: string): Promise<VaultStatus>;
  /** Throws "vault.not-opened"; "vault.wait" (exit 3) after several wrong ones, in any process. For this process alone. */
  unlock(passphrase: string): Promise<VaultStatus>;
  unlockByKeychain(): Promise<VaultStatus>;
  /** In every process of this data folder; the key's memory is overwritten. */
  lock(why?: "asked" | "suspended" | "closing"): void;
  entries(): VaultEntry[];
  entry(name: string): VaultEntry;
  add(entry: NewVaultEntry): VaultEntry;
  edit(name: string, change: VaultChange): VaultEntry;
  remove(name: string): void;
  /** Wraps the key anew; entries stay as they are, and the old passphrase opens nothing any more. */
  changePassphrase(current: string, next: string): Promise<void>;
  /** Seals every entry by a new key. */
  rotate(passphrase: string): Promise<void>;
  /** Newest first. */
  audit(limit: number): VaultAudit[];
  /** An age file; the vault's own passphrase is asked for once more, so that whoever sits at an open page gets nothing. */
  export(passphrase: string, exportPassphrase: string): Promise<{ text: string; entries: number }>;
  /** Adds what is in an age file that `export` wrote; entries whose name is taken are left out and told. */
  import(file: string, passphrase: string): Promise<VaultImport>;
  setKeychain(on: boolean): Promise<VaultStatus>;
}

export interface VaultWorld {
  readonly store: VaultStore;
  readonly log: VaultLogStore;
  readonly settingStore: SettingStore;
  readonly settings: () => Settings;
  readonly grants: GrantStore;
  readonly keychain: SecretStore;
  readonly redactor: Redactor;
  readonly totp: {
    readonly read: (text: string) => string;
    readonly code: (address: string, now: number) => { readonly code: string; readonly validMs: number };
    readonly seed: (address: string) => string;
  };
  readonly age: {
    readonly seal: (text: string, passphrase: string) => Promise<string>;
    readonly open: (file: Uint8Array, passphrase: string) => Promise<string>;
  };
  readonly clock: Clock;
  /** A page tried to send a login to an origin its entry is not bound to. */
  readonly onFlagged?: (entry: string, origin: string) => void;
}

/** How often an open vault looks whether it is to be locked: by its idle time, or because another process was told to. */
const lookEveryMs = 5000;
/** More would make the redactor slow and large: it looks for each value in some sixty spellings. */
const mostEntries = 1000;
/** Wrong passphrases in a row that cost no wait. */
const freeAttempts = 3;
const longestWaitMs = 5 * 60_000;

/** Doubles from a second to five minutes. */
function waitAfter(failures: number): number {
  return failures < freeAttempts ? 0 : Math.min(1000 * 2 ** (failures - freeAttempts), longestWaitMs);
}

export interface HostedVault extends Credentials {
  readonly person: AgentVault;
  close(): void;
}

/** Joins the file, the keychain, the audit log and the redactor of one process. */
export function makeVault(world: VaultWorld): HostedVault {
  const { store, log, redactor, keychain, settingStore, clock } = world;
  let vault: OpenVault | null = null;
  let openedAt = 0;
  let usedAt = 0;
  let looking: NodeJS.Timeout | undefined;
  let released = 0;
  let masksTold = redactor.masks;
  const outside = new Set<AbortController>();
  const pace = new LoginPace(clock);

  function note(action: VaultAction, entry = "", origin = "", decision = "ok"): void {
    const masks = redactor.masks;
    log.add({ at: clock(), action, entry, origin, decision, masks: masks - masksTold });
    masksTold = masks;
  }

  const idleMs = (): number => world.settings().vaultIdleMinutes * 60_000;
  const locksAt = (): number => usedAt + idleMs();

  /** The vault where it is open and still may be; null elsewhere. Does not count as a use. */
  function peek(): OpenVault | null {
    if (vault === null) return null;
    const toldAt = settingStore.get("vaultLockedAt");
    if (typeof toldAt === "number" && toldAt > openedAt) lock("asked elsewhere");
    else if (clock() >= locksAt()) lock("idle");
    return vault;
  }

  function use(): OpenVault {
    const open = peek();
    if (open === null) {
      if (!store.exists()) throw new KnackError("vault.none", "There is no vault yet. Make one with: knack vault init, or on the Vault page.", { exit: 3 });
      throw vaultLocked();
    }
    usedAt = clock();
    return open;
  }

  function lock(why: string): void {
    if (vault === null) return;
    const open = vault;
    vault = null;
    clearInterval(looking);
    open.close();
    redactor.know([]);
    for (const control of outside) control.abort(vaultLocked());
    note("lock", "", "", why);
  }

  function take(open: OpenVault, how: VaultAction): void {
    vault?.close();
    vault = open;
    openedAt = usedAt = clock();
    clearInterval(looking);
    looking = setInterval(peekQuietly, lookEveryMs).unref();
    learnValues();
    note(how);
  }

  function peekQuietly(): void {
    try {
      peek();
    } catch {
      // The store is closing; the key goes with the process.
    }
  }

  /** Everything that must not be read anywhere; names of accounts only once they were used, for people write them everywhere. */
  function learnValues(): void {
    const open = vault;
    if (open === null) return;
    redactor.know(
      open.entries().flatMap(({ id, name }) =>
        Object.entries(open.content(id).values).flatMap(([field, value]) => {
          if (field === "username") return [];
          return [{ name, value: field === "totp" ? world.totp.seed(value) : value }];
        }),
      ),
    );
  }

  /** Counts the attempt before it is made, so that many at once are no way around the wait. */
  async function attempt<T>(action: VaultAction, work: () => Promise<T>): Promise<T> {
    const wait = log.countAttempt(clock(), waitAfter);
    if (wait > 0) {
      note(action, "", "", "vault.wait");
      throw new KnackError("vault.wait", `Too many wrong passphrases. Wait ${Math.ceil(wait / 1000)} s before the next one.`, {
        exit: 3,
        fields: { waitMs: wait },
      });
    }
    try {
      const done = await work();
      log.clearAttempts();
      return done;
    } catch (error) {
      const code = error instanceof KnackError ? error.code : "internal";
      if (code !== "vault.not-opened") log.uncountAttempt();
      note(action, "", "", code);
      throw error;
    }
  }

  function named(open: OpenVault, name: string): EntryOutline {
    const found = open.entries().find((entry) => entry.name === name);
    if (found === undefined) throw badInput(`There is no entry "${name}" in the vault; see: knack vault list`);
    return found;
  }

  function shown(open: OpenVault, { id, name, origins, fields, createdAt, updatedAt }: EntryOutline): VaultEntry {
    const { values } = open.content(id);
    const unmasked = fields.filter((field) => field !== "totp" && !redactability(values[field] ?? "").redactable);
    return { name, origins: [...origins], fields: [...fields], unmasked, createdAt, updatedAt };
  }

  function change(action: VaultAction, entry: string, edit: Parameters<OpenVault["change"]>[0]): void {
    const open = use();
    // The vault vouches for the log up to its newest line.
    open.change(edit, log.head());
    learnValues();
    note(action, entry);
  }

  const auditProblem = (): string | null => {
    const broken = log.firstBroken(peek()?.auditHead ?? null);
    return broken === null
      ? null
      : `The audit log was changed: line ${broken} is not as it was written, or is missing. What it says from there on cannot be relied on.`;
  };

  async function keychainState(): Promise<VaultStatus["keychain"]> {
    const id = store.id();
    if (id !== null && settingStore.get("vaultKeychain") === id) return { state: "on", message: `The key is kept in ${keychain.name}.` };
    const problem = await keychain.problem();
    return problem === null ? { state: "off", message: `${keychain.name} can keep the key.` } : { state: "unavailable", message: problem };
  }

  async function status(): Promise<VaultStatus> {
    const open = peek();
    const { failures, lastAt } = log.attempts(clock());
    return {
      state: open ? "unlocked" : store.exists() ? "locked" : "none",
      entries: open?.entries().length ?? null,
      locksAt: open ? locksAt() : null,
      failures,
      waitMs: failures === 0 ? 0 : Math.max(0, lastAt + waitAfter(failures) - clock()),
      keychain: await keychainState(),
      auditProblem: auditProblem(),
    };
  }

  async function forgetKeychain(): Promise<void> {
    const id = settingStore.get("vaultKeychain");
    if (typeof id === "string") await keychain.remove(id);
    settingStore.set("vaultKeychain", undefined);
  }

  async function keepInKeychain(open: OpenVault): Promise<void> {
    const key = open.dataKey();
    try {
      await keychain.set(open.id, Buffer.from(key).toString("base64"));
    } finally {
      key.fill(0);
    }
  }

  const person: AgentVault = {
    status,
    async create(passphrase) {
      take(await store.create(bytesOf(checkedPassphrase(passphrase))), "create");
      return status();
    },
    async unlock(passphrase) {
      if (!store.exists()) use();
      const open = await attempt("unlock", () => store.open(bytesOf(passphrase)));
      take(open, "unlock");
      return status();
    },
    async unlockByKeychain() {
      const id = store.id();
      const kept = id !== null && settingStore.get("vaultKeychain") === id ? await keychain.get(id) : null;
      if (kept === null)
        throw new KnackError("vault.keychain", "The key is not in the keychain. Unlock with the passphrase, and switch it on: knack vault keychain on", {
          exit: 3,
        });
      take(store.openByKey(new Uint8Array(Buffer.from(kept, "base64"))), "unlock");
      return status();
    },
    lock(why = "asked") {
      if (why === "asked") settingStore.set("vaultLockedAt", clock());
      lock(why);
    },
    entries() {
      const open = use();
      return open.entries().map((entry) => shown(open, entry));
    },
    entry(name) {
      const open = use();
      return shown(open, named(open, name));
    },
    add(given) {
      const { name, origins, values, allowHttp } = parsed(newVaultEntrySchema, given);
      const content = { name, origins: readOrigins(origins, allowHttp), values: readValues(values), createdAt: clock(), updatedAt: clock() };
      change("add", name, (draft) => {
        refuseTaken(draft.entries, name, null);
        if (draft.entries.length >= mostEntries) throw badInput(`The vault holds ${mostEntries} logins; remove one first`);
        draft.put(content);
      });
      return person.entry(name);
    },
    edit(name, given) {
      const { name: next = name, origins, values = {}, allowHttp } = parsed(vaultChangeSchema, given);
      const open = use();
      const { id } = named(open, name);
      const bound = origins === undefined ? null : readOrigins(origins, allowHttp);
      const set = readValues(Object.fromEntries(Object.entries(values).filter((one): one is [string, string] => one[1] !== null)));
      change("edit", name, (draft) => {
        refuseTaken(draft.entries, next, id);
        const before = open.content(id);
        const kept = Object.fromEntries(Object.entries({ ...before.values, ...set }).filter(([field]) => values[field] !== null));
        if (Object.keys(kept).length === 0) throw badInput(`"${name}" would be left without a field; remove it instead: knack vault remove ${name}`);
        draft.put({ ...before, name: next, origins: bound ?? before.origins, values: kept, updatedAt: clock() }, id);
      });
      if (next !== name) renameGrants(name, next);
      return person.entry(next);
    },
    remove(name) {
      const { id } = named(use(), name);
      change("remove", name, (draft) => draft.remove(id));
      renameGrants(name, null);
    },
    async changePassphrase(current, next) {
      const open = use();
      checkedPassphrase(next);
      await attempt("passphrase", () => open.changePassphrase(bytesOf(current), bytesOf(next)));
      note("passphrase");
    },
    async rotate(passphrase) {
      const open = use();
      await attempt("rotate", () => open.rotate(bytesOf(passphrase)));
      if (settingStore.get("vaultKeychain") === open.id) await keepInKeychain(open);
      note("rotate");
    },
    audit: (limit) => log.list(limit),
    async export(passphrase, exportPassphrase) {
      const open = use();
      checkedPassphrase(exportPassphrase);
      await attempt("export", () => open.check(bytesOf(passphrase)));
      const contents = open.entries().map(({ id }) => open.content(id));
      const text = await world.age.seal(writeExport(contents), exportPassphrase.normalize("NFKC"));
      note("export");
      return { text, entries: contents.length };
    },
    async import(file, passphrase) {
      use();
      const found = readExport(await world.age.open(new Uint8Array(Buffer.from(file, "latin1")), passphrase.normalize("NFKC")));
      const result: VaultImport = { added: [], skipped: [...found.unread] };
      const taken: EntryContent[] = [];
      for (const entry of found.entries) {
        try {
          const { name, origins, values } = parsed(newVaultEntrySchema, entry);
          taken.push({ name, origins: readOrigins(origins, true), values: readValues(values), createdAt: clock(), updatedAt: clock() });
        } catch (error) {
          result.skipped.push({ name: String(entry.name).slice(0, 64), reason: error instanceof Error ? error.message : "it cannot be read" });
        }
      }
      change("import", "", (draft) => {
        for (const content of taken) {
          if (draft.entries.some(({ name }) => isSameName(name, content.name))) {
            result.skipped.push({ name: content.name, reason: "an entry of this name is there already" });
          } else if (draft.entries.length >= mostEntries) {
            result.skipped.push({ name: content.name, reason: `the vault holds ${mostEntries} logins` });
          } else {
            draft.put(content);
            result.added.push(content.name);
          }
        }
      });
      return result;
    },
    async setKeychain(on) {
      if (!on) {
        await forgetKeychain();
        note("keychain-off");
        return status();
      }
      const open = use();
      const problem = await keychain.problem();
      if (problem !== null) throw new KnackError("vault.keychain", problem, { exit: 3 });
      await keepInKeychain(open);
      settingStore.set("vaultKeychain", open.id);
      note("keychain-on");
      return status();
    },
  };

  function readValues(values: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, field === "totp" ? world.totp.read(value) : value]));
  }

  /** A grant names an entry: another one that takes the name later must not have what this one was given. */
  function renameGrants(name: string, next: string | null): void {
    for (const grant of world.grants.list()) {
      if (grant.kind !== "vault" || grant.entry !== name) continue;
      world.grants.remove(grant.id);
      if (next !== null) world.grants.add({ ...grant, entry: next });
    }
  }

  return {
    person,
    withCredential: fillFrom({
      vault: () => {
        if (peek() !== null) usedAt = clock();
        return vault;
      },
      redactor,
      totpCode: world.totp.code,
      note: ({ action, entry, origin, decision }) => note(action, entry, origin, decision),
      clock,
      onRelease: () => {
        released += 1;
      },
      async whileOut(work) {
        const control = new AbortController();
        outside.add(control);
        try {
          return await work(control.signal);
        } finally {
          outside.delete(control);
        }
      },
    }),
    bindings: () => new Map((peek()?.entries() ?? []).map(({ name, origins }) => [name, origins])),
    fields: (name) =>
      peek()
        ?.entries()
        .find((entry) => entry.name === name)?.fields ?? [],
    isLocked: () => peek() === null && store.exists(),
    holdsValue: (text) => !redactor.isIdle && redactor.redact(text) !== text,
    waitMs: (entry) => pace.waitMs(entry),
    tried(entry, refusal) {
      if (refusal === null) return pace.used(entry);
      const { code, origin } = refusal;
      // What is no answer about the login, a site that is down or a vault that is locked, slows nothing down.
      if (!/^(?:cred|ref|grant|skill)\./u.test(code)) return;
      pace.refused();
      note("release", printable(entry), origin, code);
      if (code === "cred.action") world.onFlagged?.(printable(entry), origin);
    },
    get released() {
      return released;
    },
    close: () => lock("closing"),
  };
}

function parsed<T>(schema: ZodType<T>, given: unknown): T {
  const read = schema.safeParse(given);
  if (!read.success) throw badInput(read.error.issues.map(wrongText).join("; "));
  return read.data;
}

/** Of a field's name what is wrong with it, not only that something is. */
function wrongText(issue: z.core.$ZodIssue): string {
  const inner = issue.code === "invalid_key" ? issue.issues[0]?.message : undefined;
  return `${issue.path.join(".") || "entry"}: ${inner ?? issue.message}`;
}

function readOrigins(origins: readonly string[], allowHttp: boolean | undefined): string[] {
  const read = origins.map((text) => {
    const origin = boundOrigin(text, allowHttp === true);
    if (!origin.ok) throw badInput(`origins: "${text}": ${origin.error}`);
    return origin.value;
  });
  return [...new Set(read)];
}

function refuseTaken(entries: readonly EntryOutline[], name: string, id: string | null): void {
  const other = entries.find((entry) => isSameName(entry.name, name) && entry.id !== id);
  if (other !== undefined) throw badInput(`There is an entry "${other.name}" already; take another name, or change that one: knack vault edit ${other.name}`);
}

/** Two that differ by capitals alone would be taken for each other. */
function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function checkedPassphrase(passphrase: string): string {
  const read = passphraseSchema.safeParse(passphrase.normalize("NFKC"));
  if (!read.success) throw badInput(`passphrase: ${read.error.issues[0]?.message ?? "it cannot be used"}`);
  if (read.data.trim() === "") throw badInput("passphrase: it is white space alone");
  return passphrase;
}

/** The same bytes for the same passphrase, whichever keyboard composed its accents. */
function bytesOf(passphrase: string): Uint8Array {
  return new TextEncoder().encode(passphrase.normalize("NFKC"));
}
