import { cosine } from "#base/vectors.ts";
import type { Calibration } from "#contract/models/schema.ts";
import { type Embedder, embedderKeyText } from "../ports/embedder.ts";
import { type Asked, askMadeStores, type Kind, type LabelledGoals, type Patience } from "./ask-made-stores.ts";
import { highestLead } from "./thresholds.ts";

/** What a threshold must hold (SPEC 4): the share of the skills used that were meant, and of the goals that no skill is for, how many may use or be suggested one. */
const precisionWanted = 0.95;
const falseRecallsAllowed = 0.01;
const falseSuggestionsAllowed = 0.25;
/**
 * Who names a site means one of the few things it is used for, and what each of them needs tells which (see `structuralFit`): there a skill is used from
 * where half of all goals come to the nearest phrasing of their own skill, and suggested from where all but one in fifty do. Measured on nine sites.
 */
const usedOnSite = 0.5;
const suggestedOnSite = 0.98;
const marginOnSite = 0.04;
/** Share of the goals of a kind nearly the same that may pass, after what is opposite was told apart. */
const nearMissesAllowed = 0.05;
/** Leads that are tried; the widest is taken that costs at most this share of the goals found: kinds of a user may overlap where those of the project do not. */
const margins = [0.02, 0.05, 0.08];
const marginMayCost = 0.02;

/**
 * Finds where the similarities of an embedder begin to mean that a skill is meant: stores of made skills are asked goals of their own kinds in other words,
 * goals of kinds nearly the same, and goals that no skill is for; chosen are the lowest thresholds that hold. The same goals and embedder give the same
 * result. Embeds every goal once or twice. Throws what the embedder throws.
 */
export async function calibrate(goals: LabelledGoals, embedder: Embedder, patience: Patience, signal: AbortSignal): Promise<Calibration> {
  const { kinds, free, onSite } = await askMadeStores(goals, embedder, patience, signal);
  const use = chooseUse(free);
  const suggest = chooseSuggest(free, use.threshold);
  return {
    embedder: embedder.id,
    key: embedderKeyText(embedder.key),
    goals: { kinds: goals.kinds.length, phrasings: goals.kinds.reduce((sum, kind) => sum + kind.goals.length, 0), outOfScope: goals.outOfScope.length },
    free: { use: rounded(use.threshold), suggest: rounded(suggest), margin: use.margin },
    site: { use: rounded(shareAbove(onSite, usedOnSite)), suggest: rounded(shareAbove(onSite, suggestedOnSite)), margin: marginOnSite },
    cluster: rounded(chooseCluster(kinds)),
    curve: { ...fitCurve(free.filter(({ truth, certainty }) => truth !== "near-miss" && certainty >= suggest)), points: curvePoints(free) },
    nearMisses: countNearMisses(free, use),
  };
}

/** What this share of them reaches. */
function shareAbove(falling: readonly number[], share: number): number {
  return falling[Math.min(falling.length - 1, Math.floor(share * falling.length))] ?? 1;
}

interface Choice {
  readonly threshold: number;
  readonly margin: number;
}

/** Thresholds are told in thousandths; certainties are cut to them before they are counted, so that what is told holds, ties and all. */
const step = 0.001;

function cut(certainty: number): number {
  return Math.floor(certainty / step) * step;
}

/**
 * The widest margin that costs little, and the lowest threshold with it, with which most goals find their skill while what is wanted holds. Where nothing does it is 1, the same goal again;
 * and where even that says nothing, more than any goal reaches.
 */
function chooseUse(asked: readonly Asked[]): Choice {
  const says = asked.every(({ right, certainty }) => right || certainty < 1);
  const none: Choice & { found: number } = { threshold: says ? 1 : 1 + highestLead + step, margin: margins[0] ?? 0, found: 0 };
  const total = (truth: Asked["truth"]): number => Math.max(1, asked.filter((one) => one.truth === truth).length);
  const [outOfScope, nearMisses] = [total("out-of-scope"), total("near-miss")];
  const choices = margins.map((margin) => {
    let chosen = none;
    const sorted = asked.filter(({ lead }) => lead >= margin).map((one) => ({ ...one, certainty: cut(one.certainty) }));
    sorted.sort((a, b) => b.certainty - a.certainty);
    const count = { right: 0, used: 0, out: 0, near: 0 };
    for (const [at, { right, truth, certainty }] of sorted.entries()) {
      if (truth === "near-miss") count.near += 1;
      else count.used += 1;
      if (right) count.right += 1;
      if (truth === "out-of-scope") count.out += 1;
      if (sorted[at + 1]?.certainty === certainty) continue;
      const holds =
        count.right / Math.max(1, count.used) >= precisionWanted &&
        count.out <= falseRecallsAllowed * outOfScope &&
        count.near <= nearMissesAllowed * nearMisses;
      if (holds && count.right > chosen.found) chosen = { threshold: certainty, margin, found: count.right };
    }
    return chosen;
  });
  const most = Math.max(...choices.map(({ found }) => found));
  return choices.findLast(({ found }) => found > 0 && found >= (1 - marginMayCost) * most) ?? none;
}

