import type { Choice, Send, Turn } from "#contract/chat/schema.ts";
import type { CutOff } from "./cut-off.ts";
import type { OpenedEpisode } from "./episodes.ts";
import type { Halted } from "./halted.ts";
import type { TurnWorld } from "./world.ts";

/** How a turn comes by its skill, or by none: what "why this one?" and "why none?" are answered with where recall was not asked. */
export async function choiceOf(
  world: TurnWorld,
  input: Send,
  opened: OpenedEpisode,
  stopped: { readonly halted: Halted | null; readonly cutOff: CutOff | null },
  continued: Turn | undefined,
): Promise<Choice> {
  const { halted, cutOff } = stopped;
  if (cutOff !== null && cutOff.turn.choice !== undefined) return "continued";
  if (halted !== null) return "resumed";
  if (opened.isCorrection) return "corrected";
  if (input.noSkills) return "unwanted";
  if (input.skill !== undefined) return "named";
  if (continued?.skillId) return "answer";
  if (!world.settings().learning) return "learning-off";
  return (await world.embedder()) === null ? "no-embedder" : "recall";
}
