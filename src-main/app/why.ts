import { badInput } from "#contract/errors.ts";
import { type Explanation, explainTurn } from "#contract/skills/explain.ts";
import type { SkillWorld } from "./skills.ts";

/** Why a turn had the skill it had, or none, from what is stored: also after a restart. Throws bad-input for a turn that is not there. */
export function whyTurn({ stores }: SkillWorld, turnId: string): Explanation {
  const turn = stores.trace.turn(turnId);
  if (!turn) throw badInput(`There is no turn ${turnId}; "knack conversations show ID" names the turns of a conversation.`);
  const nameOf = (id: string | null): string | null => (id === null ? null : (stores.skills.get(id)?.name ?? null));
  return explainTurn({
    turn,
    skillName: nameOf(turn.skillId),
    run: stores.skills.runOfTurn(turnId) ?? null,
    kept: stores.skills.phrasingsOf(turn.episodeId).map(({ skillId, text, counter }) => ({ skillName: nameOf(skillId) ?? skillId, text, counter })),
  });
}
