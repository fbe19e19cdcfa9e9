import { InsufficientMemoryError, type Llama, type LlamaModel } from "node-llama-cpp";
import { KnackError } from "#contract/errors.ts";
import { lastEngineLines } from "./llama-instance.ts";
import { type ExpectedModelFile, verifyModelFile } from "./verify-model-file.ts";

/** Verifies, then loads. Rejects with verifyModelFile's errors, "model.memory" or "model.load-failed". */
export async function loadModelFile(llama: Llama, expected: ExpectedModelFile): Promise<LlamaModel> {
  await verifyModelFile(expected);
  try {
    return await llama.loadModel({ modelPath: expected.file });
  } catch (error) {
    throw loadError(expected.id, error);
  }
}

/** Turns what the engine throws while a model or its context is made into an error a person can act on. */
export function loadError(id: string, error: unknown): KnackError {
  if (error instanceof InsufficientMemoryError) {
    return new KnackError(
      "model.memory",
      `There is not enough free memory for the model ${id}. Close other programs, or choose a smaller one with: knack models list`,
      { fields: { model: id }, cause: error },
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new KnackError("model.load-failed", `The model ${id} could not be started: ${reason}. Choose another one with: knack models use <id>`, {
    fields: { model: id, engine: lastEngineLines() },
    cause: error,
  });
}
