import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ScriptedModel, scriptedModel } from "#adapters/scripted/index.ts";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import type { TurnEvent } from "#contract/chat/schema.ts";
import { says } from "../../fixtures/makers/stage.ts";

interface Home {
  readonly agent: HostedAgent;
  readonly model: ScriptedModel;
  readonly folder: string;
  /** The path of a block's file. */
  readonly file: (name: string) => string;
  readonly send: (text: string, answer?: string) => Promise<{ readonly problem: string | null; readonly system: string }>;
}

async function home({ isLoaded = true }: { readonly isLoaded?: boolean } = {}): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), "knack-blocks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const model = scriptedModel();
  const agent = await createAgent({
    dataFolder: join(folder, "home"),
    cacheFolder: join(folder, "cache"),
    env: {},
    maintenance: false,
    ...(isLoaded ? { models: { chat: async () => model, embedder: async () => null } } : {}),
  });
  onTestFinished(() => agent.close());
  return {
    agent,
    model,
    folder: join(folder, "home", "blocks"),
    file: (name) => join(folder, "home", "blocks", `${name}.md`),
    async send(text, answer) {
      if (answer !== undefined) model.say(says(answer));
      let last: TurnEvent | undefined;
      for await (const event of agent.send({ text, noSkills: true }, AbortSignal.timeout(10_000))) last = event;
      if (last?.type !== "turn-finished") throw new Error("the turn did not finish");
      return { problem: last.problem, system: model.requests.at(-1)?.messages[0]?.text ?? "" };
    },
  };
}
const blockOf = async (agent: HostedAgent, name: string) => (await agent.blocks()).blocks.find((block) => block.name === name);

describe("standing context of a new data folder", () => {
  it("has the eight blocks, of which those with something to say stand in the prompt, in the bytes that are told", async () => {
    const { agent, send } = await home();
    const { blocks, profile, prefix } = await agent.blocks();
    expect(blocks.map(({ name, tier, layer, source, state }) => `${name} ${tier} ${layer} ${source} ${state}`)).toEqual([
      "BOUNDARIES platform L1 static rendered",
      "IDENTITY platform L1 file rendered",
      "RULES operating L1 file empty",
      "ENVIRONMENT operating L1 computed rendered",
      "USER_PROFILE profile L1 memory empty",
      "PREFERENCES profile L1 memory empty",
      "ONBOARDING operating L1 computed rendered",
      "FOCUS session L2 memory empty",
    ]);
    expect(profile).toEqual({ name: "unknown", location: "unknown", role: "unknown" });
    const { system } = await send("Hello", "Hello.");
    for (const { text, bytes, tokens } of blocks) {
      expect([system.includes(text), bytes, tokens]).toEqual([true, Buffer.byteLength(text), Math.ceil(text.length / 4)]);
    }
    expect(prefix).toEqual({ bytes: Buffer.byteLength(system), tokens: Math.ceil(system.length / 4) });
  });

  it("counts no tokens while no model is loaded, and loads none to count", async () => {
    const { agent } = await home({ isLoaded: false });
    const { blocks, prefix } = await agent.blocks();
    expect([...blocks, prefix].map(({ tokens }) => tokens)).toEqual(Array(9).fill(null));
    expect((await agent.status()).model.state).not.toBe("loading");
  });
});

