import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSkillFileSink } from "#adapters/files/index.ts";
import { loadModelSink } from "#adapters/llama/index.ts";
import { openLogSink } from "#adapters/log/index.ts";
import { scriptedModel } from "#adapters/scripted/index.ts";
import { openStoreSink } from "#adapters/sqlite/index.ts";
import { serve } from "#app/serve.ts";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import { asSink, type LanguageModel, type Log, type SkillFiles, type Stores } from "#core/ports/index.ts";
import { outward, Redactor, through } from "#core/vault/index.ts";
import { sweep, sweepFolders } from "../../fixtures/leak-sweep.ts";
import { says } from "../../fixtures/makers/stage.ts";
import { canaries, mask, passphrase, siteLogin, vaultAgent, vaultFolder } from "../../fixtures/makers/vault.ts";

const redactor = (): Redactor => {
  const made = new Redactor(() => 0);
  made.add("site-login", canaries.password);
  return made;
};

describe("an agent whose vault is open", () => {
  it("SEC-28: masks a value that the user pastes, before the model, the store, the log and the page have it, and says so", async () => {
    const folder = vaultFolder();
    const model = scriptedModel([says(`I heard ${Buffer.from(canaries.password).toString("base64")} of you`)]);
    const agent = await vaultAgent(folder, { models: { chat: async () => model, embedder: async () => null } });
    await agent.vault.create(passphrase);
    agent.vault.add(siteLogin);
    const events: TurnEvent[] = [];
    for await (const event of agent.send({ text: `Note that it is ${canaries.password}, please`, noSkills: true }, AbortSignal.timeout(20_000)))
      events.push(event);
    expect(events.at(-1)).toMatchObject({ problem: null, type: "turn-finished", message: { text: `I heard ${mask} of you` } });
    expect(agent.conversations()[0]?.title).toContain(mask);
    expect(agent.alerts(false)).toMatchObject([{ kind: "notice", title: "A value of your vault was in a message" }]);
    expect(model.requests.length).toBeGreaterThan(0);
    expect(JSON.stringify(model.requests)).toContain(mask);
    await agent.close();
    expect(sweep(canaries, { model: JSON.stringify(model.requests), events: JSON.stringify(events) })).toEqual([]);
    expect(sweepFolders(canaries, folder)).toEqual([]);
  });

  it("SEC-28: the same message with the vault locked is kept as it is: nothing is masked that nobody asked to be", async () => {
    const model = scriptedModel([says("fine")]);
    const agent = await vaultAgent(vaultFolder(), { models: { chat: async () => model, embedder: async () => null } });
    for await (const event of agent.send({ text: `Note ${canaries.password}`, noSkills: true }, AbortSignal.timeout(20_000))) void event;
    expect(JSON.stringify(model.requests)).not.toContain("[vault:");
    expect(agent.alerts(false)).toEqual([]);
  });

  it("masks what was stored before the value was known, in all that goes out", async () => {
    const agent = await vaultAgent(vaultFolder());
    agent.addFact(`my word is ${canaries.password}`);
    await agent.vault.create(passphrase);
    agent.vault.add(siteLogin);
    expect(agent.facts().map(({ text }) => text)).toEqual([`my word is ${mask}`]);
    expect(() => agent.conversation(canaries.password)).toThrow(`There is no conversation ${mask}`);
  });
});

describe("a sink", () => {
  it("SEC-06: the log has the mask, in fields, in errors and in their causes, and everything else", () => {
    const folder = vaultFolder();
    const log = through(openLogSink({ folder }), redactor());
    log.warn("page-said", {
      text: `before ${canaries.password} after`,
      error: new Error(`a ${canaries.password}`, { cause: new TypeError(canaries.password) }),
      count: 3,
    });
    log.close();
    const line = readFileSync(join(folder, "knack.log"), "utf8");
    expect(sweep(canaries, { line })).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({
      fields: { text: `before ${mask} after`, count: 3, error: { name: "Error", message: `a ${mask}`, cause: { name: "TypeError", message: mask } } },
    });
  });

  it("passes on what is no plain data, and returns what it was given where there is nothing to mask", () => {
    const given: unknown[] = [];
    const made = through(asSink({ take: (...args: unknown[]) => void given.push(...args) }), redactor());
    const [vector, signal, work, plain] = [new Float32Array([1, 2]), new AbortController().signal, () => 1, { a: [{ b: "nothing" }] }];
    made.take(vector, signal, work, plain, null, 7);
    expect(given.map((one, at) => one === [vector, signal, work, plain, null, 7][at])).toEqual([true, true, true, true, true, true]);
  });

  it("what a shell holds lets out no value in what it returns, promises, yields, throws or tells", async () => {
    const boundary = outward(
      {
        returns: () => ({ [canaries.password]: [canaries.password] }),
        promises: async () => canaries.password,
        async *yields() {
          yield { text: canaries.password };
          throw new KnackError("x", canaries.password, { fields: { typed: canaries.password }, cause: new Error(canaries.password) });
        },
        throws: () => {
          throw new TypeError(canaries.password);
        },
        tells: (listener: (text: string) => void) => listener(canaries.password),
        inside: { returns: () => canaries.password },
      },
      redactor(),
    );
    const heard: unknown[] = [boundary.returns(), await boundary.promises(), boundary.inside.returns()];
    boundary.tells((text) => heard.push(text));
    const caught: unknown[] = [];
    try {
      boundary.throws();
    } catch (error) {
      caught.push(error);
    }
    try {
      for await (const item of boundary.yields()) heard.push(item);
    } catch (error) {
      caught.push(error);
    }
    expect(heard).toEqual([{ [mask]: [mask] }, mask, mask, mask, { text: mask }]);
    expect(caught).toMatchObject([
      { name: "TypeError", message: mask },
      { code: "x", message: mask, fields: { typed: mask } },
    ]);
    expect(
      sweep(canaries, { caught: caught.map((error) => `${(error as Error).stack} ${String(((error as Error).cause as Error | undefined)?.stack)}`).join() }),
    ).toEqual([]);
  });

  it("a redaction that fails leaves the text out", () => {
    const made = redactor();
    expect(made.redact(null as never)).toBe("[left out: it could not be checked for secrets]");
  });

  it("that nobody redacts does not compile", () => {
    const forgotten = (): void => {
      // @ts-expect-error a store that is not opened through a redactor is no store
      const stores: Stores = openStoreSink({ file: ":memory:", backupFolder: "unused", clock: () => 0 });
      // @ts-expect-error nor is a log
      const log: Log = openLogSink({ folder: "unused" });
      // @ts-expect-error nor is a model
      const model: Promise<LanguageModel> = loadModelSink({} as never);
      // @ts-expect-error nor are files of skills
      const files: SkillFiles = openSkillFileSink("unused");
      // @ts-expect-error and a page is served an agent out of which nothing comes, or none
      serve({} as import("#app/agent.ts").Agent, {} as never);
      void [stores, log, model, files];
    };
    expect(forgotten).toBeTypeOf("function");
  });
});
