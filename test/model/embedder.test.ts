import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashFile, loadEmbedder } from "#adapters/llama/index.ts";
import { catalogueEntry } from "../../models/fetch.ts";
import { writeRandomNomic } from "./fixtures/random-nomic.ts";
import { disposable, never, realModel } from "./fixtures/real-models.ts";

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  let sum = 0;
  for (const [index, value] of (a ?? []).entries()) sum += value * (b?.[index] ?? 0);
  return sum;
}

describe("all-MiniLM-L6-v2, converted here", () => {
  it("has the similarities its authors publish, in vectors of length one", async () => {
    const model = await realModel("all-minilm-l6-v2");
    await using embedder = disposable(await loadEmbedder({ ...model, dimension: 384, threads: 1 }));
    const texts = ["The new movie is awesome", "The new movie is so great", "The cat sits outside", "A man is playing guitar"];
    const vectors = await embedder.embed(texts, "query", never);
    expect(dot(vectors[0], vectors[1])).toBeCloseTo(0.8939, 3);
    expect(dot(vectors[2], vectors[3])).toBeCloseTo(0.0363, 3);
    for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 5);
    expect(embedder.key).toEqual({ modelHash: model.hash, quantisation: "F16", dimension: 384, prefixes: "" });
  });

  it("keeps the order, cuts what is too long, and stops between texts", async () => {
    await using embedder = disposable(await loadEmbedder({ ...(await realModel("all-minilm-l6-v2")), dimension: 384, threads: 1 }));
    const [alone] = await embedder.embed(["pay the bill"], "query", never);
    const [long, same, empty] = await embedder.embed(["word ".repeat(3000), "pay the bill", ""], "document", never);
    expect(long).toHaveLength(384);
    expect(empty).toHaveLength(384);
    expect(dot(alone, same)).toBeCloseTo(1, 5);
    const stop = new AbortController();
    const running = embedder.embed(
      Array.from({ length: 200 }, () => "text"),
      "query",
      stop.signal,
    );
    stop.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });

  it("refuses another dimension than it has", async () => {
    await expect(loadEmbedder({ ...(await realModel("all-minilm-l6-v2")), dimension: 768 })).rejects.toMatchObject({ code: "embedder.dimension" });
  });
});

describe("the architecture of nomic-embed-text", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "knack-nomic-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("goes the same way, with a prefix for each kind of text", async () => {
    const file = join(folder, "nomic.gguf");
    const { dimension } = await writeRandomNomic(file);
    const { prefixes } = catalogueEntry("nomic-embed-text-v1.5");
    const hash = await hashFile(file);
    await using bare = disposable(await loadEmbedder({ file, id: "nomic", hash, dimension, threads: 1 }));
    await using prefixed = disposable(await loadEmbedder({ file, id: "nomic", hash, dimension, prefixes, threads: 1 }));
    const [asQuery] = await prefixed.embed(["pay the bill"], "query", never);
    const [asDocument] = await prefixed.embed(["pay the bill"], "document", never);
    const [byHand] = await bare.embed(["search_query: pay the bill"], "query", never);
    expect(dot(asQuery, byHand)).toBeCloseTo(1, 5);
    expect(dot(asQuery, asDocument)).toBeLessThan(0.9999);
    expect(prefixed.key.prefixes).toBe("search_query: |search_document: |clustering: ");
    expect(prefixed.key).not.toEqual(bare.key);
  });
});
