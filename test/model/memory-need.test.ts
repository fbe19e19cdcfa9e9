import { describe, expect, it } from "vitest";
import { loadLanguageModel } from "#adapters/llama/load-language-model.ts";
import { largestThatFits } from "../../models/fetch.ts";
import { disposable, realModel } from "./fixtures/real-models.ts";

const wanted = { contextSize: 8192, threads: 1, gpu: false };
const megabytes = (count: number) => (): number => count * 1e6;

describe("a model that needs more memory than is free", () => {
  it("is refused before it is loaded, with what it needs and what is free", async () => {
    const model = await realModel("smollm2-135m");
    const refused = await loadLanguageModel({ ...model, ...wanted, freeMemory: megabytes(120) }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "model.memory", fields: { model: "smollm2-135m", needed: expect.any(Number), free: 120e6 } });
    expect((refused as Error).message).toMatch(
      /^The model smollm2-135m needs about 0\.\d GB of memory even with the smallest context, and 0\.1 GB are free\./u,
    );
  });

  it("gets the largest context that fits, and says how large it is", async () => {
    await using small = disposable(await loadLanguageModel({ ...(await realModel("smollm2-135m")), ...wanted, freeMemory: megabytes(320) }));
    expect(small.contextSize).toBeLessThan(8192);
    expect(small.contextSize).toBeGreaterThanOrEqual(1024);
    await using whole = disposable(await loadLanguageModel({ ...(await realModel("smollm2-135m")), ...wanted, freeMemory: megabytes(4000) }));
    expect(whole.contextSize).toBe(8192);
  });

  it("leaves it to verification to say that a file is not there", async () => {
    const model = await realModel("smollm2-135m");
    await expect(loadLanguageModel({ ...model, ...wanted, file: `${model.file}.gone`, freeMemory: megabytes(1) })).rejects.not.toMatchObject({
      code: "model.memory",
    });
  });
});

describe("the smaller model that is named then", () => {
  it("is the largest that fits what is free, and never the one that did not", () => {
    expect(largestThatFits(1.9e9, "qwen3-4b-instruct-2507")?.id).toBe("qwen2.5-coder-1.5b");
    expect(largestThatFits(1.9e9, "qwen2.5-coder-1.5b")?.id).toBe("qwen2.5-coder-0.5b");
    expect(largestThatFits(0.3e9, "qwen2.5-coder-1.5b")).toBeUndefined();
  });
});
