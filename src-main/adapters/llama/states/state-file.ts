import { createHash } from "node:crypto";
import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { z } from "zod";
import type { StateKey } from "./state-key.ts";

/**
 * A state as a file: what the engine wrote, then our header as JSON, then a foot of 48 bytes that says where the header is and holds its hash. Behind and
 * not in front, because the engine writes and reads a file from its first byte and stops at its own end: so the state needs no copy, neither when it is saved
 * nor when it is loaded (43 MB for 1,500 tokens of the 1.5B model), and one rename puts state and header in place together.
 *
 *   engine's bytes | header, JSON | SHA-256 of the header, 32 | header's length, u32 | version, u32 | magic, 8
 */
const magic = Buffer.from("KNACKST\n");
const version = 1;
const footBytes = 48;
/** A header holds the tokens and the prompt of one context; a length beyond is damage. */
const mostHeaderBytes = 32 * 1024 * 1024;
/** As for model files: larger pieces hash faster. */
const pieceBytes = 4 * 1024 * 1024;

export interface StateHeader {
  readonly key: StateKey;
  /** Where it was saved: under another name, or in the folder of another store, it is not what it passes for. */
  readonly place: string;
  /** What the state stands for, one number each. */
  readonly tokens: readonly number[];
  /** Of whoever saved it; "" where there is none. */
  readonly note: string;
  /** The engine's part. */
  readonly bytes: number;
  readonly sha256: string;
}

/** Why a file is no state that may be read, by code. */
export type Damage = "state.cut-short" | "state.foreign" | "state.version" | "state.header" | "state.altered" | "state.unreadable";

const headerSchema = z.object({
  key: z.object({
    model: z.string(),
    library: z.string(),
    engine: z.string(),
    machine: z.string(),
    contextSize: z.number(),
    batchSize: z.number(),
    flashAttention: z.string(),
    keyType: z.string(),
    valueType: z.string(),
  }),
  place: z.string(),
  tokens: z.string(),
  note: z.string(),
  bytes: z.number().int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
});

/** Puts header and foot behind what the engine wrote, and makes sure that all of it is on the disk. Returns the bytes of the file. Rejects with the file system's error. */
export async function closeStateFile(file: string, header: Omit<StateHeader, "sha256">): Promise<number> {
  const handle = await open(file, "r+");
  try {
    const { size } = await handle.stat();
    // A full disk can cut the engine's file without an error.
    if (size !== header.bytes) throw new Error(`the engine wrote ${size} of ${header.bytes} bytes`);
    const text = Buffer.from(JSON.stringify({ ...header, tokens: packed(header.tokens), sha256: await hashOfStart(file, header.bytes) }));
    const foot = Buffer.alloc(footBytes);
    createHash("sha256").update(text).digest().copy(foot);
    foot.writeUInt32LE(text.length, 32);
    foot.writeUInt32LE(version, 36);
    magic.copy(foot, 40);
    await handle.write(Buffer.concat([text, foot]), 0, text.length + footBytes, size);
    await handle.chmod(0o600);
    await handle.sync();
    return size + text.length + footBytes;
  } finally {
    await handle.close();
  }
}

/** The header, or what is wrong with the file; reads its end only. The engine's part is looked at by `isStateWhole`. */
export function readStateHeader(file: string): StateHeader | Damage {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch {
    return "state.unreadable";
  }
  try {
    const { size } = fstatSync(descriptor);
    if (size < footBytes) return "state.cut-short";
    const foot = readAt(descriptor, size - footBytes, footBytes);
    if (!foot.subarray(40).equals(magic)) return "state.foreign";
    if (foot.readUInt32LE(36) !== version) return "state.version";
    const length = foot.readUInt32LE(32);
    if (length > mostHeaderBytes || length + footBytes > size) return "state.header";
    const text = readAt(descriptor, size - footBytes - length, length);
    if (!createHash("sha256").update(text).digest().equals(foot.subarray(0, 32))) return "state.header";
    const header = headerSchema.safeParse(JSON.parse(text.toString("utf8")));
    if (!header.success) return "state.header";
    if (header.data.bytes !== size - footBytes - length) return "state.cut-short";
    return { ...header.data, tokens: unpacked(header.data.tokens) };
  } catch {
    return "state.unreadable";
  } finally {
    closeSync(descriptor);
  }
}

/** Whether the engine's part is the one that was saved, byte for byte. */
export async function isStateWhole(file: string, { bytes, sha256 }: StateHeader): Promise<boolean> {
  try {
    return (await hashOfStart(file, bytes)) === sha256;
  } catch {
    return false;
  }
}

async function hashOfStart(file: string, bytes: number): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file, { end: bytes - 1, highWaterMark: pieceBytes }) as AsyncIterable<Buffer>) hash.update(piece);
  return hash.digest("hex");
}

function readAt(descriptor: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const more = readSync(descriptor, bytes, read, length - read, at + read);
    if (more === 0) throw new Error("the file ended early");
    read += more;
  }
  return bytes;
}

function packed(tokens: readonly number[]): string {
  return Buffer.from(Int32Array.from(tokens).buffer).toString("base64");
}

function unpacked(text: string): number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readInt32LE(index * 4));
}
