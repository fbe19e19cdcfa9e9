import type { JudgedCondition, RecallCheck, Revision, Skill, Trust } from "#contract/skills/schema.ts";
import type { VectorHit } from "../ports/stores.ts";
import { mayBeOffered, recallText, trustOfRecord } from "../skills/index.ts";
import type { MatchWorld } from "./match-world.ts";
import { highestFit, structuralFit } from "./structural-fit.ts";

const fusionConstant = 60;
const maxCandidates = 5;
/** Texts that are looked at in a first search. */
const nearestTexts = 200;
const nearestWords = 50;

export interface Candidate {
  readonly skill: Skill;
  readonly revision: Revision;
  readonly trust: Trust;
  readonly score: number;
  readonly similarity: number;
  readonly phrasing: string;
  readonly vectorRank: number | null;
  readonly lexicalRank: number | null;
  readonly fused: number;
  out: { readonly check: RecallCheck; readonly reason: string } | null;
  conditions: readonly JudgedCondition[];
  /** What is declared and not granted. */
  lacking: readonly string[];
}

interface Near {
  readonly similarity: number;
  readonly phrasing: string;
  readonly rank: number | null;
}

/**
 * Lexical and vector candidates fused by reciprocal rank (SPEC 3.6, 1), at most five, those above the threshold first. Skills of a site that the goal
 * names stand before the rest, however many others are nearer in words: on that site there may be only they.
 */
export async function candidatesFor(
  goal: string,
  usable: readonly Skill[],
  hosts: readonly string[],
  threshold: number,
  world: MatchWorld,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const text = recallText(goal, new Date(world.now));
  const [vector] = await world.embedder.embed([text], "query", signal);
  if (!vector) return [];
  const byId = new Map(usable.map((skill) => [skill.id, skill]));
  const near = nearestSkills(vector, byId, world);
  const lexical = lexicalRanks(text, byId, world);
  const onSite = hosts.length === 0 ? new Set<string>() : skillsOnSite(hosts, world);
  const far = [...new Set([...lexical.keys(), ...onSite])].filter((id) => byId.has(id) && !near.has(id));
  for (const hit of far.length === 0 ? [] : world.vectors.nearestOf(world.embedder.key, "phrasing", vector, far))
    near.set(hit.ownerId, { similarity: hit.score, phrasing: hit.text, rank: null });

  const records = world.skills.records([...near.keys()]);
  // A revision is read only where its form could lift it above the threshold, and of the nearest few, which are told in any case.
  const bySimilarity = [...near].sort(([, a], [, b]) => b.similarity - a.similarity);
  const read = bySimilarity.filter(([, { similarity }], at) => at < maxCandidates || similarity + highestFit >= threshold).map(([id]) => id);
  const revisions = world.skills.activeRevisions(read);
  const found = read.flatMap((id): Candidate[] => {
    const [skill, revision, hit] = [byId.get(id), revisions.get(id), near.get(id)];
    if (!skill || !revision || !hit) return [];
    const lexicalRank = lexical.get(id) ?? null;
    return [
      {
        skill,
        revision,
        trust: trustOfRecord(records.get(id), world.now),
        score: Math.min(1, hit.similarity + structuralFit(revision, goal, new Date(world.now))),
        similarity: hit.similarity,
        phrasing: hit.phrasing,
        vectorRank: hit.rank,
        lexicalRank,
        fused: reciprocal(hit.rank) + reciprocal(lexicalRank),
        out: null,
        conditions: [],
        lacking: [],
      },
    ];
  });
  const standing = (one: Candidate): number => (onSite.has(one.skill.id) ? 4 : 0) + (one.score >= threshold ? 2 : 0) + (mayBeOffered(one.trust) ? 1 : 0);
  const fused = (one: Candidate): number => (one.score >= threshold ? one.fused : 0);
  found.sort((a, b) => standing(b) - standing(a) || fused(b) - fused(a) || b.score - a.score);
  return found.slice(0, maxCandidates);
}

function reciprocal(rank: number | null): number {
  return rank === null ? 0 : 1 / (fusionConstant + rank);
}

/** The usable skills among the nearest texts. Texts of skills that are off, or one skill's many, must not keep the others out: then more are looked at. */
function nearestSkills(vector: Float32Array, usable: ReadonlyMap<string, Skill>, { vectors, embedder }: MatchWorld): Map<string, Near> {
  for (let limit = nearestTexts; ; limit *= 4) {
    const hits: readonly VectorHit[] = vectors.search(embedder.key, "phrasing", vector, limit);
    const near = new Map<string, Near>();
    for (const { ownerId, score, text } of hits)
      if (usable.has(ownerId) && !near.has(ownerId)) near.set(ownerId, { similarity: score, phrasing: text, rank: near.size + 1 });
    if (near.size >= Math.min(maxCandidates, usable.size) || hits.length < limit) return near;
  }
}

function lexicalRanks(text: string, usable: ReadonlyMap<string, Skill>, { vectors }: MatchWorld): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const { ownerId } of vectors.searchText("phrasing", text, nearestWords))
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
