import { words } from "#base/text.ts";
import type { Recall, Revision, Run, Skill } from "#contract/skills/schema.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { SkillStore, VectorStore } from "../ports/stores.ts";
import { countingRuns, evaluateStatePredicate, hostsIn, mayBeOffered, recallText, trustOf } from "../skills/index.ts";
import { literalIn } from "../skills/values/index.ts";
import { whyOpposed } from "./opposites.ts";
import { structuralFit } from "./structural-fit.ts";
import { type Thresholds, thresholdsFor } from "./thresholds.ts";

const fusionConstant = 60;
const maxCandidates = 5;

export interface MatchWorld {
  readonly skills: SkillStore;
  readonly vectors: VectorStore;
  readonly embedder: Embedder;
  /** For prose conditions only; null means they are unknown, which is "not met". */
  readonly model: (() => Promise<LanguageModel>) | null;
  readonly state: Readonly<Record<string, unknown>>;
  readonly now: number;
}

export interface Match {
  readonly recall: Recall;
  /** Set when matched or suggested. */
  readonly skill?: Skill;
  readonly revision?: Revision;
}

interface Candidate {
  readonly skill: Skill;
  readonly revision: Revision;
  readonly score: number;
  readonly phrasing: string;
  readonly fused: number;
  eliminated: string | null;
}

/** Use, suggest or abstain (SPEC 3.6), with everything a person needs to see why. */
export async function matchSkill(goal: string, world: MatchWorld, signal: AbortSignal): Promise<Match> {
  const usable = world.skills.list().filter((skill) => mayBeOffered(trustOf(recordOf(world.skills, skill), world.now)));
  const hosts = hostsIn(goal);
  const thresholds = thresholdsFor(world.embedder.id, hosts.length > 0);
  const unembedded = world.vectors.missing(
    world.embedder.key,
    "phrasing",
    usable.map((skill) => skill.id),
  );
  const answer = (verdict: Recall["verdict"], reason: string, candidates: Candidate[], best?: Candidate, second?: Candidate): Match => ({
    recall: {
      verdict,
      goal,
      skillId: best?.skill.id ?? null,
      skillName: best?.skill.name ?? null,
      revision: best?.revision.number ?? null,
      score: best?.score ?? null,
      useThreshold: thresholds.use,
      suggestThreshold: thresholds.suggest,
      runnerUp: second ? { name: second.skill.name, score: second.score } : null,
      blockedBy: verdict === "blocked" ? (candidates.find((candidate) => candidate.eliminated)?.eliminated ?? null) : null,
      candidates: candidates.map(({ skill, score, phrasing, eliminated }) => ({ name: skill.name, score, phrasing, eliminated })),
      embedder: world.embedder.id,
      calibrated: thresholds.calibrated,
      why: unembedded.length === 0 || verdict === "matched" ? reason : `${reason} ${notCompared(unembedded.length, world)}`,
    },
    ...(best && (verdict === "matched" || verdict === "suggested") ? { skill: best.skill, revision: best.revision } : {}),
  });
  if (usable.length === 0) return answer("nothing-learned", "No skill has been learned yet.", []);

  const candidates = await candidatesFor(goal, usable, world, signal);
  for (const candidate of candidates) candidate.eliminated = structurallyOut(candidate, goal, hosts, world);
  const standing = candidates.filter((candidate) => candidate.eliminated === null).sort((a, b) => b.score - a.score);
  const [best, second] = standing;
  const out = candidates.find((candidate) => candidate.eliminated !== null && candidate.score >= thresholds.suggest);
  if (!best || best.score < thresholds.suggest) {
    if (out) return answer("blocked", `"${out.skill.name}" fits, but ${out.eliminated}.`, candidates, best, second);
    const closest = best ?? candidates[0];
    return answer(
      "below-threshold",
      closest
        ? `The closest, "${closest.skill.name}", scores ${closest.score.toFixed(2)}; ${thresholds.suggest.toFixed(2)} is needed to suggest it.`
        : "No skill resembles this goal.",
      candidates,
      closest,
      second,
    );
  }
  for (const [index, candidate] of standing.slice(0, 2).entries()) {
    if (candidate.score < thresholds.suggest) break;
    const blocked = await proseBlocks(candidate.revision, goal, world.model, signal);
    if (blocked) {
      candidate.eliminated = blocked;
      continue;
    }
    const next = standing[index + 1];
    return decide(candidate, next, thresholds, (verdict, why) => answer(verdict, why, candidates, candidate, next));
  }
  const blockedBest = standing.find((candidate) => candidate.eliminated !== null);
  return answer(
    "blocked",
    `"${blockedBest?.skill.name ?? ""}" fits, but ${blockedBest?.eliminated ?? "a condition does not hold"}.`,
    candidates,
    blockedBest,
    second,
  );
}

