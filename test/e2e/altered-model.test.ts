import { constants, copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashFile } from "#adapters/llama/index.ts";
import { catalogueEntry, modelPath } from "#models/fetch.ts";
import { knackIn } from "../shell/cli-process.ts";
import { cacheFolder, lacks, openStage, type Stage, turnOf } from "./stage.ts";

const chat = catalogueEntry("qwen2.5-coder-0.5b");
const embedder = catalogueEntry("all-minilm-l6-v2");

describe.skipIf(lacks({ model: chat.id }, { model: embedder.id }) !== null)("a model file with one flipped byte", () => {
  let folder: string;
  let own: string;
  let stage: Stage;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "knack-altered-"));
    own = join(folder, "cache");
    mkdirSync(join(own, "models"), { recursive: true });
    stage = await openStage([], { cacheFolder: own });
  });
  afterEach(async () => {
    await stage?.close();
    await rm(folder, { recursive: true, force: true });
  });

  function place(entry: typeof chat): string {
    const file = modelPath(entry, own);
    copyFileSync(modelPath(entry, cacheFolder), file, constants.COPYFILE_FICLONE);
    return file;
  }

  /** What the log says was loaded. */
  function loaded(): string[] {
    const logs = join(stage.dataFolder, "logs");
    return readdirSync(logs)
      .flatMap((name) => readFileSync(join(logs, name), "utf8").split("\n"))
      .filter((line) => line.includes("model-loaded"));
  }

  it("is refused by name and hash when the agent is asked; the right byte is the way on", async () => {
    const file = place(chat);
    await flip(file);
    const found = await hashFile(file);
    const { end, steps } = await turnOf(stage.agent, { text: "Hello" });
    expect(end).toMatchObject({ turn: { status: "failed", tokens: { evaluated: 0, generated: 0 } }, episode: { outcome: "failure" }, message: null });
    for (const part of [chat.id, "altered", chat.sha256, found, "It was not loaded", `knack models get ${chat.id}`]) expect(end.problem).toContain(part);
    expect(steps).toEqual([]);
    expect(loaded()).toEqual([]);
    expect((await stage.agent.status()).model).toEqual({ id: chat.id, state: "refused", message: end.problem, contextSize: null });
    await expect(stage.agent.useModel(chat.id)).rejects.toMatchObject({ code: "model.not-ready" });

    await flip(file);
    const again = await turnOf(stage.agent, { text: "Hello", conversationId: end.turn.conversationId });
    expect(again.end).toMatchObject({ problem: null, turn: { status: "done" } });
    expect(loaded()).toHaveLength(1);
  });

  it("is said by doctor and by models verify, each with the way on", async () => {
    const file = place(chat);
    await flip(file);
    const found = await hashFile(file);
    const doctor = await knackIn(folder, ["doctor"]);
    const verify = await knackIn(folder, ["models", "verify", chat.id]);
    expect([doctor.code, verify.code]).toEqual([1, 1]);
    for (const said of [doctor.out, verify.err])
      for (const part of [chat.id, "altered", chat.sha256, found, `knack models get ${chat.id}`]) expect(said).toContain(part);
  });

  it("is refused where it is the embedder's, and no other stands in for it", async () => {
    place(chat);
    const file = place(embedder);
    await flip(file);
    const found = await hashFile(file);
    const { end } = await turnOf(stage.agent, { text: "Hello" });
    expect(end).toMatchObject({ turn: { status: "failed" }, message: null });
    for (const part of [embedder.id, "altered", embedder.sha256, found, `knack models get ${embedder.id}`]) expect(end.problem).toContain(part);
    expect(loaded()).toEqual([]);
  });
});

/** Flips one bit far inside: behind the header, where only the weights are. */
async function flip(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    const at = Math.floor((await handle.stat()).size * 0.7);
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
    await handle.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, at);
  } finally {
    await handle.close();
  }
}
