import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openStateFolder, type StateFolder } from "#adapters/llama/index.ts";
import { loadLanguageModel } from "#adapters/llama/load-language-model.ts";
import type { LanguageModel, PromptMessage } from "#core/ports/index.ts";
import { answeredElsewhere } from "./fixtures/other-process.ts";
import { disposable, never, realModel } from "./fixtures/real-models.ts";

const system = `You are a helpful assistant of the town council. ${"Permits, bills, parcels and books are seen to here, each at its own desk. ".repeat(12)}`;
const systemMessage: PromptMessage = { role: "system", text: system };
const ask = (text: string): PromptMessage => ({ role: "user", text });
const answered = (text: string): PromptMessage => ({ role: "assistant", text });

let root: string;
let logged: { event: string; fields: Record<string, unknown> }[] = [];
const note = (event: string, fields: Record<string, unknown> = {}): void => void logged.push({ event, fields });
const log = { info: note, warn: note, error: note };
const restored = () => logged.filter(({ event }) => event === "state-restored").map(({ fields }) => fields.of);

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "knack-model-states-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  logged = [];
});

function folderOf(name: string): StateFolder {
  return openStateFolder({ root: join(root, name), store: "test", limitBytes: () => 1e9, isAlive: () => false, log, freeBytes: () => 1e12 });
}

async function loaded(states: StateFolder | null, contextSize = 2048): Promise<LanguageModel & AsyncDisposable> {
  return disposable(await loadLanguageModel({ ...(await realModel("smollm2-135m")), contextSize, threads: 1, log, ...(states === null ? {} : { states }) }));
}

function talk(model: LanguageModel, conversation: string, messages: readonly PromptMessage[], maxTokens = 24) {
  return model.generate({ messages: [systemMessage, ...messages], keep: { conversation, prefix: 1 }, maxTokens }, never);
}

function files(name: string): string[] {
  return readdirSync(join(root, name), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".state"))
    .map((file) => join(root, name, file));
}

describe("a state of another process", () => {
  it("is gone on from with the same tokens and the same choices as if all had been evaluated here", async () => {
    const first = [ask("Name a few colours of the rainbow.")];
    const said = await answeredElsewhere({ root: join(root, "a"), system, conversation: "talk", messages: first, maxTokens: 24 });
    expect(said.reused).toBe(0);
    const next = [...first, answered(said.text), ask("And a few animals?")];
    await using model = await loaded(folderOf("a"));
    const gone = await talk(model, "talk", next);
    expect(restored()).toEqual(["conversation"]);
    // Only the end of the answer and the new message: nothing of what the other process evaluated.
    expect(gone.tokensEvaluated).toBeLessThan(20);
    await using fresh = await loaded(null);
    const anew = await talk(fresh, "talk", next);
    expect(anew.tokensEvaluated).toBe(gone.tokensEvaluated + gone.tokensReused);
    expect(gone.text).toBe(anew.text);
    const asked = [systemMessage, ask("Is the sky blue? Answer yes or no.")];
    const [one, other] = [await model.likelihood(asked, ["yes", "no"], never), await fresh.likelihood(asked, ["yes", "no"], never)];
    expect(one[0]).toBeCloseTo(other[0] ?? 0, 2);
  });

  it("gives a new conversation what every conversation begins with, with the note left alone", async () => {
    await using model = await loaded(folderOf("a"));
    const made = await talk(model, "quite another", [ask("Hello.")], 4);
    expect(restored()).toEqual(["prefix"]);
    expect(made.tokensReused).toBe(model.countTokens(system) + model.countTokens("system\n") + 3);
    expect(folderOf("a").note("talk")).toContain("said");
  });

  it("of another context size is not even looked at", async () => {
    await using model = await loaded(folderOf("a"), 1024);
    await talk(model, "talk", [ask("Hello.")], 1);
    expect(restored()).toEqual([]);
  });

  it("is never given to the engine once it is cut short or a bit of it was flipped, and is made anew", async () => {
    for (const damage of [
      (file: string) => truncateSync(file, 1024 * Math.floor(statSync(file).size / 2048)),
      (file: string) => {
        const bytes = readFileSync(file);
        bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 4;
        writeFileSync(file, bytes);
      },
    ]) {
      {
        await using model = await loaded(folderOf("b"));
        await talk(model, "talk", [ask("Name a colour.")], 4);
      }
      for (const file of files("b")) damage(file);
      logged = [];
      {
        await using model = await loaded(folderOf("b"));
        const made = await talk(model, "talk", [ask("Name a colour.")], 4);
        expect(made.tokensReused).toBe(0);
        expect(restored()).toEqual([]);
        expect(logged.filter(({ event }) => event === "state-removed").length).toBeGreaterThan(0);
      }
      expect(files("b")).toHaveLength(2);
    }
  });
});

