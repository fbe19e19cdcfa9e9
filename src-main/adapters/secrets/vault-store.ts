import { randomBytes } from "node:crypto";
import { KnackError } from "#contract/errors.ts";
import type { EntryContent, EntryOutline, OpenVault, VaultDraft, VaultStore } from "#core/ports/vault-store.ts";
import { type Cost, deriveKey, usualCost } from "./derive-key.ts";
import { type Disk, disk as realDisk } from "./disk.ts";
import { type Header, idBytes, placeOfKey, readHeader, saltBytes, writeHeader } from "./header.ts";
import { levelPrevious, previousOf, removeLeftovers, saveFile } from "./save.ts";
import { joined, keyBytes, seal, unseal } from "./sealed.ts";
import { type Body, openEntry, readBody, type SealedEntry, sealEntry, writeBody } from "./vault-body.ts";

export interface VaultStoreOptions {
  /** Path of vault.knack. */
  readonly file: string;
  /** Runs work as the only writer of all processes. Throws "vault.busy" where another one writes. */
  readonly exclusively: <T>(work: () => T) => T;
  readonly disk?: Disk;
  /** What a new passphrase costs to try. */
  readonly cost?: Cost;
}

/** What an open vault knows of the file as it last read or wrote it. */
interface State {
  readonly header: Header;
  readonly body: Body;
  readonly bytes: Uint8Array;
}

/**
 * One error for a wrong passphrase and for an altered file: who tries passphrases learns nothing from it, and nobody can tell the two apart without the
 * right one.
 */
function notOpened(file: string): KnackError {
  return new KnackError(
    "vault.not-opened",
    `The vault did not open: the passphrase is wrong, or ${file} was altered. Try again; if you are sure of the passphrase, the copy before the last change is ${previousOf(file)}.`,
    { exit: 3, fields: { file } },
  );
}