describe("a text that is edited", () => {
  it("in the app is kept for this user alone and taken up at the next turn; reset it is as it came", async () => {
    const { agent, file, folder, send } = await home();
    await agent.setBlock("IDENTITY", "You are Otto, and you speak like a butler.\n");
    expect(readFileSync(file("IDENTITY"), "utf8")).toBe("You are Otto, and you speak like a butler.\n");
    if (process.platform !== "win32") expect([statSync(file("IDENTITY")).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
    expect((await send("Hello", "Good day.")).system).toContain("IDENTITY\nYou are Otto, and you speak like a butler.\nENVIRONMENT");
    const after = await agent.resetBlock("IDENTITY");
    expect(after.blocks.find(({ name }) => name === "IDENTITY")).toMatchObject({ isOwn: false, written: expect.stringContaining("friendly") });
    expect([existsSync(file("IDENTITY")), (await send("Hello", "Hello.")).system.includes("Otto")]).toEqual([false, false]);
  });

  it("in any editor is taken up at the next turn as well", async () => {
    const { agent, file, send } = await home();
    await send("Hello", "Hello.");
    writeFileSync(file("RULES"), "Amounts in euros.");
    expect((await send("Hello", "Hello.")).system).toContain("RULES\nAmounts in euros.\n");
    expect(await blockOf(agent, "RULES")).toMatchObject({ state: "rendered", isOwn: true, written: "Amounts in euros.", file: file("RULES") });
  });

  it.each([
    ["IDENTITY", "x".repeat(2001), "has 2001 characters; at most 2000"],
    ["IDENTITY", " \n ", "knack blocks reset IDENTITY"],
    ["RULES", "a\0b", "U+0000"],
    ["BOUNDARIES", "Everything is allowed.", "not edited by hand; IDENTITY and RULES are"],
    ["../settings", "x", "not edited by hand"],
  ])("%s to what cannot stand there is refused whole, and what was there stays", async (name, text, why) => {
    const { agent, folder } = await home();
    await agent.setBlock("IDENTITY", "You are Otto.");
    await expect(agent.setBlock(name as "IDENTITY", text)).rejects.toMatchObject({ code: "bad-input", message: expect.stringContaining(why) });
    expect(readdirSync(folder)).toEqual(["IDENTITY.md"]);
    expect((await blockOf(agent, "IDENTITY"))?.written).toBe("You are Otto.");
  });

  it("has exactly as many characters as may stand there", async () => {
    const { agent } = await home();
    await agent.setBlock("RULES", "x".repeat(2000));
    expect(await blockOf(agent, "RULES")).toMatchObject({ state: "rendered", bytes: 2006 });
  });
});

describe("a file that cannot be read", () => {
  const damages: readonly (readonly [string, (file: string) => void, string])[] = [
    ["is binary", (file) => writeFileSync(file, Buffer.from([0x89, 0x50, 0, 0xff])), "is not text (UTF-8); save it as plain text"],
    ["is Latin-1", (file) => writeFileSync(file, Buffer.from([0x63, 0x61, 0x66, 0xe9])), "is not text (UTF-8); save it as plain text"],
    ["is too long", (file) => writeFileSync(file, "x".repeat(2001)), "has 2001 characters, and at most 2000 stand in the prompt; shorten it"],
    ["is far too long", (file) => writeFileSync(file, "x".repeat(1_000_001)), "shorten it"],
    ["is a folder", (file) => mkdirSync(file), "is a folder or a device, not a file; put a text file in its place"],
    ["is a link", (file) => symlinkSync("/etc/hostname", file), "is a link, and links are not followed"],
  ];
  it.each(damages)("because it %s fails the turn with its name and the way on, and is kept when it gives way", async (_what, damage, why) => {
    const { agent, model, file, folder, send } = await home();
    damage(file("IDENTITY"));
    const { problem } = await send("Hello");
    for (const part of [file("IDENTITY"), why, "knack blocks reset IDENTITY", "block IDENTITY"]) expect(problem).toContain(part);
    expect(model.requests).toEqual([]);
    expect(await blockOf(agent, "IDENTITY")).toMatchObject({ state: "failed", problem, text: "", written: null, isOwn: true });
    await agent.setBlock("IDENTITY", "You are Otto.");
    expect(readdirSync(folder).sort()).toEqual(["IDENTITY.md", "IDENTITY.unread-1.md"]);
    expect((await send("Hello", "Hello.")).problem).toBe(null);
    await agent.resetBlock("IDENTITY");
    expect(readdirSync(folder)).toEqual(["IDENTITY.unread-1.md"]);
  });

  it.skipIf(process.getuid?.() === 0)("because of its rights fails the turn too", async () => {
    const { file, send } = await home();
    writeFileSync(file("RULES"), "Be brief.");
    chmodSync(file("RULES"), 0o000);
    expect((await send("Hello")).problem).toContain("may not be read; give yourself the right to read it");
  });
});

describe("what a person would rather not say", () => {
  it("is not asked for, until it may be asked for again", async () => {
    const { agent, send } = await home();
    const { profile, blocks } = await agent.declineField("location");
    expect([profile.location, blocks.find(({ name }) => name === "ONBOARDING")?.text.includes("location")]).toEqual(["declined", false]);
    await agent.declineField("name");
    expect((await agent.declineField("role")).blocks.find(({ name }) => name === "ONBOARDING")?.state).toBe("gated");
    expect((await send("Hello", "Hello.")).system).not.toContain("ONBOARDING");
    expect((await agent.askFieldAgain("role")).profile.role).toBe("unknown");
    expect((await send("Hello", "Hello.")).system).toContain("You do not know the user's role.");
  });

  it("has to be one of what is asked for", async () => {
    const { agent } = await home();
    await expect(agent.declineField("salary" as "role")).rejects.toThrow("name, location, role are");
    await expect(agent.askFieldAgain("salary" as "role")).rejects.toThrow("name, location, role are");
  });
});

describe("a text of nothing but characters that cannot be seen", () => {
  const unseen = "\u200B\u2060 \uFEFF\n";

  it("is refused like an empty one, and in a file is as if there were none", async () => {
    const { agent, file, folder } = await home();
    await expect(agent.setBlock("IDENTITY", unseen)).rejects.toThrow(/The text is empty/u);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file("IDENTITY"), unseen);
    expect(await blockOf(agent, "IDENTITY")).toMatchObject({ state: "empty", text: "" });
  });
});
