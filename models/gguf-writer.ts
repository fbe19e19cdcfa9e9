import { open } from "node:fs/promises";

/** A value of a GGUF header with its type on disk. */
export type GgufValue =
  | { readonly type: "u32" | "i32" | "f32"; readonly value: number }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "strings"; readonly value: readonly string[] }
  | { readonly type: "i32s" | "f32s"; readonly value: readonly number[] };

export interface GgufTensor {
  readonly name: string;
  /** Innermost dimension first, as ggml counts. */
  readonly shape: readonly number[];
  readonly type: "f32" | "f16";
  /** Little-endian bytes, made when they are written. */
  readonly data: () => Uint8Array;
}

export interface GgufFile {
  readonly metadata: readonly (readonly [key: string, value: GgufValue])[];
  readonly tensors: readonly GgufTensor[];
}

const alignment = 32;
const valueTypes = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 } as const;
const tensorTypes = { f32: 0, f16: 1 } as const;
const widths = { f32: 4, f16: 2 } as const;

/** Writes a GGUF file, version 3; equal input gives equal bytes. Format: ggml, docs/gguf.md. */
export async function writeGguf(file: string, { metadata, tensors }: GgufFile): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    const head = header(metadata, tensors);
    await handle.write(padded(head));
    for (const { data } of tensors) await handle.write(padded(data()));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function header(metadata: GgufFile["metadata"], tensors: readonly GgufTensor[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from("GGUF"), u32(3), u64(tensors.length), u64(metadata.length)];
  for (const [key, value] of metadata) parts.push(string(key), ...valueBytes(value));
  let offset = 0;
  for (const { name, shape, type } of tensors) {
    parts.push(string(name), u32(shape.length), ...shape.map(u64), u32(tensorTypes[type]), u64(offset));
    offset += roundUp(shape.reduce((product, size) => product * size, widths[type]));
  }
  return Buffer.concat(parts);
}

function valueBytes(value: GgufValue): Uint8Array[] {
  switch (value.type) {
    case "strings":
      return [u32(valueTypes.array), u32(valueTypes.string), u64(value.value.length), ...value.value.map(string)];
    case "i32s":
      return [u32(valueTypes.array), u32(valueTypes.i32), u64(value.value.length), bytesOf(Int32Array.from(value.value))];
    case "f32s":
      return [u32(valueTypes.array), u32(valueTypes.f32), u64(value.value.length), bytesOf(Float32Array.from(value.value))];
    case "string":
      return [u32(valueTypes.string), string(value.value)];
    case "bool":
      return [u32(valueTypes.bool), Uint8Array.of(value.value ? 1 : 0)];
    case "f32":
      return [u32(valueTypes.f32), bytesOf(Float32Array.of(value.value))];
    default:
      return [u32(valueTypes[value.type]), u32(value.value)];
  }
}

function string(text: string): Uint8Array {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([u64(bytes.length), bytes]);
}

function u32(value: number): Uint8Array {
  return bytesOf(Uint32Array.of(value));
}

function u64(value: number): Uint8Array {
  return bytesOf(BigUint64Array.of(BigInt(value)));
}

/** Every platform we run on is little-endian, as the format is. */
function bytesOf(values: Int32Array | Float32Array | Uint32Array | BigUint64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function padded(bytes: Uint8Array): Uint8Array {
  const size = roundUp(bytes.length);
  return size === bytes.length ? bytes : Buffer.concat([bytes, new Uint8Array(size - bytes.length)]);
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}