/** The vault of a data folder. Removes what a save that was cut off has left, unless somebody saves right now. */
export function openVaultStore({ file, exclusively, disk = realDisk, cost = usualCost }: VaultStoreOptions): VaultStore {
  // Without a vault there is nothing to tidy, and no lock to make.
  if (read() !== null) tidy();

  /** A crash never leaves only the previous copy, but a person may have taken the file away. */
  function read(): Uint8Array | null {
    return disk.read(file) ?? disk.read(previousOf(file));
  }

  function tidy(): void {
    try {
      exclusively(() => removeLeftovers(disk, file));
    } catch {
      // Somebody saves, or the folder cannot be written: the next start tidies.
    }
  }

  function readState(bytes: Uint8Array, keyOf: (header: Header) => Uint8Array): { state: State; key: Uint8Array } {
    const header = headerOf(bytes);
    let key: Uint8Array | null = null;
    try {
      key = keyOf(header);
      return { state: { header, body: readBody(key, header, bytes), bytes }, key };
    } catch {
      key?.fill(0);
      throw notOpened(file);
    }
  }

  function headerOf(bytes: Uint8Array): Header {
    const header = readHeader(bytes);
    if (header === null) throw notOpened(file);
    if (header === "newer")
      throw new KnackError("vault.newer", `${file} was written by a newer Knack. Use that one; this one would damage it.`, { fields: { file } });
    return header;
  }

  function present(): Uint8Array {
    const bytes = read();
    if (bytes === null) throw new KnackError("vault.none", "There is no vault yet. Make one with: knack vault init", { exit: 3, fields: { file } });
    return bytes;
  }

  /** The data key under a header, by a passphrase that is zeroed. Throws "vault.not-opened". */
  async function unwrap(header: Header, passphrase: Uint8Array): Promise<Uint8Array> {
    const wrapping = await derived(passphrase, header.salt, header.cost);
    try {
      return unseal(wrapping, header.wrappedKey, placeOfKey(header));
    } catch {
      throw notOpened(file);
    } finally {
      wrapping.fill(0);
    }
  }

  async function wrap(open: Omit<Header, "wrappedKey">, passphrase: Uint8Array, key: Uint8Array): Promise<Header> {
    const wrapping = await derived(passphrase, open.salt, open.cost);
    try {
      return { ...open, wrappedKey: seal(wrapping, key, placeOfKey(open)) };
    } finally {
      wrapping.fill(0);
    }
  }

  /** Opens the file for its life in memory. An older copy that another passphrase or key still opens does not outlive the first opening after it. */
  function opened(state: State, key: Uint8Array): OpenVault {
    const previous = disk.read(previousOf(file));
    const old = previous && readHeader(previous);
    if (old && old !== "newer" && !isSameKey(old, state.header)) {
      try {
        exclusively(() => levelPrevious(disk, file, state.bytes));
      } catch {
        // The next opening does it.
      }
    }
    return openVault(state, key);
  }

  function openVault(first: State, dataKey: Uint8Array): OpenVault {
    let state = first;
    let key = dataKey;
    let isClosed = false;

    function alive(): void {
      if (isClosed) throw new KnackError("vault.locked", "The vault is locked. Unlock it with: knack vault unlock", { exit: 3 });
    }

    function close(): void {
      key.fill(0);
      isClosed = true;
      state = { ...state, body: { entries: [], auditHead: null } };
    }

    /** What is on the disk; where another process changed the key, this one has to be told the passphrase again. */
    function refresh(): void {
      alive();
      const bytes = present();
      if (bytes.length === state.bytes.length && Buffer.compare(bytes, state.bytes) === 0) return;
      try {
        const header = headerOf(bytes);
        state = { header, body: readBody(key, header, bytes), bytes };
      } catch {
        close();
        throw new KnackError("vault.locked", "The vault was changed elsewhere and is locked now. Unlock it again with: knack vault unlock", { exit: 3 });
      }
    }

    function found(id: string): SealedEntry {
      const entry = state.body.entries.find(({ outline }) => outline.id === id);
      if (entry === undefined) throw new KnackError("vault.no-entry", "There is no such entry in the vault any more.", { fields: { id } });
      return entry;
    }

    function write(header: Header, withKey: Uint8Array, body: Body): State {
      const bytes = joined(writeHeader(header), writeBody(withKey, header, body));
      saveFile(disk, file, bytes, disk.read(file));
      return { header, body, bytes };
    }

    function draft(entries: SealedEntry[]): VaultDraft {
      const { header } = state;
      return {
        get entries() {
          return entries.map(({ outline }) => outline);
        },
        put(content, id = randomBytes(idBytes).toString("hex")) {
          const at = entries.findIndex(({ outline }) => outline.id === id);
          const revision = (entries[at]?.outline.revision ?? 0) + 1;
          const made = sealEntry(key, header, { id, revision }, content);
          entries.splice(at < 0 ? entries.length : at, at < 0 ? 0 : 1, made);
          return id;
        },
        remove(id) {
          const at = entries.findIndex(({ outline }) => outline.id === id);
          if (at >= 0) entries.splice(at, 1);
        },
      };
    }

    return {
      id: hexOf(first.header.vaultId),
      entries() {
        refresh();
        return state.body.entries.map(({ outline }) => outline).sort(byName);
      },
      content(id) {
        refresh();
        const { outline, sealed } = found(id);
        return opening(() => openEntry(key, state.header, outline, sealed));
      },
      get auditHead() {
        alive();
        return state.body.auditHead;
      },
      change(edit, auditHead) {
        alive();
        exclusively(() => {
          refresh();
          const entries = [...state.body.entries];
          edit(draft(entries));
          state = write(state.header, key, { entries, auditHead: auditHead ?? state.body.auditHead });
        });
      },
      async changePassphrase(current, next) {
        refresh();
        const { header } = state;
        const same = await unwrap(header, current).catch((error: unknown) => {
          next.fill(0);
          throw error;
        });
        same.fill(0);
        const wrapped = await wrap({ ...header, cost, salt: randomBytes(saltBytes) }, next, key);
        exclusively(() => {
          refresh();
          refuseMoved(header);
          // The sealed body stays byte for byte: the data key is the same.
          const bytes = joined(writeHeader(wrapped), state.bytes.subarray(writeHeader(header).length));
          saveFile(disk, file, bytes, disk.read(file));
          state = { ...state, header: wrapped, bytes };
          levelPrevious(disk, file, bytes);
        });
      },
      async rotate(passphrase) {
        refresh();
        const { header } = state;
        const again = passphrase.slice();
        const next = new Uint8Array(randomBytes(keyBytes));
        try {
          (await unwrap(header, passphrase)).fill(0);
          const wrapped = await wrap({ ...header, cost, salt: randomBytes(saltBytes), epoch: header.epoch + 1 }, again, next);
          exclusively(() => {
            refresh();
            refuseMoved(header);
            const entries = state.body.entries.map(({ outline, sealed }) => sealEntry(next, wrapped, outline, openEntry(key, state.header, outline, sealed)));
            const made = write(wrapped, next, { ...state.body, entries });
            key.fill(0);
            [state, key] = [made, next.slice()];
            levelPrevious(disk, file, made.bytes);
          });
        } finally {
          again.fill(0);
          next.fill(0);
        }
      },
      async check(passphrase) {
        refresh();
        (await unwrap(state.header, passphrase)).fill(0);
      },
      dataKey() {
        alive();
        return key.slice();
      },
      close,
    };

    /** While a passphrase became a key, another process may have changed it. */
    function refuseMoved(header: Header): void {
      if (!isSameKey(header, state.header))
        throw new KnackError("vault.busy", "Another Knack changed the vault's key meanwhile. Do it again.", { fields: { file } });
    }
  }

  function opening(open: () => EntryContent): EntryContent {
    try {
      return open();
    } catch {
      throw notOpened(file);
    }
  }

  return {
    exists: () => read() !== null,
    id() {
      const bytes = read();
      const header = bytes && readHeader(bytes);
      return header && header !== "newer" ? hexOf(header.vaultId) : null;
    },
    async create(passphrase) {
      const key = new Uint8Array(randomBytes(keyBytes));
      const header = await wrap({ cost, salt: randomBytes(saltBytes), vaultId: randomBytes(idBytes), epoch: 1 }, passphrase, key);
      const body: Body = { entries: [], auditHead: null };
      const bytes = joined(writeHeader(header), writeBody(key, header, body));
      exclusively(() => {
        if (read() !== null)
          throw new KnackError("vault.exists", `There is a vault already: ${file}. Unlock it with: knack vault unlock`, { fields: { file } });
        saveFile(disk, file, bytes, null);
      });
      return openVault({ header, body, bytes }, key);
    },
    async open(passphrase) {
      const bytes = present();
      const key = await unwrap(headerOf(bytes), passphrase);
      const made = readState(bytes, () => key);
      return opened(made.state, made.key);
    },
    openByKey(dataKey) {
      const made = readState(present(), () => dataKey);
      return opened(made.state, made.key);
    },
  };
}

/** The passphrase is zeroed whatever happens. */
async function derived(passphrase: Uint8Array, salt: Uint8Array, cost: Cost): Promise<Uint8Array> {
  try {
    return await deriveKey(passphrase, salt, cost);
  } finally {
    passphrase.fill(0);
  }
}

function isSameKey(one: Header, other: Header): boolean {
  return Buffer.compare(one.wrappedKey, other.wrappedKey) === 0 && Buffer.compare(one.vaultId, other.vaultId) === 0;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function byName(one: EntryOutline, other: EntryOutline): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
}
