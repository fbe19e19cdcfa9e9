import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { scriptedModel } from "#adapters/scripted/index.ts";
import { createAgent } from "#app/create-agent.ts";
import { withoutToldSecrets } from "#core/learning/index.ts";
import { writeStep } from "#core/turn/step-text.ts";

describe("a secret that a person tells in a message", () => {
  it.each([
    ["my password is hunter2", "my password is ***"],
    ["Remember that my PIN is 4821, please", "Remember that my PIN is ***, please"],
    ["The password for the library is open sesame", "The password for the library is ***"],
    ["Mein Passwort ist geheim123", "Mein Passwort ist ***"],
    ["my api key: sk-abcdefghijklmnop1234", "my api key: ***"],
    ["My card is 4111 1111 1111 1111", "My card is ***"],
    ["Use ghp_abcdefghijklmnopqrstuvwxyz0123456789", "Use ***"],
  ])("“%s” is masked: “%s”", (text, masked) => {
    expect(withoutToldSecrets(text)).toBe(masked);
  });

  it.each([
    "my password is wrong, what can I do?",
    "The password is required on that page",
    "Download the receipt of order 4111111111111111",
    "my password is expiring, renew it at https://portal.example",
    "What is a PIN?",
  ])("“%s” tells none", (text) => {
    expect(withoutToldSecrets(text)).toBe(text);
  });

  it("is masked as well where they only ask to have it remembered", () => {
    expect(withoutToldSecrets("Remember 4111 1111 1111 1111", true)).toBe("Remember ***");
  });

  it.each([
    ["my password is Zyxqwvk9", "Zyxqwvk9"],
    ["Remember that my card number is 4012 8888 8888 1881", "1881"],
  ])("is in no event, no prompt, no step, no conversation and no file: “%s”", async (text, secret) => {
    const folder = mkdtempSync(join(tmpdir(), "knack-told-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const model = scriptedModel([writeStep("remember", { fact: text }), writeStep("reply", { text: "I keep no secrets." })]);
    const agent = await createAgent({
      dataFolder: join(folder, "home"),
      cacheFolder: join(folder, "cache"),
      env: {},
      maintenance: false,
      models: { chat: async () => model, embedder: async () => null },
    });
    onTestFinished(() => agent.close());
    const events: unknown[] = [];
    for await (const event of agent.send({ text: `Please note that down: ${text}` }, new AbortController().signal))
      if (event.type !== "step-started") events.push(event);
    expect(JSON.stringify(events)).not.toContain(secret);
    expect(JSON.stringify(model.requests[0]?.messages)).not.toContain(secret);
    expect(JSON.stringify(agent.conversations().map(({ id }) => agent.conversation(id)))).not.toContain(secret);
    expect(agent.alerts(false).map(({ title }) => title)).toContain("A password, key or card number was in a message");
    expect(agent.facts()).toEqual([]);
    await agent.close();
    const holding = readdirSync(join(folder, "home"), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name), "latin1").includes(secret),
    );
    expect(holding.map(({ name }) => name)).toEqual([]);
  });
});
