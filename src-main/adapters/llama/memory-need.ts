import { freemem } from "node:os";
import { GgufInsights, type Llama, readGgufFileInfo } from "node-llama-cpp";
import { KnackError } from "#contract/errors.ts";

export interface MemoryOptions {
  readonly id: string;
  readonly file: string;
  /** Tokens wanted. */
  readonly contextSize: number;
  /** Bytes that a program may take now. Default: what the operating system says, within the limits set for this process. */
  readonly freeMemory?: () => number;
}

/**
 * The largest context up to the one wanted, halved until it fits, that this model can be loaded with in the memory that is free; the one wanted where a GPU
 * has its own memory, and where the file tells nothing, for its own error follows. Rejects with "model.memory", which says what is needed and what is free,
 * where not even the smallest fits.
 */
export async function contextThatFits(llama: Llama, smallest: number, options: MemoryOptions): Promise<number> {
  if (llama.gpu !== false) return options.contextSize;
  const free = (options.freeMemory ?? freeMemory)();
  // A file that is missing, cut short or altered is told of when it is verified.
  const insights = await readGgufFileInfo(options.file, { logWarnings: false })
    .then((info) => GgufInsights.from(info, llama))
    .catch(() => null);
  if (insights === null) return options.contextSize;
  const weights = (await insights.estimateModelResourceRequirementsV2({ gpuLayers: 0 })).cpuRam;
  const needOf = async (contextSize: number): Promise<number> =>
    weights + (await insights.estimateContextResourceRequirementsV2({ contextSize, modelGpuLayers: 0, sequences: 1 })).cpuRam;
  const least = Math.min(smallest, options.contextSize);
  for (let size = options.contextSize; ; size = Math.max(least, Math.floor(size / 2))) {
    const needed = await needOf(size);
    if (needed <= free) return size;
    if (size === least) throw tooLittle(options.id, needed, free);
  }
}

function freeMemory(): number {
  return process.availableMemory?.() ?? freemem();
}

function tooLittle(id: string, needed: number, free: number): KnackError {
  return new KnackError(
    "model.memory",
    `The model ${id} needs about ${gigabytes(needed)} of memory even with the smallest context, and ${gigabytes(free)} are free. Close other programs, or choose a smaller model.`,
    { fields: { model: id, needed, free } },
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
