import { z } from "zod";
import type { AuditHead, EntryContent, EntryOutline } from "#core/ports/vault-store.ts";
import { type Header, headerBytes } from "./header.ts";
import { joined, nonceBytes, type Place, seal, tagBytes, uint32, unseal } from "./sealed.ts";

/** A sealed entry with what of it is known while the vault is open. */
export interface SealedEntry {
  readonly outline: EntryOutline;
  readonly sealed: Uint8Array;
}

export interface Body {
  readonly entries: readonly SealedEntry[];
  readonly auditHead: AuditHead | null;
}

type Owner = Pick<Header, "vaultId" | "epoch">;

const indexSchema = z.strictObject({
  entries: z.array(z.strictObject({ id: z.string(), revision: z.number().int().positive() })).max(10_000),
  auditHead: z.strictObject({ seq: z.number().int(), hash: z.string() }).nullable(),
});

const contentSchema = z.strictObject({
  name: z.string(),
  origins: z.array(z.string()),
  values: z.record(z.string(), z.string()),
  createdAt: z.number(),
  updatedAt: z.number(),
});

export function writeBody(key: Uint8Array, owner: Owner, { entries, auditHead }: Body): Uint8Array {
  const index = { entries: entries.map(({ outline: { id, revision } }) => ({ id, revision })), auditHead };
  return joined(
    ...[seal(key, encoded(index), placeOfIndex(owner)), ...entries.map(({ sealed }) => sealed)].flatMap((sealed) => [uint32(sealed.length), sealed]),
  );
}

/** Opens the index and every entry, and keeps no value. Throws where a single byte is not as it was written. */
export function readBody(key: Uint8Array, owner: Owner, file: Uint8Array): Body {
  const [index, ...records] = recordsOf(file.subarray(headerBytes));
  if (index === undefined) throw new Error("the index is missing");
  const { entries, auditHead } = indexSchema.parse(decoded(unseal(key, index, placeOfIndex(owner))));
  if (records.length !== entries.length) throw new Error("entries are missing or left over");
  return {
    auditHead,
    entries: entries.map(({ id, revision }, at) => {
      const sealed = (records[at] as Uint8Array).slice();
      return { sealed, outline: outlineOf(id, revision, openEntry(key, owner, { id, revision }, sealed)) };
    }),
  };
}

/** An entry in its place: this vault, this data key, this entry, this revision. */
export function sealEntry(key: Uint8Array, owner: Owner, { id, revision }: Pick<EntryOutline, "id" | "revision">, content: EntryContent): SealedEntry {
  return { outline: outlineOf(id, revision, content), sealed: seal(key, encoded(content), placeOfEntry(owner, id, revision)) };
}

/** Throws where the entry is another one, of another vault, or an older revision. */
export function openEntry(key: Uint8Array, owner: Owner, { id, revision }: Pick<EntryOutline, "id" | "revision">, sealed: Uint8Array): EntryContent {
  return contentSchema.parse(decoded(unseal(key, sealed, placeOfEntry(owner, id, revision))));
}

function outlineOf(id: string, revision: number, { values, ...content }: EntryContent): EntryOutline {
  return { id, revision, ...content, fields: Object.keys(values) };
}

function placeOfIndex({ vaultId, epoch }: Owner): Place {
  return ["knack vault index", vaultId, epoch];
}

function placeOfEntry({ vaultId, epoch }: Owner, id: string, revision: number): Place {
  return ["knack vault entry", vaultId, epoch, id, revision];
}

/** Records fill the file exactly. */
function recordsOf(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = at + 4 <= bytes.length ? view.getUint32(at, true) : Number.POSITIVE_INFINITY;
    const end = at + 4 + length;
    if (length < nonceBytes + tagBytes || end > bytes.length) throw new Error("a record is cut short");
    records.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return records;
}

function encoded(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The bytes are zeroed; what they said lives on in strings, which nobody can zero. */
function decoded(plain: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
  } finally {
    plain.fill(0);
  }
}
