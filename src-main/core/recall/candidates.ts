import { stopWords } from "#base/stop-words.ts";
import { words } from "#base/text.ts";
import type { JudgedCondition, RecallCheck, Revision, Skill, Trust } from "#contract/skills/schema.ts";
import { mayBeOffered, recallText, trustOfRecord } from "../skills/index.ts";
import type { MatchWorld } from "./match-world.ts";
import { combined } from "./similarity.ts";
import { highestFit, structuralFit } from "./structural-fit.ts";

const fusionConstant = 60;
const maxCandidates = 5;
/** Skills that are looked at in a first search, by the mean of their phrasings: of CLINC150's goals, 150 skills of three phrasings, 99.8 % have theirs among them. Shared words add others. */
const nearestMeans = 60;
const nearestWords = 50;
/** Revisions that are read in one go. */
const readAtOnce = 20;

export interface Candidate {
  readonly skill: Skill;
  readonly revision: Revision;
  readonly trust: Trust;
  readonly score: number;
  /** To all its phrasings; see `combined`. */
  readonly similarity: number;
  /** How many phrasings it has. */
  readonly phrasings: number;
  /** Cosine to the nearest one alone. */
  readonly nearest: number;
  readonly phrasing: string;
  readonly vectorRank: number | null;
  readonly lexicalRank: number | null;
  readonly fused: number;
  out: { readonly check: RecallCheck; readonly reason: string } | null;
  conditions: readonly JudgedCondition[];
  /** What is declared and not granted. */
  lacking: readonly string[];
}

type Near = Pick<Candidate, "similarity" | "nearest" | "phrasings" | "phrasing" | "vectorRank">;

/** A candidate whose revision is not read yet; those that stand higher come first. */
type Draft = Near & Pick<Candidate, "skill" | "trust" | "lexicalRank" | "fused"> & { readonly standing: number };

/**
 * Lexical and vector candidates fused by reciprocal rank (SPEC 3.6, 1), at most five, those above the threshold first. Skills of a site that the goal
 * names stand before the rest, however many others are nearer in words: on that site there may be only they.
 */
export function candidatesFor(
  goal: string,
  vector: Float32Array,
  usable: readonly Skill[],
  hosts: readonly string[],
  threshold: number,
  world: MatchWorld,
): Candidate[] {
  const text = recallText(goal, new Date(world.now));
  const byId = new Map(usable.map((skill) => [skill.id, skill]));
  const lexical = lexicalRanks(text, byId, world);
  const onSite = hosts.length === 0 ? new Set<string>() : skillsOnSite(hosts, world);
  const looked = new Set([...nearestByMean(vector, byId, world), ...lexical.keys(), ...onSite]);
  const near = similaritiesOf(
    [...looked].filter((id) => byId.has(id)),
    vector,
    hosts.length > 0,
    world,
  );

  const records = world.skills.records([...near.keys()]);
  const drafts = [...near].flatMap(([id, hit]): Draft[] => {
    const skill = byId.get(id);
    const lexicalRank = lexical.get(id) ?? null;
    const trust = trustOfRecord(records.get(id), world.now);
    const standing = (onSite.has(id) ? 2 : 0) + (mayBeOffered(trust) ? 1 : 0);
    return skill ? [{ skill, trust, ...hit, lexicalRank, fused: reciprocal(hit.vectorRank) + reciprocal(lexicalRank), standing }] : [];
  });
  drafts.sort((a, b) => b.standing - a.standing || b.fused - a.fused || b.similarity - a.similarity);
  return scored(drafts, goal, threshold, world);
}

