import { KnackError } from "#contract/errors.ts";
import type { Recall, RecallCandidate, RecallCheck, Revision, Skill } from "#contract/skills/schema.ts";
import { embedderKeyText } from "../ports/embedder.ts";
import { hostsIn, recallText } from "../skills/index.ts";
import { adjudicate } from "./adjudicate.ts";
import { type Candidate, candidatesFor } from "./candidates.ts";
import { eliminate } from "./eliminate.ts";
import type { MatchWorld } from "./match-world.ts";
import { outvotes, sameGoal } from "./similarity.ts";
import { certaintyOf, chanceOf, highestLead, type Thresholds, thresholdsFor } from "./thresholds.ts";

export interface Match {
  readonly recall: Recall;
  /** Set when matched or suggested. */
  readonly skill?: Skill;
  readonly revision?: Revision;
  /** Set when blocked by nothing but a grant: what the skill declares and nobody granted, and whether it would have been used. */
  readonly lacking?: { readonly skill: Skill; readonly missing: readonly string[]; readonly wouldBeUsed: boolean };
}

/** A verdict in the making: the candidate it is about, and the one behind it. */
interface Decision {
  readonly verdict: Recall["verdict"];
  readonly why: string;
  readonly best?: Candidate | undefined;
  readonly second?: Candidate | undefined;
  /** Blocked: the candidate that fits, but is out. */
  readonly told?: Candidate;
}

/** Use, suggest or abstain (SPEC 3.6), with everything a person needs to see why. */
export async function matchSkill(goal: string, world: MatchWorld, signal: AbortSignal): Promise<Match> {
  const usable = world.skills.list();
  const hosts = hostsIn(goal);
  const thresholds = thresholdsFor(world.calibrations, world.embedder.key, hosts.length > 0);
  const answer = (decision: Decision, candidates: readonly Candidate[]): Match => explain(goal, decision, candidates, { usable, thresholds, world });
  if (usable.length === 0) return answer({ verdict: "nothing-learned", why: whyNothing(world) }, []);

  const [vector] = await world.embedder.embed([recallText(goal, new Date(world.now))], "query", signal);
  if (!vector) throw new KnackError("embedder.failed", `The embedding model ${world.embedder.id} gave no vector for the goal.`);
  const candidates = candidatesFor(goal, vector, usable, hosts, thresholds.suggest - highestLead, world);
  await eliminate(candidates, { goal, vector, hosts, world, signal });
  const standing = candidates.filter(({ out }) => out === null).sort((a, b) => b.score - a.score);
  const fitting = standing.filter((one, index) => isSuggested(one, standing[index + 1], thresholds));
  const phrasingsOf = ({ skill }: Candidate): Float32Array[] => world.vectors.vectorsOf(world.embedder.key, "phrasing", skill.id).map((one) => one.vector);
  // On a site the nearest phrasing tells most; see `combined`.
  const isNearer = (one: Candidate, next: Candidate): boolean => thresholds.onSite || outvotes(vector, phrasingsOf(one), phrasingsOf(next));
  // The best survivor is asked about, and the next one if it fails; no third: each question costs the model an answer.
  for (const candidate of fitting.slice(0, 2)) {
    const { blocked, conditions } = await adjudicate(candidate.revision, goal, world.model, signal);
    candidate.conditions = conditions;
    if (blocked === null) return answer(decide(candidate, standing[standing.indexOf(candidate) + 1], candidates, thresholds, isNearer), candidates);
    candidate.out = { check: "condition", reason: blocked };
  }
  return answer(blockedOrBelow(candidates, standing, thresholds), candidates);
}

function whyNothing({ skills }: MatchWorld): string {
  const off = skills.list({ all: true }).length;
  if (off === 0) return "No skill has been learned yet.";
  return `No skill is in use; ${off === 1 ? "the one there is" : `all ${off}`} ${off === 1 ? "is" : "are"} disabled or retired. See: knack skills list --all`;
}

function decide(
  best: Candidate,
  second: Candidate | undefined,
  candidates: readonly Candidate[],
  thresholds: Thresholds,
  isNearer: (one: Candidate, next: Candidate) => boolean,
): Decision {
  const certainty = certaintyOf(best.score, second?.score, thresholds.onSite);
  const score = scoreText(best, second, thresholds);
  // Asked in its own words, unless those are the next one's too.
  const isOwn = best.nearest >= sameGoal && (second?.nearest ?? 0) < sameGoal;
  const isClear = (): boolean => !second || isOwn || (best.score - second.score >= thresholds.margin && isNearer(best, second));
  // One that fits better and only lacks a grant is not passed over in silence.
  const passed = candidates.find((other) => other.out?.check === "grant" && other.score > best.score);
  const also = passed ? ` "${passed.skill.name}" scores ${passed.score.toFixed(2)}, but ${passed.out?.reason}.` : "";
  if (certainty < thresholds.use)
    return {
      verdict: "suggested",
      best,
      second,
      why: `"${best.skill.name}" ${score}: enough to suggest, not to use (${thresholds.use.toFixed(2)}).${also}`,
    };
  if (isClear())
    return {
      verdict: "matched",
      best,
      second,
      why: `"${best.skill.name}" ${score}, at or above ${thresholds.use.toFixed(2)} ("${best.phrasing}").${also}`,
    };
  const others = `"${second?.skill.name ?? ""}" (${second?.score.toFixed(2) ?? ""})`;
  return {
    verdict: "suggested",
    best,
    second,
    why: `"${best.skill.name}" (${best.score.toFixed(2)}) and ${others} are too close to choose without you.${also}`,
  };
}

