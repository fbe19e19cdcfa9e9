import type { BindingExample, SkillInputs } from "#contract/skills/schema.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { SkillStore, VectorStore } from "../ports/stores.ts";
import { recallText, taskText } from "../skills/index.ts";
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

type Kind = "phrasing" | "counter";

interface IndexWorld {
  readonly skills: SkillStore;
  readonly vectors: VectorStore;
  readonly embedder: Embedder;
  readonly now: number;
}

/** Embeds every phrasing of a skill's active revision and what the user added, replacing what was there. */
export async function indexSkill(skillId: string, world: IndexWorld, signal: AbortSignal): Promise<void> {
  await embedTexts("phrasing", skillId, world, signal);
  await indexCounters(skillId, world, signal);
}

/** Embeds what the user said a skill is not for, so that the like is not suggested again (REC-13). */
export function indexCounters(skillId: string, world: IndexWorld, signal: AbortSignal): Promise<void> {
  return embedTexts("counter", skillId, world, signal);
}

/** Words that were changed or erased while they were embedded are not kept: those that are there now are embedded instead, and of a skill that is gone none. */
async function embedTexts(kind: Kind, skillId: string, world: IndexWorld, signal: AbortSignal): Promise<void> {
  for (;;) {
    const texts = textsOfKind(kind, skillId, world);
    if (texts === undefined) return;
    const vectors = texts.length === 0 ? [] : await world.embedder.embed(texts, "document", signal);
    if (keepVectors(kind, { id: skillId, texts }, vectors, world)) return;
  }
}

/** Skills that are embedded at once: many files come in one batch, and what was done stays done when it is stopped. */
const batch = 50;

/**
 * Makes the usable skills findable that never were, or whose words changed without a model at hand: those that came from files, and what was declined.
 * Rejects when the embedder does.
 */
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
      keepVectors("phrasing", { id, texts }, vectors.slice(first, first + texts.length), world);
      first += texts.length;
    }
  }
  const usable = new Set(ids);
  const declined = world.skills.declined().filter((id) => usable.has(id));
  for (const id of world.vectors.unknown("counter", declined)) await indexCounters(id, world, signal);
}

/** What a skill may be recalled by, each once; undefined when there is no such skill. */
export function textsOf(skillId: string, world: Pick<IndexWorld, "skills" | "now">): string[] | undefined {
  const skill = world.skills.get(skillId);
  const revision = skill && world.skills.revision(skillId, skill.activeRevision);
  if (!revision) return undefined;
  const now = new Date(world.now);
  const texts = [
    revision.goal,
    // What code told of the goal for people is the goal again, which is here as recall compares it.
    ...(revision.whenToUse === taskText(revision.goal, revision.inputs) ? [] : [revision.whenToUse]),
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

/** What the user said a skill is not for, as it is compared; undefined when there is no such skill. */
export function countersOf(skillId: string, { skills, now }: Pick<IndexWorld, "skills" | "now">): string[] | undefined {
  if (!skills.get(skillId)) return undefined;
  const texts = skills.phrasings(skillId).flatMap(({ text, counter }) => (counter ? [recallText(text, new Date(now))] : []));
  return [...new Set(texts)].filter((text) => text !== "");
}

function textsOfKind(kind: Kind, skillId: string, world: Pick<IndexWorld, "skills" | "now">): string[] | undefined {
  return kind === "phrasing" ? textsOf(skillId, world) : countersOf(skillId, world);
}

/** Keeps them where the skill still has these texts, and says whether it has; read and written at a stretch, so that nothing comes in between. */
function keepVectors(
  kind: Kind,
  { id, texts }: { readonly id: string; readonly texts: readonly string[] },
  vectors: readonly Float32Array[],
  world: IndexWorld,
): boolean {
  if (JSON.stringify(textsOfKind(kind, id, world)) !== JSON.stringify(texts)) return false;
  const entries = texts.flatMap((text, index) => (vectors[index] ? [{ text, vector: vectors[index] }] : []));
  world.vectors.replace(world.embedder.key, kind, id, entries);
  return true;
}
