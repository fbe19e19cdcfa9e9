import type { BindingExample, SkillInputs } from "#contract/skills/schema.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { SkillStore, VectorStore } from "../ports/stores.ts";
import { recallText } from "../skills/index.ts";
import { literalIn } from "../skills/values/index.ts";

/** An example goal with its word values taken out: what is left is the kind of task. */
export function withoutValues(binding: Readonly<BindingExample>, inputs: SkillInputs): string {
  let goal = binding.goal;
  for (const [name, value] of Object.entries(binding.inputs)) {
    if (inputs.properties[name]?.default !== undefined) continue;
    const place = literalIn(goal, value);
    if (place) goal = `${goal.slice(0, place.start)}it${goal.slice(place.end)}`;
  }
  return goal;
}

/** Embeds every phrasing of a skill's active revision and what the user added, replacing what was there. */
export async function indexSkill(
  skillId: string,
  world: { readonly skills: SkillStore; readonly vectors: VectorStore; readonly embedder: Embedder; readonly now: number },
  signal: AbortSignal,
): Promise<void> {
  const skill = world.skills.get(skillId);
  const revision = skill && world.skills.revision(skillId, skill.activeRevision);
  if (!revision) return;
  const now = new Date(world.now);
  const texts = [
    revision.goal,
    revision.whenToUse,
    ...revision.bindings.map((binding) => binding.goal),
    ...revision.bindings.map((binding) => withoutValues(binding, revision.inputs)),
    ...revision.phrasings,
    ...world.skills
      .phrasings(skillId)
      .filter((phrasing) => !phrasing.counter)
      .map((phrasing) => phrasing.text),
  ]
    .map((text) => recallText(text, now))
    .filter((text) => text !== "");
  const distinct = [...new Set(texts)];
  const vectors = await world.embedder.embed(distinct, "document", signal);
  world.vectors.replace(
    world.embedder.key,
    "phrasing",
    skillId,
    distinct.flatMap((text, index) => (vectors[index] ? [{ text, vector: vectors[index] }] : [])),
  );
}
