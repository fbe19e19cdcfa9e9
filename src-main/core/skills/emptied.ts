import { badInput } from "#contract/errors.ts";
import type { Revision, RevisionContent } from "#contract/skills/schema.ts";
import type { Digest } from "../ports/index.ts";
import { emptyContent } from "./empty-content.ts";
import { renderBody } from "./render-body.ts";
import { contentHash, onlyContent } from "./revision.ts";

/** What a list says of a skill whose text is gone. */
export const emptiedSummary = "Nothing is left of it: what it was learned from was erased.";

/** A revision without its text: number, author, time and the ids of its evidence stay, so that history shows that there was one. Its hash is gone too, for it would let text be guessed. */
export function emptied(revision: Revision, at: number): Revision {
  const { skillId, number, author, createdAt, evidence } = revision;
  return { ...emptyContent, summary: emptiedSummary, skillId, number, author, createdAt, evidence, body: "", contentHash: "", emptiedAt: at };
}

/** Throws where there is nothing to go back to, or to switch on. */
export function requireWhole(name: string, revision: Pick<Revision, "number" | "emptiedAt"> | undefined): void {
  if (revision?.emptiedAt === undefined) return;
  throw badInput(
    `Revision ${revision.number} of "${name}" is empty: what it was learned from was erased. Have it learned or shown anew, or erase the skill with: knack skills erase ${name}`,
  );
}

/**
 * A revision without what it keeps of goals that were erased: ways to ask, examples and their values. What it does stays; this is for one that a person
 * made or answers for. The same object where it keeps nothing of them.
 */
export function withoutGoals(revision: Revision, goals: ReadonlySet<string>, evidence: ReadonlySet<string>, digest: Digest): Revision {
  const rests = revision.evidence.some((id) => evidence.has(id));
  const phrasings = revision.phrasings.filter((text) => !goals.has(text));
  const bindings = rests ? revision.bindings.filter(({ goal }) => !goals.has(goal)) : revision.bindings;
  const isGoalGone = rests && goals.has(revision.goal);
  if (!rests && phrasings.length === revision.phrasings.length) return revision;
  const kept = new Set(bindings.flatMap(({ inputs }) => Object.values(inputs)));
  const gone = new Set(revision.bindings.filter((one) => !bindings.includes(one)).flatMap(({ inputs }) => Object.values(inputs)));
  const properties = Object.fromEntries(
    Object.entries(revision.inputs.properties).map(([name, input]) => [
      name,
      { ...input, examples: input.examples.filter((example) => kept.has(example) || !gone.has(example)) },
    ]),
  );
  const content: RevisionContent = {
    ...onlyContent(revision),
    phrasings,
    bindings,
    inputs: { ...revision.inputs, properties },
    ...(isGoalGone ? { goal: bindings[0]?.goal ?? revision.whenToUse } : {}),
  };
  const body = revision.body === renderBody(onlyContent(revision)) ? renderBody(content) : revision.body;
  return { ...revision, ...content, body, contentHash: contentHash(content, digest, body) };
}
