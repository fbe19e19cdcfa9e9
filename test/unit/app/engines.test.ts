import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openStateFolder } from "#adapters/llama/index.ts";
import { type Answer, scriptedModel } from "#adapters/scripted/index.ts";
import { makeEngines } from "#app/engines.ts";
import { type Settings, settingsSchema } from "#contract/settings/schema.ts";
import { asSink, type LanguageModel, type Sink, silentLog } from "#core/ports/index.ts";
import { Redactor } from "#core/vault/index.ts";

const never = new AbortController().signal;
const asked = { messages: [{ role: "user", text: "Hello" }], maxTokens: 4 } as const;

/** Engines whose minutes last 40 ms; `loads` and `disposed` count the models. */
function engines(
  change: { settings?: Partial<Settings>; isAtWork?: () => boolean; answers?: readonly Answer[]; keeperWarm?: () => Promise<void>; redactor?: Redactor } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "knack-engines-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let settings = settingsSchema.parse({ idleUnloadMinutes: 1, ...change.settings });
  const seen = { loads: 0, disposed: 0, notes: [] as string[], set: (next: Partial<Settings>) => (settings = { ...settings, ...next }) };
  const made = makeEngines({
    dataFolder: folder,
    cacheFolder: folder,
    settings: () => settings,
    chatModel: undefined,
    log: silentLog,
    minuteMs: 40,
    isAtWork: change.isAtWork ?? (() => false),
    redactor: change.redactor ?? new Redactor(() => 0),
    async loadChat(): Promise<Sink<LanguageModel>> {
      seen.loads += 1;
      const model = scriptedModel(change.answers ?? ["one", "two", "three"]);
      const warm = async () => {
        await change.keeperWarm?.();
        return { evaluated: 0, reused: 0 };
      };
      const rest = (conversation: string, note: string) => void seen.notes.push(`${conversation}: ${note}`);
      return asSink({ ...model, keeper: { ...model.keeper, warm, rest }, dispose: async () => void (seen.disposed += 1) });
    },
  });
  onTestFinished(() => made.unload());
  return Object.assign(made, { seen });
}

describe("the chat model", () => {
  it("leaves the memory after a while without use, and says before when it will", async () => {
    const on = engines();
    await on.chat();
    expect(on.use()).toMatchObject({ chat: { state: "ready" }, unloadsAt: expect.any(Number) });
    await vi.waitFor(() => expect(on.seen.disposed).toBe(1));
    expect(on.use()).toMatchObject({ chat: { state: "idle" }, unloadsAt: null });
  });

  it("comes back with the next call of whoever had it", async () => {
    const on = engines();
    const model = await on.chat();
    await vi.waitFor(() => expect(on.seen.disposed).toBe(1));
    expect((await model.generate(asked, never)).text).toBe("one");
    expect(on.seen.loads).toBe(2);
  });

  it("reads no value of the vault, and none is noted with its saved states", async () => {
    const redactor = new Redactor(() => 0);
    redactor.add("site-login", "correct-horse-9");
    const on = engines({ redactor, settings: { idleUnloadMinutes: null } });
    await on.chat();
    on.rest("c", JSON.stringify({ messages: [{ role: "user", text: "it is correct-horse-9" }] }));
    expect(on.seen.notes).toEqual(['c: {"messages":[{"role":"user","text":"it is [vault:site-login]"}]}']);
  });

  it("stays through a call that lasts longer", async () => {
    const during: number[] = [];
    const on = engines({
      keeperWarm: async () => {
        await wait(150);
        during.push(on.seen.disposed);
      },
    });
    const model = await on.chat();
    await model.keeper?.warm([], { conversation: null, prefix: 0 }, never);
    expect(during).toEqual([0]);
    await vi.waitFor(() => expect(on.seen.disposed).toBe(1));
  });

  it("is not unloaded while a turn or a pass is at work without asking it", async () => {
    let isAtWork = true;
    const on = engines({ isAtWork: () => isAtWork });
    await on.chat();
    await wait(150);
    expect(on.seen.disposed).toBe(0);
    isAtWork = false;
    await vi.waitFor(() => expect(on.seen.disposed).toBe(1));
  });

  it("stays for good where the settings say so, and goes by a setting that was changed", async () => {
    const on = engines({ settings: { idleUnloadMinutes: null } });
    await on.chat();
    await wait(120);
    expect([on.seen.disposed, on.use().unloadsAt]).toEqual([0, null]);
    on.seen.set({ idleUnloadMinutes: 1 });
    on.settingsChanged();
    await vi.waitFor(() => expect(on.seen.disposed).toBe(1));
  });

  it("is loaded once for all who ask at once", async () => {
    const on = engines();
    await Promise.all([on.chat(), on.chat(), on.chat()]);
    expect(on.seen.loads).toBe(1);
  });

  it("saves nothing for good of what is erased while it leaves the memory", async () => {
    const folder = mkdtempSync(join(tmpdir(), "knack-engines-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const states = openStateFolder({
      root: join(folder, "states"),
      store: folder,
      limitBytes: () => 1e9,
      isAlive: () => true,
      log: silentLog,
      freeBytes: () => 1e12,
    });
    const save = Promise.withResolvers<void>();
    const key = { model: "m", library: "l", engine: "e", machine: "x", contextSize: 1, batchSize: 1, flashAttention: "auto", keyType: "F16", valueType: "F16" };
    const made = makeEngines({
      dataFolder: folder,
      cacheFolder: folder,
      settings: () => settingsSchema.parse({}),
      chatModel: undefined,
      log: silentLog,
      isAtWork: () => false,
      redactor: new Redactor(() => 0),
      loadChat: async () =>
        asSink({
          ...scriptedModel([]),
          async dispose() {
            await save.promise;
            await states.save({ conversation: "erased" }, { key, tokens: [1], note: "said" }, async (file) => {
              writeFileSync(file, "state");
              return 5;
            });
            await states.idle();
          },
        }),
    });
    await made.chat();
    const unloading = made.unload();
    const forgetting = made.forget("erased");
    save.resolve();
    await Promise.all([unloading, forgetting]);
    expect(made.note("erased")).toBeNull();
  });

  it("tells what the process has in memory", () => {
    expect(engines().use()).toMatchObject({
      memory: { process: expect.any(Number), model: 0, context: 0 },
      states: { files: 0, bytes: 0, limitBytes: 2_000_000_000 },
    });
  });
});
