import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { recallText } from "#core/skills/index.ts";
import { fileStores, storePlaces } from "./fixtures/stores.ts";

const writer = fileURLToPath(new URL("fixtures/life-writer.ts", import.meta.url));
const rounds = 5;

/** Kills the writer without warning some time after it has begun; what it said was done. */
function killWhileChanging(places: { file: string; backupFolder: string }, round: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [writer, places.file, places.backupFolder, String(round)], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), Math.random() * 150));
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once("error", reject);
    child.once("close", (_code, signal) => (signal === "SIGKILL" ? resolve(said.split("\n").slice(0, -1)) : reject(new Error("the writer ended by itself"))));
  });
}

it("a process killed while it accepts, reverts, takes back, imports or loads a pack leaves each of them done or not done", { timeout: 120_000 }, async () => {
  const places = storePlaces();
  const done: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    done.push(...(await killWhileChanging(places, round)));
    const stores = fileStores(places);
    expect(stores.integrity()).toBe("ok");
    const shared = stores.skills.byName("shared");
    if (!shared) throw new Error("not made");
    const [revisions, ledger] = [stores.skills.revisions(shared.id), stores.skills.ledger(shared.id)];
    // Every revision has the row that made it, and every accepted proposal its revision.
    expect(ledger.filter(({ action }) => action === "create" || action === "modify").map(({ afterRevision }) => afterRevision)).toEqual(
      revisions.map(({ number }) => number),
    );
    const accepted = stores.proposals.list({ all: true }).filter(({ status }) => status === "accepted");
    expect(accepted).toHaveLength(revisions.length - 1);
    expect(done.filter((id) => !accepted.some((one) => one.id === id))).toEqual([]);
    expect(ledger.at(-1)?.afterRevision).toBe(shared.activeRevision);
    // No words of a revision that is not in use.
    const goal = recallText(revisions.find(({ number }) => number === shared.activeRevision)?.goal ?? "", new Date());
    expect(stores.vectors.searchText("phrasing", "Goal", 50).filter(({ ownerId, text }) => ownerId === shared.id && text !== goal)).toEqual([]);
    // Twenty of a batch or none, and a pack as one.
    const skills = stores.skills.list({ all: true });
    const batches = Object.groupBy(
      skills.filter(({ name }) => name.startsWith("bulk-")),
      ({ name }) => name.split("-").slice(0, 3).join("-"),
    );
    for (const [batch, members] of Object.entries(batches)) expect([batch, members?.length]).toEqual([batch, 20]);
    const pack = skills.filter(({ name }) => ["a", "b", "c"].includes(name));
    expect(new Set(pack.map(({ status, activeRevision }) => `${status} ${activeRevision}`)).size).toBe(1);
    expect(pack).toHaveLength(3);
    stores.close();
  }
  expect(done.length).toBeGreaterThanOrEqual(rounds);
});
