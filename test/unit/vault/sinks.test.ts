import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBlockFileSink, openSkillFileSink } from "#adapters/files/index.ts";
import { loadModelSink } from "#adapters/llama/index.ts";
import { openLogSink } from "#adapters/log/index.ts";
import { scriptedModel } from "#adapters/scripted/index.ts";
import { openStoreSink } from "#adapters/sqlite/index.ts";
import { type EnginesOptions, makeEngines } from "#app/engines.ts";
import { serve } from "#app/serve.ts";
import type { Contact } from "#contract/activity/schema.ts";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { KnackError } from "#contract/errors.ts";
import { asSink, type BlockFile, type LanguageModel, type Log, type PromptKeeper, type SkillFiles, type Stores } from "#core/ports/index.ts";
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

const inBase64 = Buffer.from(canaries.password).toString("base64");

describe("what an agent keeps beside messages", () => {
  it("SEC-28: facts, blocks, contacts, whole results, compactions and notes of saved states have the mask where the vault was open", async () => {
    const folder = vaultFolder();
    const notes: string[] = [];
    const model = scriptedModel([
      says(`I heard ${inBase64} of you. ${"It was said at length. ".repeat(120)}`),
      says(`Yes. ${"It was said at length. ".repeat(120)}`),
      says("It is."),
    ]);
    const keeper: PromptKeeper = { ...(model.keeper as PromptKeeper), rest: (conversation, note) => void notes.push(`${conversation} ${note}`) };
    const agent = await vaultAgent(folder, { models: { chat: async () => ({ ...model, keeper }), embedder: async () => null } });
    await agent.vault.create(passphrase);
    agent.vault.add(siteLogin);
    expect(agent.addFact(`The old word is ${canaries.password}`).text).toBe(`The old word is ${mask}`);
    agent.importFacts(`The door says ${canaries.password}`);
    await agent.setBlock("RULES", `Never say ${canaries.password}.`);
    const { stores } = agent.world;
    const told = [agent.exportFacts(), JSON.stringify(await agent.blocks())];
    let conversation = "";
    for (const text of [`My word is ${canaries.password}`, `And ${inBase64}?`, "Is it so?"])
      for await (const event of agent.send(
        { text, noSkills: true, ...(conversation === "" ? {} : { conversationId: conversation }) },
        AbortSignal.timeout(20_000),
      )) {
        told.push(JSON.stringify(event));
        if (event.type === "turn-started") conversation = event.turn.conversationId;
      }
    const compaction = await agent.compactConversation(conversation);
    const step = stores.trace.turns(conversation).flatMap(({ id }) => stores.trace.stepsOfTurn(id))[0];
    if (!step) throw new Error("no step");
    stores.trace.keepResult(step.id, `whole ${canaries.password}`);
    stores.contacts.put([contactAt(`${Buffer.from(canaries.password).toString("hex")}.evil.test`)]);
    told.push(JSON.stringify([compaction, agent.stepResult(step.id), agent.activity({ limit: 50 }), agent.conversation(conversation)]));
    expect(agent.stepResult(step.id).text).toBe(`whole ${mask}`);
    expect(agent.activity({ limit: 50 }).contacts.map(({ host }) => host)).toEqual([`${mask}.evil.test`]);
    expect(notes.join()).toContain(mask);
    expect(readFileSync(join(folder, "home", "blocks", "RULES.md"), "utf8")).toContain(mask);
    await agent.close();
    expect(sweep(canaries, { told: told.join(), model: JSON.stringify(model.requests), notes: notes.join() })).toEqual([]);
    expect(sweepFolders(canaries, folder)).toEqual([]);
  });

  it("what a prompt holds reads the same after the vault was locked, and so does what is noted of it", async () => {
    const notes: string[] = [];
    const model = scriptedModel([says(`I heard ${inBase64}`), says("Fine.")]);
    const keeper: PromptKeeper = { ...(model.keeper as PromptKeeper), rest: (_, note) => void notes.push(note) };
    const agent = await vaultAgent(vaultFolder(), { models: { chat: async () => ({ ...model, keeper }), embedder: async () => null } });
    await agent.vault.create(passphrase);
    agent.vault.add(siteLogin);
    let conversation = "";
    for await (const event of agent.send({ text: "Hello", noSkills: true }, AbortSignal.timeout(20_000)))
      if (event.type === "turn-started") conversation = event.turn.conversationId;
    agent.vault.lock();
    for await (const event of agent.send({ text: "Again", noSkills: true, conversationId: conversation }, AbortSignal.timeout(20_000))) void event;
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(`I heard ${mask}`);
    expect(sweep(canaries, { model: JSON.stringify(model.requests), notes: notes.join() })).toEqual([]);
  });
});

function contactAt(host: string): Contact {
  return {
    id: "contact",
    at: Date.now(),
    endedAt: null,
    means: "browser",
    allowed: false,
    code: "dest.host",
    scheme: "https",
    host,
    port: 443,
    resolved: [],
    address: "",
    grant: null,
    grantId: null,
    conversationId: null,
    turnId: null,
    sent: 0,
    received: 0,
    times: 1,
  };
}

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
      // @ts-expect-error nor is the file of a block
      const block: BlockFile = openBlockFileSink("unused", "RULES");
      // @ts-expect-error nor may engines load what reads past it
      const engines = makeEngines({ loadChat: async () => scriptedModel([]) } as Pick<EnginesOptions, "loadChat">);
      // @ts-expect-error and a page is served an agent out of which nothing comes, or none
      serve({} as import("#app/agent.ts").Agent, {} as never);
      void [stores, log, model, files, block, engines];
    };
    expect(forgotten).toBeTypeOf("function");
  });
});
