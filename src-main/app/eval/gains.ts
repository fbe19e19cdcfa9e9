import type { EvalMode, GoalReport } from "./routines.ts";

/** What was learned is worth, over the goals done by it. */
export interface Gain {
  readonly skillsMade: number;
  readonly goals: number;
  /** Goals for which a skill was put in charge that was learned for another kind of goal. */
  readonly wrongRecalls: number;
  /** Goals done by a skill that were tried without one, and not done. */
  readonly gained: number;
  /** Goals done by a skill that were done without one too: the same goal, else those of its kind that were done with a hint. What was given up is no measure. */
  readonly compared: number;
  /** Means over those; negative where the skill took more. */
  readonly stepsSaved: number | null;
  readonly secondsSaved: number | null;
}

/** Kind of a goal by its id, within its site: what all but the last part of the id says. */
function kindOf({ site, goal }: GoalReport): string {
  return `${site}/${goal.slice(0, goal.lastIndexOf("-"))}`;
}

/**
 * @param mode the goals done by skills
 * @param taught names of the skills that were learned for each kind ("site/kind")
 */
export function gainOf(goals: readonly GoalReport[], mode: EvalMode, taught: ReadonlyMap<string, ReadonlySet<string>>): Gain {
  const own = goals.filter((goal) => goal.mode === mode);
  const pairs = own.flatMap((goal) => {
    const without = referenceOf(goal, goals);
    return goal.skill === null || !goal.done || without === null ? [] : [{ steps: without.steps - goal.steps, seconds: without.seconds - goal.seconds }];
  });
  const nameOf = (skill: string): string => skill.slice(0, skill.lastIndexOf("@"));
  return {
    skillsMade: new Set([...taught.values()].flatMap((names) => [...names])).size,
    goals: own.length,
    wrongRecalls: own.filter((goal) => goal.skill !== null && taught.get(kindOf(goal))?.has(nameOf(goal.skill)) !== true).length,
    gained: own.filter((goal) => goal.skill !== null && goal.done && sameIn(goal, goals, "baseline")?.done === false).length,
    compared: pairs.length,
    stepsSaved: mean(pairs.map(({ steps }) => steps)),
    secondsSaved: mean(pairs.map(({ seconds }) => seconds)),
  };
}

function referenceOf(goal: GoalReport, goals: readonly GoalReport[]): { steps: number; seconds: number } | null {
  const same = [sameIn(goal, goals, "baseline"), sameIn(goal, goals, "chat-hint")].find((one) => one?.done);
  if (same) return same;
  const hinted = goals.filter((other) => other.mode === "chat-hint" && other.done && kindOf(other) === kindOf(goal));
  const [steps, seconds] = [mean(hinted.map((one) => one.steps)), mean(hinted.map((one) => one.seconds))];
  return steps === null || seconds === null ? null : { steps, seconds };
}

function sameIn({ site, goal }: GoalReport, goals: readonly GoalReport[], mode: EvalMode): GoalReport | undefined {
  return goals.find((other) => other.mode === mode && other.site === site && other.goal === goal);
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10;
}
