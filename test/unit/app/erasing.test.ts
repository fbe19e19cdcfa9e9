import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAgent, type HostedAgent } from "#app/create-agent.ts";
import { erasureWords } from "#contract/conversations/erasure.ts";

const word = "zyxqwvk";

async function agentWithTalk(): Promise<{ agent: HostedAgent; folder: string; conversationId: string }> {
  const folder = mkdtempSync(join(tmpdir(), "knack-erase-"));
  const agent = await createAgent({ dataFolder: join(folder, "home"), cacheFolder: join(folder, "cache"), env: {}, maintenance: false });
  onTestFinished(async () => {
    await agent.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let conversationId = "";
  // Without a model the turn fails, and what was said is stored all the same.
  for await (const event of agent.send({ text: `Write to ${word}` }, new AbortController().signal))
    if (event.type === "turn-started") conversationId = event.turn.conversationId;
  return { agent, folder: join(folder, "home"), conversationId };
}

/** Files of the data folder, the log aside, that hold the word. */
function holding(folder: string): string[] {
  const inside = (of: string): string[] => (existsSync(join(folder, of)) ? readdirSync(join(folder, of)).map((name) => join(of, name)) : []);
  return [...readdirSync(folder).filter((name) => name.startsWith("knack.db")), ...inside("backups")].filter((name) =>
    readFileSync(join(folder, name)).includes(word),
  );
}

describe("UNT-06: backups of what is erased", () => {
  it("are told of, and go when the user says so; a new one without it takes their place", async () => {
    const { agent, folder, conversationId } = await agentWithTalk();
    expect(holding(folder).filter((name) => name.startsWith("backups"))).toHaveLength(1);
    const erasure = await agent.deleteConversation(conversationId);
    expect([erasure, erasureWords(erasure)]).toEqual([
      { skills: [], backups: 1, backupsErased: 0 },
      ["1 backup still holds it until newer ones take its place."],
    ]);
    expect(holding(folder)).toEqual([expect.stringMatching(/^backups/u)]);
    expect(await agent.eraseBackups()).toBe(1);
    expect([holding(folder), readdirSync(join(folder, "backups"))]).toEqual([[], [expect.stringMatching(/-daily\.db$/u)]]);
    expect(await agent.eraseBackups()).toBe(1);
  });

  it("go at once with a task that is forgotten so", async () => {
    const { agent, folder, conversationId } = await agentWithTalk();
    const [episode] = agent.conversation(conversationId).episodes;
    expect(await agent.eraseEpisode(episode?.id ?? "", true)).toEqual({ skills: [], backups: 0, backupsErased: 1 });
    expect([holding(folder), agent.conversations()]).toEqual([[], []]);
    await expect(agent.eraseEpisode("none-such")).rejects.toThrow("There is no task none-such");
  });
});
