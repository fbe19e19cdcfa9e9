import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createSkill, skillNamed } from "#app/skills.ts";
import { statusWord } from "#core/skills/index.ts";
import { procedure } from "../fixtures/makers/content.ts";
import { fileStores, storePlaces } from "./fixtures/stores.ts";

const changer = fileURLToPath(new URL("fixtures/changer.ts", import.meta.url));
const rounds = 25;

it("processes that change one skill at once lose no revision and no ledger row, and no row says what was not so", { timeout: 60_000 }, async () => {
  const places = storePlaces();
  const stores = fileStores(places);
  const world = {
    stores,
    embedder: async () => null,
    makeId: () => crypto.randomUUID(),
    clock: Date.now,
    digest: (text: string) => createHash("sha256").update(text).digest("hex"),
  };
  await createSkill(world, { name: "shared", content: procedure("Goal"), author: "human:Kim", evidence: [], reason: "" }, new AbortController().signal);
  await Promise.all(
    ["Ana", "Ben"].map(
      (who) =>
        new Promise<void>((resolve, reject) => {
          const child = spawn(process.execPath, [changer, places.file, places.backupFolder, who, String(rounds)], { stdio: ["ignore", "ignore", "inherit"] });
          child.once("error", reject);
          child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`${who} ended with ${code}`))));
        }),
    ),
  );
  const skill = skillNamed(world, "shared");
  const [revisions, ledger] = [stores.skills.revisions(skill.id), stores.skills.ledger(skill.id)];
  expect(revisions.map(({ number }) => number)).toEqual(Array.from({ length: 2 * rounds + 1 }, (_, index) => index + 1));
  for (const who of ["human:Ana", "human:Ben"]) expect(revisions.filter(({ author }) => author === who)).toHaveLength(rounds);
  const modified = ledger.filter(({ action }) => action === "modify").sort((a, b) => (a.afterRevision ?? 0) - (b.afterRevision ?? 0));
  expect(modified.map(({ beforeRevision, afterRevision }) => [beforeRevision, afterRevision])).toEqual(
    Array.from({ length: 2 * rounds }, (_, index) => [index + 1, index + 2]),
  );
  const words = (actions: readonly string[]) => ledger.filter(({ action }) => actions.includes(action));
  const switched = words(["create", "disable", "enable"]);
  for (const [index, row] of switched.entries()) if (index > 1) expect(row.before).not.toBe(row.after);
  expect(switched.filter(({ after }) => after === "disabled").length - switched.filter(({ after }) => after === "active").length).toBe(
    statusWord(skill) === "disabled" ? 1 : 0,
  );
  expect(words(["pin"]).length - words(["unpin"]).length).toBe(skill.pinned ? 1 : 0);
  stores.close();
});
