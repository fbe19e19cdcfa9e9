import { copyFile, mkdtemp, open, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashFile, loadEmbedder } from "#adapters/llama/index.ts";
import { loadLanguageModel } from "#adapters/llama/load-language-model.ts";
import { realModel } from "./fixtures/real-models.ts";

let folder: string;
let model: Awaited<ReturnType<typeof realModel>>;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "knack-model-"));
  model = await realModel("all-minilm-l6-v2");
  file = join(folder, "copy.gguf");
  await copyFile(model.file, file);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a model file", () => {
  it("is not loaded when one byte was flipped, however carefully", async () => {
    await (await loadEmbedder({ ...model, file, dimension: 384, threads: 1 })).dispose();
    const { atime, mtime } = await stat(file);
    await flip(file, 30_000_000);
    await utimes(file, atime, mtime);
    const found = await hashFile(file);
    const loading = loadEmbedder({ ...model, file, dimension: 384, threads: 1 });
    await expect(loading).rejects.toMatchObject({ code: "model.altered", fields: { model: model.id, expected: model.hash, found } });
    await expect(loading).rejects.toThrow(`knack models get ${model.id}`);
    await flip(file, 30_000_000);
    await (await loadEmbedder({ ...model, file, dimension: 384, threads: 1 })).dispose();
  });

  it("says when it is cut short, and by how much", async () => {
    const short = join(folder, "short.gguf");
    await copyFile(model.file, short);
    await truncate(short, 1000);
    await expect(loadEmbedder({ ...model, file: short, dimension: 384, threads: 1 })).rejects.toMatchObject({
      code: "model.cut-short",
      fields: { foundBytes: 1000, expectedBytes: model.bytes },
    });
  });

  it("says when it is missing", async () => {
    const loading = loadLanguageModel({ ...model, file: join(folder, "none.gguf"), contextSize: 512 });
    await expect(loading).rejects.toMatchObject({ code: "model.missing" });
    await expect(loading).rejects.toThrow(`knack models get ${model.id}`);
  });

  it("says when it is no file", async () => {
    await expect(loadLanguageModel({ ...model, file: folder, contextSize: 512 })).rejects.toMatchObject({ code: "model.unreadable" });
  });

  it("says when the engine cannot read it, though its hash is right", async () => {
    const nonsense = join(folder, "nonsense.gguf");
    await writeFile(nonsense, "not a model");
    const hash = await hashFile(nonsense);
    await expect(loadLanguageModel({ file: nonsense, id: "mine", hash, contextSize: 512 })).rejects.toMatchObject({ code: "model.load-failed" });
  });
});

async function flip(path: string, at: number): Promise<void> {
  const handle = await open(path, "r+");
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
  await handle.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, at);
  await handle.close();
}