/** Whether it is sure enough to be shown; one that is sure enough to be used always is. */
function isSuggested({ score, phrasings }: Candidate, next: Candidate | undefined, { use, suggest, onSite }: Thresholds): boolean {
  return certaintyOf(score, next?.score, onSite) >= (onSite ? suggest : Math.min(use, suggest + chanceOf(phrasings)));
}

/** What the thresholds are compared with, in words. */
function scoreText(best: Candidate, second: Candidate | undefined, { onSite }: Thresholds): string {
  if (onSite) return `scores ${best.score.toFixed(2)} on this site`;
  const certainty = certaintyOf(best.score, second?.score).toFixed(2);
  return `scores ${best.score.toFixed(2)}, ${certainty} ${second ? `with its lead over "${second.skill.name}"` : "as nothing else is near"}`;
}

/** What says that another skill is meant, or this one is no good; the other checks say what a skill that fits lacks. */
const otherwise: ReadonlySet<RecallCheck> = new Set(["record", "site", "opposite", "declined"]);

function blockedOrBelow(candidates: readonly Candidate[], standing: readonly Candidate[], thresholds: Thresholds): Decision {
  const lacks = ({ out }: Candidate): number => (out !== null && !otherwise.has(out.check) ? 1 : 0);
  const [told] = candidates
    .filter((one) => one.out !== null && isSuggested(one, standing[0], thresholds))
    .sort((a, b) => lacks(b) - lacks(a) || b.score - a.score);
  const [best, second] = standing;
  if (told?.out) {
    const way = told.out.check === "grant" ? " Grant it on the Permissions page or with: knack grants add" : "";
    // Of what was only looked at, the best that still stands is named; of what was ready but for a condition or a grant, that.
    const about = told.out.check === "condition" || told.out.check === "grant" ? told : best;
    return { verdict: "blocked", why: `"${told.skill.name}" fits, but ${told.out.reason}.${way}`, best: about, second: about === best ? second : best, told };
  }
  const closest = best ?? candidates[0];
  const why = closest
    ? `The closest, "${closest.skill.name}", ${scoreText(closest, second, thresholds)}; ${(thresholds.suggest + (thresholds.onSite ? 0 : chanceOf(closest.phrasings))).toFixed(2)} is needed to suggest it.`
    : "No skill resembles this goal.";
  return { verdict: "below-threshold", why, best: closest, second };
}

function explain(
  goal: string,
  { verdict, why, best, second, told }: Decision,
  candidates: readonly Candidate[],
  { usable, thresholds, world }: { readonly usable: readonly Skill[]; readonly thresholds: Thresholds; readonly world: MatchWorld },
): Match {
  const left = verdict === "matched" || usable.length === 0 ? null : notCompared(usable, world);
  const recall: Recall = {
    verdict,
    goal,
    skillId: best?.skill.id ?? null,
    skillName: best?.skill.name ?? null,
    revision: best?.revision.number ?? null,
    score: best?.score ?? null,
    certainty: best ? certaintyOf(best.score, second?.score, thresholds.onSite) : null,
    useThreshold: thresholds.use,
    suggestThreshold: thresholds.suggest,
    runnerUp: second ? { name: second.skill.name, score: second.score } : null,
    blockedBy: told?.out?.reason ?? null,
    candidates: candidates.map(shown),
    embedder: world.embedder.id,
    embedderKey: embedderKeyText(world.embedder.key),
    calibrated: thresholds.calibrated,
    why: left === null ? why : `${why} ${left}`,
  };
  if (best && (verdict === "matched" || verdict === "suggested")) return { recall, skill: best.skill, revision: best.revision };
  if (told?.out?.check !== "grant") return { recall };
  return {
    recall,
    lacking: { skill: told.skill, missing: told.lacking, wouldBeUsed: certaintyOf(told.score, second?.score, thresholds.onSite) >= thresholds.use },
  };
}

function shown({ skill, score, similarity, phrasing, vectorRank, lexicalRank, fused, out, conditions }: Candidate): RecallCandidate {
  return {
    name: skill.name,
    score,
    similarity,
    phrasing,
    vectorRank,
    lexicalRank,
    fused,
    eliminated: out?.reason ?? null,
    eliminatedBy: out?.check ?? null,
    conditions: [...conditions],
  };
}

/** Vectors of two embedders say nothing about each other, so what only another one embedded is left out and said. Null where nothing was. */
function notCompared(usable: readonly Skill[], { vectors, embedder }: MatchWorld): string | null {
  const { length } = vectors.missing(
    embedder.key,
    "phrasing",
    usable.map(({ id }) => id),
  );
  if (length === 0) return null;
  const skills = length === 1 ? "1 skill was" : `${length} skills were`;
  const other = vectors.otherKeys(embedder.key, "phrasing").length > 0;
  return `${skills} not compared: ${other ? "embedded by another model" : "not embedded yet"}. Embed anew with: knack models use ${embedder.id}`;
}
