import type { Revision, Run, Skill } from "#contract/skills/schema.ts";

/** The revision to go back to when the one in use stopped working: of the others the last that worked, else the one before; null where none says anything else. */
export function revisionToGoBackTo(
  skill: Pick<Skill, "activeRevision">,
  revisions: readonly Pick<Revision, "number" | "contentHash" | "emptiedAt">[],
  runs: readonly Pick<Run, "revision" | "outcome">[],
): number | null {
  const inUse = revisions.find(({ number }) => number === skill.activeRevision);
  const others = revisions.filter(({ contentHash, emptiedAt }) => emptiedAt === undefined && contentHash !== inUse?.contentHash);
  const worked = runs.findLast((run) => run.outcome === "success" && others.some(({ number }) => number === run.revision));
  return worked?.revision ?? others.findLast(({ number }) => number < skill.activeRevision)?.number ?? null;
}