/** Vectors of two embedders say nothing about each other, so what only another one embedded is left out and said. */
function notCompared(count: number, { vectors, embedder }: MatchWorld): string {
  const skills = count === 1 ? "1 skill was" : `${count} skills were`;
  const other = vectors.otherKeys(embedder.key).length > 0;
  return `${skills} not compared: ${other ? "embedded by another model" : "not embedded yet"}. Embed anew with: knack models use ${embedder.id}`;
}

function recordOf(skills: SkillStore, skill: Skill): Run[] {
  return countingRuns(skills.runs(skill.id, skill.activeRevision), skills.ledger(skill.id));
}

function decide(best: Candidate, second: Candidate | undefined, thresholds: Thresholds, answer: (verdict: Recall["verdict"], why: string) => Match): Match {
  const score = best.score.toFixed(2);
  const clear = !second || best.score - second.score >= thresholds.margin || best.score >= 0.98;
  if (best.score >= thresholds.use && clear)
    return answer("matched", `"${best.skill.name}" scores ${score}, at or above ${thresholds.use.toFixed(2)} ("${best.phrasing}").`);
  if (best.score >= thresholds.use)
    return answer(
      "suggested",
      `"${best.skill.name}" (${score}) and "${second?.skill.name ?? ""}" (${second?.score.toFixed(2) ?? ""}) are too close to choose without you.`,
    );
  return answer("suggested", `"${best.skill.name}" scores ${score}: enough to suggest, not to use (${thresholds.use.toFixed(2)}).`);
}

async function candidatesFor(goal: string, usable: readonly Skill[], world: MatchWorld, signal: AbortSignal): Promise<Candidate[]> {
  const text = recallText(goal, new Date(world.now));
  const [vector] = await world.embedder.embed([text], "query", signal);
  if (!vector) return [];
  const byId = new Map(usable.map((skill) => [skill.id, skill]));
  const best = new Map<string, { score: number; phrasing: string; rank: number }>();
  for (const hit of world.vectors.search(world.embedder.key, "phrasing", vector, 200)) {
    if (!byId.has(hit.ownerId) || best.has(hit.ownerId)) continue;
    best.set(hit.ownerId, { score: hit.score, phrasing: hit.text, rank: best.size + 1 });
  }
  const lexical = new Map<string, number>();
  for (const hit of world.vectors.searchText("phrasing", text, 50))
    if (byId.has(hit.ownerId) && !lexical.has(hit.ownerId)) lexical.set(hit.ownerId, lexical.size + 1);
  const found: Candidate[] = [];
  for (const [id, hit] of best) {
    const skill = byId.get(id);
    const revision = skill && world.skills.revision(id, skill.activeRevision);
    if (!skill || !revision) continue;
    const words = lexical.get(id);
    found.push({
      skill,
      revision,
      score: Math.min(1, hit.score + structuralFit(revision, goal, new Date(world.now))),
      phrasing: hit.phrasing,
      fused: 1 / (fusionConstant + hit.rank) + (words ? 1 / (fusionConstant + words) : 0),
      eliminated: null,
    });
  }
  // Skills of a site the goal names stand before the rest: on that site there may be only they.
  const hosts = hostsIn(goal);
  const onSite = (candidate: Candidate): number => (hosts.length > 0 && usesHost(candidate.revision, hosts) ? 1 : 0);
  found.sort((a, b) => onSite(b) - onSite(a) || b.fused - a.fused || b.score - a.score);
  return found.slice(0, maxCandidates);
}

