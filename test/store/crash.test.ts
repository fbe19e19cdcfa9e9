import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fileStores, storePlaces } from "./fixtures/stores.ts";

const writer = fileURLToPath(new URL("fixtures/writer.ts", import.meta.url));
const rounds = 8;

/** Lets the writer store at least one pair, kills it with no warning after a random while, and returns what it said was stored. */
function killWhileWriting(places: { file: string; backupFolder: string }, round: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [writer, places.file, places.backupFolder, String(round)], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), Math.random() * 120));
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once("error", reject);
    child.once("close", (_code, signal) => {
      if (signal !== "SIGKILL") reject(new Error("the writer ended by itself"));
      // A line cut short may or may not be stored.
      resolve(said.split("\n").slice(0, -1));
    });
  });
}

describe("a process killed while it writes", () => {
  it("leaves a sound store with everything it had stored and no half transaction, time after time", { timeout: 60_000 }, async () => {
    const places = storePlaces();
    const stored: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      stored.push(...(await killWhileWriting(places, round)));
      const stores = fileStores(places);
      expect(stores.integrity()).toBe("ok");
      const turns = stores.trace.turns("c").map(({ id }) => id.replace("turn ", ""));
      const messages = stores.conversations.messages("c").map(({ id }) => id.replace("message ", ""));
      expect(new Set(messages)).toEqual(new Set(turns));
      expect(stored.filter((id) => !messages.includes(id))).toEqual([]);
      // One transaction at most was under way when each round ended.
      expect(messages.length - stored.length).toBeLessThanOrEqual(round + 1);
      stores.close();
    }
    expect(stored.length).toBeGreaterThan(rounds);
  });
});
