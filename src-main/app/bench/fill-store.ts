import type { LedgerEntry, SkillStatus } from "#contract/skills/schema.ts";
import type { Embedder } from "#core/ports/index.ts";
import { indexSkill } from "#core/recall/index.ts";
import { makeRevision, newSkill } from "#core/skills/index.ts";
import type { SkillWorld } from "../skills.ts";
import { contentOf, outcomeOf, topicOf } from "./made-skills.ts";

const dayMs = 86_400_000;
/** Skills a transaction. */
const batch = 25;
const runsOfOld = 2;
const runsOfActive = 6;

/** Of twenty skills one is off, one retired and one was retired and brought back; of the rest every fifth is new. */
function statusOf(n: number): SkillStatus {
  if (n % 20 === 17) return "disabled";
  if (n % 20 === 18) return "retired";
  return n % 5 === 0 ? "provisional" : "active";
}

/** Skills as a user's years leave them: revisions, the ledger, two runs of each old revision and six of the one in use, phrasings and their vectors. */
export async function fillStore(
  world: SkillWorld,
  size: { readonly skills: number; readonly revisions: number },
  embedder: Embedder,
  signal: AbortSignal,
): Promise<{ revisions: number; runs: number; vectors: number }> {
  const { stores, clock } = world;
  const now = clock();
  let vectors = 0;
  for (const site of new Set(Array.from({ length: size.skills }, (_, n) => topicOf(n).site))) grantSite(world, site, now);
  for (let from = 0; from < size.skills; from += batch) {
    const ids: string[] = [];
    stores.transaction(() => {
      for (let n = from; n < Math.min(size.skills, from + batch); n += 1) ids.push(addSkill(world, n, size.revisions, now));
    });
    for (const id of ids) {
      await indexSkill(id, { skills: stores.skills, vectors: stores.vectors, embedder, now }, signal);
      vectors += stores.vectors.vectorsOf(embedder.key, "phrasing", id).length;
    }
    // So that Ctrl+C is heard while a large store is made.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  return { revisions: size.skills * size.revisions, runs: size.skills * ((size.revisions - 1) * runsOfOld + runsOfActive), vectors };
}

function grantSite({ stores, makeId }: SkillWorld, site: string, createdAt: number): void {
  const destination = { scheme: "https" as const, host: new URL(site).hostname, port: 443, use: "navigate" as const, allowPrivate: false };
  stores.grants.add({ id: makeId(), kind: "destination", destination, createdAt, by: "bench" });
}

function addSkill({ stores, makeId, digest }: SkillWorld, n: number, revisions: number, now: number): string {
  const { skills } = stores;
  const id = makeId();
  const madeAt = (number: number): number => now - (revisions - number + 1) * dayMs;
  const entry = (action: string, at: number, before: string | null, after: string): LedgerEntry => ({
    id: makeId(),
    skillId: id,
    action,
    actor: "human:bench",
    reason: `${action}, made for a bench`,
    before,
    after,
    at,
  });
  let hash: string | null = null;
  for (let number = 1; number <= revisions; number += 1) {
    const at = madeAt(number);
    const revision = makeRevision(contentOf(n, number), { skillId: id, number, author: "human:bench", evidence: [], createdAt: at }, digest);
    if (hash === null) skills.create(newSkill(id, topicOf(n).name, "provisional", at), revision, entry("create", at, null, revision.contentHash));
    else skills.addRevision(revision, entry("modify", at, hash, revision.contentHash), at);
    hash = revision.contentHash;
    const runs = number === revisions ? runsOfActive : runsOfOld;
    for (let run = 0; run < runs; run += 1) {
      const startedAt = at + run * 60_000;
      skills.addRun({
        id: makeId(),
        skillId: id,
        revision: number,
        episodeId: makeId(),
        turnId: makeId(),
        mode: run % 2 === 0 ? "advisory" : "strict",
        inputs: { month: "March 2027", reference: "AB-1234" },
        outcome: outcomeOf(n, run),
        finding: null,
        startedAt,
        endedAt: startedAt + 30_000,
      });
    }
  }
  const status = statusOf(n);
  if (status !== "provisional") skills.setStatus(id, status, entry(status === "active" ? "activate" : status, now, "provisional", status), now);
  if (n % 20 === 19) {
    skills.setStatus(id, "retired", entry("remove", now, "active", "retired"), now);
    skills.setStatus(id, "active", entry("revive", now, "retired", "active"), now);
  }
  skills.addPhrasing(id, `${topicOf(n).verb} that ${topicOf(n).thing} again`, false, now);
  skills.addPhrasing(id, `${topicOf(n).verb} nothing of the ${topicOf(n).place}`, true, now);
  return id;
}
