import { KnackError } from "#contract/errors.ts";
import type { Capabilities, Proposal, Revision, RevisionContent, Skill } from "#contract/skills/schema.ts";
import { covers, envelopeOf, intersect, primitiveOf, toolName } from "#core/envelope/index.ts";
import { contentHash, diffBodies, isUsable, makeRevision, onlyContent } from "#core/skills/index.ts";
import type { SkillWorld } from "./skills.ts";

/** The two opt-in policies (SPEC 3.4): they add a person's look, and never grant anything. */

/** Whether a new skill of this author is to wait, switched off, until a person has looked at it. */
export function waitsForReview(world: SkillWorld, author: string): boolean {
  return author.startsWith("agent:") && world.settings?.().reviewBeforeActive === true;
}

export function raiseReview(world: SkillWorld, skill: Skill): void {
  const isRetired = skill.status === "retired";
  const detail = `It was learned and is ${isRetired ? "retired" : "switched off"}. Look at it, and ${isRetired ? "revive it" : "switch it on"} if it is right.`;
  raise(world, skill, "review", reviewTitle(skill), detail, null);
}

/** What was waiting for a person's look has had it. */
export function endReview(world: SkillWorld, skill: Skill, resolution: string): void {
  const { alerts } = world.stores;
  for (const alert of alerts.list()) if (alert.skillId === skill.id && alert.kind === "review") alerts.resolve(alert.id, resolution, world.clock());
}

/** What a changed skill would reach beyond the revision in use, or beyond what is granted; for a person, each once. */
export function expansionOf(world: SkillWorld, content: RevisionContent, active: Revision): string[] {
  const within = intersect(active.capabilities, content.capabilities);
  const more = (key: keyof Capabilities, word: string): string[] =>
    content.capabilities[key].filter((one) => !within[key].includes(one)).map((one) => `${word} ${one}`);
  const known = active.toolsRequired.map(toolName);
  const tools = content.toolsRequired.map(toolName).filter((tool) => primitiveOf(tool) === null && !known.includes(tool));
  const coverage = covers(content.capabilities, envelopeOf(world.stores.grants.list()));
  return [
    ...new Set([
      ...more("primitives", "primitive"),
      ...more("vault", "vault entry"),
      ...more("destinations", "destination"),
      ...tools.map((tool) => `tool ${tool}`),
      ...(coverage.covered ? [] : coverage.missing),
    ]),
  ];
}

/** Whether a proposal still speaks for its content: declined it does for good, open only while it fits the revision in use. */
export function isAnswered({ status, base }: Pick<Proposal, "status" | "base">, { number }: Pick<Revision, "number">): boolean {
  return status === "declined" || (status === "open" && base === number);
}

interface Change {
  readonly content: RevisionContent;
  readonly author: string;
  readonly evidence: readonly string[];
  readonly reason: string;
}

/**
 * Keeps a change by the agent as a proposal, with an alert, where a policy asks for it: one that would widen the skill's reach, and where the user reviews
 * what is new any change of a skill in use (one that is off waits as it is). Null where neither does. The same change is proposed once, and not again after
 * it was declined.
 */
export function holdChange(world: SkillWorld, skill: Skill, active: Revision | undefined, change: Change): KnackError | null {
  if (!change.author.startsWith("agent:") || active === undefined) return null;
  const wider = world.settings?.().reviewExpansion === true ? expansionOf(world, change.content, active) : [];
  if (wider.length === 0 && !(isUsable(skill.status) && waitsForReview(world, change.author))) return null;
  const made = makeRevision(
    change.content,
    { skillId: skill.id, number: active.number + 1, author: change.author, evidence: change.evidence, createdAt: world.clock() },
    world.digest,
  );
  const reach = wider.length === 0 ? "" : ` that reaches further (${wider.join(", ")})`;
  const reason = wider.length === 0 ? change.reason : `${change.reason}; it reaches further: ${wider.join(", ")}`;
  const before = world.stores.proposals
    .list({ all: true, skillId: skill.id })
    .find((one) => isAnswered(one, active) && contentHash(one.content, world.digest) === contentHash(made, world.digest));
  if (before?.status === "declined") return waits(`A change of "${skill.name}"${reach} was declined.`, before);
  const proposal = before ?? propose(world, skill, active, made, reason, wider.length > 0);
  return waits(`A change of "${skill.name}"${reach} waits for the user's yes.`, proposal);
}

function propose(world: SkillWorld, skill: Skill, active: Revision, made: Revision, reason: string, isWider: boolean): Proposal {
  const { stores, clock, makeId } = world;
  const proposal: Proposal = {
    id: makeId(),
    skillId: skill.id,
    base: active.number,
    author: made.author,
    content: onlyContent(made),
    diff: diffBodies({ label: `revision ${active.number}`, body: active.body }, { label: "proposed", body: made.body }),
    reason,
    evidence: [...made.evidence],
    status: "open",
    createdAt: clock(),
    decidedAt: null,
  };
  stores.transaction(() => {
    stores.proposals.add(proposal);
    raise(world, skill, "proposal", `A change of "${skill.name}" ${isWider ? "reaches further and waits" : "waits"} for your yes`, reason, proposal.id);
  });
  return proposal;
}

function waits(message: string, { id, status }: Proposal): KnackError {
  return new KnackError("skill.waits", message, { exit: 3, fields: { proposalId: id, status } });
}

function raise(
  { stores, makeId, clock }: SkillWorld,
  skill: Skill,
  kind: "review" | "proposal",
  title: string,
  detail: string,
  proposalId: string | null,
): void {
  stores.alerts.add({
    id: makeId(),
    kind,
    title,
    detail,
    skillId: skill.id,
    proposalId,
    revertTo: null,
    createdAt: clock(),
    resolvedAt: null,
    resolution: null,
  });
}

function reviewTitle({ name }: Pick<Skill, "name">): string {
  return `"${name}" waits for your review`;
}