/** The certainty that no more than the allowed share of goals without a skill reach; never above that of use. */
function chooseSuggest(asked: readonly Asked[], use: number): number {
  const outside = asked.filter(({ truth }) => truth === "out-of-scope").map(({ certainty, chance }) => cut(certainty - chance));
  outside.sort((a, b) => b - a);
  const tooMany = outside[Math.floor(falseSuggestionsAllowed * outside.length)];
  return tooMany === undefined ? use : Math.min(use, tooMany + step);
}

/** Similarity that one in a hundred pairs of goals of different kinds reaches, those nearly the same aside: the way of doing it tells them apart. */
function chooseCluster(kinds: readonly Kind[]): number {
  const apart: number[] = [];
  for (const [index, { queries, near }] of kinds.entries())
    for (const [other, { queries: others }] of kinds.entries())
      if (other > index && !near.has(other)) for (const a of queries.slice(0, 4)) for (const b of others.slice(0, 4)) apart.push(cosine(a, b));
  apart.sort((a, b) => b - a);
  return apart[Math.floor(apart.length / 100)] ?? 1;
}

/** Logistic regression of "the best one is meant" on the certainty, by Newton's method. */
function fitCurve(asked: readonly Asked[]): { slope: number; intercept: number } {
  let [intercept, slope] = [0, 0];
  for (let round = 0; round < 50; round += 1) {
    // A little is added to the diagonal, so that goals without a wrong one give a curve too.
    const sums = { g0: 0, g1: 0, h00: 1e-3, h01: 0, h11: 1e-3 };
    for (const { certainty, right } of asked) {
      const probability = 1 / (1 + Math.exp(-(intercept + slope * certainty)));
      const [rest, weight] = [(right ? 1 : 0) - probability, probability * (1 - probability)];
      sums.g0 += rest;
      sums.g1 += rest * certainty;
      sums.h00 += weight;
      sums.h01 += weight * certainty;
      sums.h11 += weight * certainty ** 2;
    }
    const determinant = sums.h00 * sums.h11 - sums.h01 ** 2;
    if (determinant <= 0) break;
    intercept += (sums.h11 * sums.g0 - sums.h01 * sums.g1) / determinant;
    slope += (sums.h00 * sums.g1 - sums.h01 * sums.g0) / determinant;
  }
  return { slope: rounded(slope), intercept: rounded(intercept) };
}

function curvePoints(asked: readonly Asked[]): Calibration["curve"]["points"] {
  const inScope = Math.max(1, asked.filter(({ truth }) => truth === "in-scope").length);
  const outOfScope = Math.max(1, asked.filter(({ truth }) => truth === "out-of-scope").length);
  return Array.from({ length: 15 }, (_, at) => rounded(0.3 + at * 0.05)).map((threshold) => {
    const used = asked.filter(({ certainty, truth }) => certainty >= threshold && truth !== "near-miss");
    const right = used.filter((one) => one.right).length;
    return {
      threshold,
      precision: rounded(used.length === 0 ? 1 : right / used.length),
      recall: rounded(right / inScope),
      falseRecalls: rounded(used.filter(({ truth }) => truth === "out-of-scope").length / outOfScope),
    };
  });
}

function countNearMisses(asked: readonly Asked[], { threshold, margin }: Choice): Calibration["nearMisses"] {
  const classes = [...new Set(asked.filter(({ truth }) => truth === "near-miss").map(({ pairClass }) => pairClass))].sort();
  return classes.map((pairClass) => {
    const goals = asked.filter((one) => one.pairClass === pairClass);
    return { class: pairClass, goals: goals.length, recalled: goals.filter(({ certainty, lead }) => certainty >= threshold && lead >= margin).length };
  });
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