function usesHost(revision: Revision, hosts: readonly string[]): boolean {
  return revision.capabilities.destinations.some((origin) => {
    try {
      return hosts.includes(new URL(origin).hostname);
    } catch {
      return false;
    }
  });
}

/** Conditions that code can decide; the first that does not hold, in words. */
function structurallyOut(candidate: Candidate, goal: string, hosts: readonly string[], world: MatchWorld): string | null {
  // A routine that takes an address as a value may be asked for without its own site being named.
  const asValues = Object.values(candidate.revision.inputs.properties).filter(({ kind }) => kind === "site").length;
  if (hosts.length > asValues && !usesHost(candidate.revision, hosts)) return `the goal names ${hosts.join(", ")}, which it does not use`;
  for (const rule of candidate.revision.preconditions) {
    if (typeof rule === "string") continue;
    const outcome = evaluateStatePredicate(world.state, rule);
    if (!outcome.matched) return `its condition on ${rule.state.path} does not hold (${outcome.reason})`;
  }
  const { revision } = candidate;
  const phrasings = world.skills.phrasings(candidate.skill.id);
  const meant = phrasings.flatMap(({ text, counter }) => (counter ? [] : [text]));
  const texts = [revision.goal, revision.whenToUse, ...revision.phrasings, ...revision.bindings.map((binding) => binding.goal), ...meant];
  const opposed = whyOpposed(withoutChoices(goal, revision), texts, revision.steps.at(-1)?.call === undefined);
  if (opposed !== null) return opposed;
  const folded = recallText(goal, new Date(world.now)).toLowerCase();
  for (const { text, counter } of phrasings) {
    if (counter && recallText(text, new Date(world.now)).toLowerCase() === folded) return "you said it was not meant for this";
  }
  return null;
}

/** The goal without what it picks from a list: "Change of plans" as a reason is no wish for a change. */
function withoutChoices(goal: string, { inputs }: Revision): string {
  const picked = Object.values(inputs.properties)
    .flatMap(({ choices }) => choices ?? [])
    .filter((choice) => words(choice).length > 1);
  return picked.reduce((rest, choice) => {
    const place = literalIn(rest, choice);
    return place ? `${rest.slice(0, place.start)}it${rest.slice(place.end)}` : rest;
  }, goal);
}

/** One question per prose condition, answered by the probability of the first answer token; unknown is "not met". */
async function proseBlocks(revision: Revision, goal: string, model: MatchWorld["model"], signal: AbortSignal): Promise<string | null> {
  const prose = revision.preconditions.filter((rule): rule is string => typeof rule === "string" && !/^[a-z][a-z0-9_]*(?:\(.*\))?$/u.test(rule));
  for (const condition of prose) if ((await holds(condition, goal, model, signal)) !== true) return `it is not certain that ${condition}`;
  for (const condition of revision.antiPreconditions) if ((await holds(condition, goal, model, signal)) !== false) return `it may be that ${condition}`;
  return null;
}

async function holds(condition: string, goal: string, model: MatchWorld["model"], signal: AbortSignal): Promise<boolean | null> {
  if (!model) return null;
  const [yes] = await (await model()).likelihood(
    [
      { role: "system", text: "You judge whether a condition holds for a request. Answer Yes or No." },
      { role: "user", text: `Request: ${goal}\nCondition: ${condition}\nDoes the condition hold? Yes or No.` },
    ],
    ["Yes", "No"],
    signal,
  );
  if (yes === undefined || Number.isNaN(yes)) return null;
  return yes >= 0.8 ? true : yes <= 0.2 ? false : null;
}
