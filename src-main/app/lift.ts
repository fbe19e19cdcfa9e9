import type { Turn } from "#contract/chat/schema.ts";
import type { Lift } from "#contract/skills/lift.ts";
import { type ControlledTask, liftOf } from "#core/learning/index.ts";
import { type SkillWorld, skillNamed } from "./skills.ts";

/** What is said to the user, and no act. */
const talk: ReadonlySet<string> = new Set(["reply", "ask_user"]);

/** What the control measured, of one skill or of all together. */
export function liftOfSkills(world: SkillWorld, name?: string): Lift {
  const skill = name === undefined ? null : skillNamed(world, name);
  const turns = world.stores.trace.controlledTurns().filter(({ recall }) => skill === null || recall?.skillId === skill.id);
  const byEpisode = new Map<string, Turn>();
  for (const turn of turns) if (!byEpisode.has(turn.episodeId)) byEpisode.set(turn.episodeId, turn);
  const tasks = [...byEpisode.values()].flatMap((first) => taskOf(world, first) ?? []);
  return liftOf(tasks, world.settings?.().control ?? 0);
}

/** A task as a whole, with every turn it took; null while nothing has come of it. */
function taskOf({ stores: { trace } }: SkillWorld, { episodeId, recall }: Turn): ControlledTask | null {
  const outcome = trace.episode(episodeId)?.outcome;
  if (!outcome) return null;
  const seconds = trace.turnsOfEpisode(episodeId).reduce((sum, { startedAt, endedAt }) => sum + Math.max(0, (endedAt ?? startedAt) - startedAt) / 1000, 0);
  const steps = trace.stepsOfEpisode(episodeId).filter(({ tool }) => !talk.has(tool)).length;
  return { isWithheld: recall?.control?.isWithheld === true, outcome, steps, seconds };
}
