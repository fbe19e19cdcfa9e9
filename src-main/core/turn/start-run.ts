import type { Turn } from "#contract/chat/schema.ts";
import type { Run } from "#contract/skills/schema.ts";
import type { Charge } from "./take-skill.ts";
import type { TurnWorld } from "./world.ts";

/** Writes down that a skill is being run, before its first step. */
export function startRun(world: TurnWorld, turn: Turn, charge: Charge): Run {
  const run: Run = {
    id: world.makeId(),
    skillId: charge.skill.id,
    revision: charge.revision.number,
    episodeId: turn.episodeId,
    turnId: turn.id,
    mode: charge.mode,
    inputs: charge.binding.values,
    outcome: null,
    finding: null,
    startedAt: world.clock(),
    endedAt: null,
  };
  world.stores.skills.addRun(run);
  return run;
}
