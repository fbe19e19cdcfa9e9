import type { Outcome } from "#contract/chat/schema.ts";
import type { Difference, Lift, LiftArm } from "#contract/skills/lift.ts";

/** One task in which the control took part. */
export interface ControlledTask {
  readonly isWithheld: boolean;
  readonly outcome: Outcome;
  /** Acts, without talk. */
  readonly steps: number;
  readonly seconds: number;
}

/** Fewest tasks a side needs before the two are compared. */
export const neededForLift = 10;
/** 97.5 % of the standard normal distribution lie below it. */
const z = 1.959_963_985;

/**
 * What a skill was worth, measured: with it against without it. The rate counts what was judged, as trust does (a claim is no success); steps and seconds count
 * every task that was not given up. Intervals are of 95 %: Newcombe's, from two Wilson scores, for the rate (Newcombe 1998, method 10), Welch's for the means.
 */
export function liftOf(tasks: readonly ControlledTask[], share: number): Lift {
  const ended = tasks.filter(({ outcome }) => outcome !== "abandoned");
  const [used, withheld] = [ended.filter(({ isWithheld }) => !isWithheld), ended.filter(({ isWithheld }) => isWithheld)];
  const [arm, other] = [armOf(used), armOf(withheld)];
  const isEnough = (count: (one: LiftArm) => number): boolean => count(arm) >= neededForLift && count(other) >= neededForLift;
  const mean = (of: (task: ControlledTask) => number): Difference | null =>
    isEnough(({ tasks: count }) => count) ? welch(used.map(of), withheld.map(of)) : null;
  return {
    share,
    needed: neededForLift,
    used: arm,
    withheld: other,
    success: isEnough(({ judged }) => judged) ? newcombe(arm, other) : null,
    steps: mean(({ steps }) => steps),
    seconds: mean(({ seconds }) => seconds),
  };
}

function armOf(tasks: readonly ControlledTask[]): LiftArm {
  const count = (outcome: Outcome): number => tasks.filter((task) => task.outcome === outcome).length;
  return {
    tasks: tasks.length,
    judged: count("success") + count("failure"),
    successes: count("success"),
    claimed: count("claimed_success"),
    steps: meanOf(tasks.map(({ steps }) => steps)),
    seconds: meanOf(tasks.map(({ seconds }) => seconds)),
  };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function newcombe(a: LiftArm, b: LiftArm): Difference {
  const [p, q] = [a.successes / a.judged, b.successes / b.judged];
  const [lowP, highP] = wilson(p, a.judged);
  const [lowQ, highQ] = wilson(q, b.judged);
  const difference = p - q;
  return { difference, low: difference - Math.hypot(p - lowP, highQ - q), high: difference + Math.hypot(highP - p, q - lowQ) };
}

function wilson(share: number, count: number): [low: number, high: number] {
  const centre = (share + z ** 2 / (2 * count)) / (1 + z ** 2 / count);
  const reach = (z / (1 + z ** 2 / count)) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return [centre - reach, centre + reach];
}

function welch(a: readonly number[], b: readonly number[]): Difference {
  const difference = (meanOf(a) ?? 0) - (meanOf(b) ?? 0);
  const [left, right] = [varianceOf(a) / a.length, varianceOf(b) / b.length];
  if (left + right === 0) return { difference, low: difference, high: difference };
  const freedom = (left + right) ** 2 / (left ** 2 / (a.length - 1) + right ** 2 / (b.length - 1));
  const reach = studentQuantile(freedom) * Math.sqrt(left + right);
  return { difference, low: difference - reach, high: difference + reach };
}

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values) ?? 0;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/** The 97.5 % point of Student's distribution, by the expansion of Cornish and Fisher: within 0.001 from 9 degrees of freedom on, the fewest there are here. */
function studentQuantile(freedom: number): number {
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}