describe("conversations on one model", () => {
  it("come back without being evaluated when one goes on after another", async () => {
    await using model = await loaded(folderOf("c"));
    const one = await talk(model, "one", [ask("Tell me about rain, please, and about where it falls and why it does so in autumn.")]);
    const two = await talk(model, "two", [ask("Tell me about bread, please, and about how it is baked and why it rises in the oven.")]);
    expect(two.tokensReused).toBeGreaterThan(150);
    const back = await talk(model, "one", [
      ask("Tell me about rain, please, and about where it falls and why it does so in autumn."),
      answered(one.text),
      ask("Go on."),
    ]);
    expect(back.tokensEvaluated).toBeLessThan(16);
    expect(restored()).toEqual(["conversation"]);
  });

  it("keep their state while short questions are asked beside them", async () => {
    await using model = await loaded(null);
    const first = [ask("Name two colours.")];
    const one = await talk(model, "one", first, 8);
    await model.likelihood([{ role: "system", text: "You judge." }, ask("Is it so? Yes or No.")], ["Yes", "No"], never);
    await model.generate({ messages: [{ role: "system", text: "You read a page." }, ask("What does it say?")], maxTokens: 4 }, never);
    const two = await talk(model, "one", [...first, answered(one.text), ask("Two more.")], 4);
    expect(two.tokensEvaluated).toBeLessThan(16);
    expect(model.contextSize).toBe(2048);
  });

  it("give way to a question that fits nowhere else, and come back from disk", async () => {
    await using model = await loaded(folderOf("d"), 2048);
    const first = [ask("Name two colours.")];
    const one = await talk(model, "one", first, 8);
    const long = await model.generate({ messages: [ask("one two three ".repeat(500))], maxTokens: 600, grammar: 'root ::= "a"' }, never);
    expect(long.tokensGenerated).toBe(1);
    const two = await talk(model, "one", [...first, answered(one.text), ask("Two more.")], 4);
    expect(two.tokensEvaluated).toBeLessThan(16);
    expect(restored()).toEqual(["conversation"]);
  });

  it("are let go of in memory as well when they are erased", async () => {
    const states = folderOf("e");
    await using model = await loaded(states);
    await talk(model, "one", [ask("My sister is called Ada.")], 4);
    states.remove("one");
    await model.keeper?.forget("one");
    const again = await talk(model, "one", [ask("My sister is called Ada.")], 4);
    // What every conversation begins with holds nothing of it, and comes back.
    expect(again.tokensEvaluated).toBeGreaterThan(5);
    expect(restored()).toEqual(["prefix"]);
  });
});

describe("warming", () => {
  it("leaves only the message to be evaluated", async () => {
    await using model = await loaded(folderOf("f"));
    const warmed = await model.keeper?.warm([systemMessage], { conversation: null, prefix: 1 }, never);
    expect(warmed).toMatchObject({ reused: 0, evaluated: expect.any(Number) });
    expect(await model.keeper?.warm([systemMessage], { conversation: null, prefix: 1 }, never)).toMatchObject({ evaluated: 0 });
    const made = await talk(model, "new", [ask("Hello.")], 4);
    expect(made.tokensReused).toBe(warmed?.evaluated);
    expect(files("f").length).toBeGreaterThan(0);
  });

  it("brings back a conversation as far as it went", async () => {
    const said = await answeredElsewhere({ root: join(root, "g"), system, conversation: "talk", messages: [ask("Name a colour.")], maxTokens: 8 });
    await using model = await loaded(folderOf("g"));
    const messages = [systemMessage, ask("Name a colour."), answered(said.text)];
    await model.keeper?.warm(messages, { conversation: "talk", prefix: 1 }, never);
    const made = await talk(model, "talk", [ask("Name a colour."), answered(said.text), ask("Another.")], 4);
    expect(made.tokensEvaluated).toBeLessThan(14);
  });
});
