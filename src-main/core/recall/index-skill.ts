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

interface IndexWorld {
  readonly skills: SkillStore;
  readonly vectors: VectorStore;
  readonly embedder: Embedder;
  readonly now: number;
}

/** Embeds every phrasing of a skill's active revision and what the user added, replacing what was there. */
export async function indexSkill(skillId: string, world: IndexWorld, signal: AbortSignal): Promise<void> {
  const texts = textsOf(skillId, world);
  if (texts === undefined) return;
  keepVectors(skillId, texts, await world.embedder.embed(texts, "document", signal), world);
  await indexCounters(skillId, world, signal);
}

/** Embeds what the user said a skill is not for, so that the like is not suggested again (REC-13). */
export async function indexCounters(skillId: string, world: IndexWorld, signal: AbortSignal): Promise<void> {
  const texts = countersOf(skillId, world);
  const vectors = texts.length === 0 ? [] : await world.embedder.embed(texts, "document", signal);
  const entries = texts.flatMap((text, index) => (vectors[index] ? [{ text, vector: vectors[index] }] : []));
  world.vectors.replace(world.embedder.key, "counter", skillId, entries);
}

/** The goals the user said a skill is not for, as they are compared; each once. */
export function countersOf(skillId: string, { skills, now }: Pick<IndexWorld, "skills" | "now">): string[] {
  const texts = skills.phrasings(skillId).flatMap(({ text, counter }) => (counter ? [recallText(text, new Date(now))] : []));
  return [...new Set(texts)].filter((text) => text !== "");
}

/** Skills that are embedded at once: many files come in one batch, and what was done stays done when it is stopped. */
const batch = 50;

/** Makes the usable skills findable that never were: those that came from files are stored without a model. Rejects when the embedder does. */
export async function indexUnknown(world: IndexWorld, signal: AbortSignal): Promise<void> {
  const ids = world.skills.list().map(({ id }) => id);
  const waiting = world.vectors.unknown("phrasing", ids).flatMap((id) => {
    const texts = textsOf(id, world) ?? [];
    return texts.length === 0 ? [] : [{ id, texts }];
  });
  for (let at = 0; at < waiting.length; at += batch) {
    const some = waiting.slice(at, at + batch);
    const vectors = await world.embedder.embed(
      some.flatMap(({ texts }) => texts),
      "document",
      signal,
    );
    let first = 0;
    for (const { id, texts } of some) {
      // Its file may have changed, or it was erased, meanwhile; then the next call sees to it.
      if (textsOf(id, world)?.join("\n") === texts.join("\n")) keepVectors(id, texts, vectors.slice(first, first + texts.length), world);
      first += texts.length;
    }
  }
}

/** What a skill may be recalled by, each once; undefined when there is no such skill. */
export function textsOf(skillId: string, world: Pick<IndexWorld, "skills" | "now">): string[] | undefined {
  const skill = world.skills.get(skillId);
  const revision = skill && world.skills.revision(skillId, skill.activeRevision);
  if (!revision) return undefined;
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
  return [...new Set(texts)];
}

function keepVectors(skillId: string, texts: readonly string[], vectors: readonly Float32Array[], world: IndexWorld): void {
  world.vectors.replace(
    world.embedder.key,
    "phrasing",
    skillId,
    texts.flatMap((text, index) => (vectors[index] ? [{ text, vector: vectors[index] }] : [])),
  );
}