/** The first five drafts above the threshold; where there are fewer, the nearest of those below stand behind them, so that it can be told how far off they are. */
function scored(drafts: readonly Draft[], goal: string, threshold: number, world: MatchWorld): Candidate[] {
  const now = new Date(world.now);
  const above: Candidate[] = [];
  const below: Candidate[] = [];
  const score = (some: readonly Draft[]): void => {
    const revisions = world.skills.activeRevisions(some.map(({ skill }) => skill.id));
    for (const { standing: _standing, ...draft } of some) {
      const revision = revisions.get(draft.skill.id);
      if (!revision) continue;
      const made = { ...draft, revision, score: Math.min(1, draft.similarity + structuralFit(revision, goal, now)), out: null, conditions: [], lacking: [] };
      (made.score >= threshold ? above : below).push(made);
    }
  };
  // A revision is read only where its form could lift it above the threshold, and no more are than it takes.
  const hopeful = drafts.filter(({ similarity }) => similarity + highestFit >= threshold);
  for (let at = 0; at < hopeful.length && above.length < maxCandidates; at += readAtOnce) score(hopeful.slice(at, at + readAtOnce));
  const isRead = new Set([...above, ...below].map(({ skill }) => skill.id));
  const nearest = [...drafts].sort((a, b) => b.similarity - a.similarity).slice(0, maxCandidates);
  if (above.length < maxCandidates) score(nearest.filter(({ skill }) => !isRead.has(skill.id)));
  below.sort((a, b) => b.score - a.score);
  return [...above, ...below].slice(0, maxCandidates);
}

function reciprocal(rank: number | null): number {
  return rank === null ? 0 : 1 / (fusionConstant + rank);
}

/** The usable skills among the nearest. Skills that are off must not keep the others out: then more are looked at. */
function nearestByMean(vector: Float32Array, usable: ReadonlyMap<string, Skill>, { vectors, embedder }: MatchWorld): string[] {
  for (let limit = nearestMeans; ; limit *= 4) {
    const hits = vectors.searchMeans(embedder.key, "phrasing", vector, limit);
    const near = hits.flatMap(({ ownerId }) => (usable.has(ownerId) ? [ownerId] : []));
    if (near.length >= Math.min(maxCandidates, usable.size) || hits.length < limit) return near;
  }
}

/** How near each of these skills is (see `combined`), the nearest first; skills that are not embedded are left out. */
export function similaritiesOf(
  ids: readonly string[],
  vector: Float32Array,
  onSite: boolean,
  { vectors, embedder }: Pick<MatchWorld, "vectors" | "embedder">,
): Map<string, Near> {
  const means = new Map(vectors.meansOf(embedder.key, "phrasing", vector, ids).map(({ ownerId, score }) => [ownerId, score]));
  const near = vectors.nearestOf(embedder.key, "phrasing", vector, ids).map(({ ownerId, score, text, of }) => ({
    id: ownerId,
    phrasing: text,
    phrasings: of,
    nearest: score,
    // Phrasings whose mean is no direction have only themselves.
    similarity: combined(score, means.get(ownerId) ?? score, onSite),
  }));
  near.sort((a, b) => b.similarity - a.similarity);
  return new Map(near.map(({ id, ...found }, index) => [id, { ...found, vectorRank: index + 1 }]));
}

function lexicalRanks(text: string, usable: ReadonlyMap<string, Skill>, { vectors }: MatchWorld): Map<string, number> {
  const ranks = new Map<string, number>();
  // "the" and "my" are in every phrasing, and say nothing of which one is meant.
  const telling = words(text).filter((word) => !stopWords.has(word));
  for (const { ownerId } of vectors.searchText("phrasing", telling.join(" ") || text, nearestWords))
    if (usable.has(ownerId) && !ranks.has(ownerId)) ranks.set(ownerId, ranks.size + 1);
  return ranks;
}

function skillsOnSite(hosts: readonly string[], { skills }: MatchWorld): Set<string> {
  return new Set(skills.outlines({ hosts }).flatMap(({ skill, destinations }) => (usesHost(destinations, hosts) ? [skill.id] : [])));
}

/** Whether one of these origins is on one of these hosts. */
export function usesHost(destinations: readonly string[], hosts: readonly string[]): boolean {
  return destinations.some((origin) => {
    try {
      return hosts.includes(new URL(origin).hostname);
    } catch {
      return false;
    }
  });
}
