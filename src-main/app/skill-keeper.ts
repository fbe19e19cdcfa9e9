import { clip, fold } from "#base/text.ts";
import { KnackError } from "#contract/errors.ts";
import type { Capabilities, Revision, RevisionContent, Skill } from "#contract/skills/schema.ts";
import { covers, envelopeOf } from "#core/envelope/index.ts";
import { nameFromGoal, unsafeIn } from "#core/learning/index.ts";
import type { InlineSkill, SkillKeeper } from "#core/ports/index.ts";
import { isUsable, onlyContent } from "#core/skills/index.ts";
import { askedAlike } from "./same-meaning.ts";
import { createSkill, freeName, isOfPack, reviseSkill, type SkillWorld, setStatus, skillNamed } from "./skills.ts";

const author = "agent:inline";
/** Things to mind that a skill may gather; more of them nobody follows. */
const mostEdgeCases = 10;

/** Skills as the model keeps them in a turn: behind the same use cases as a person's, under its own name, within what is granted. */
export function skillKeeper(world: SkillWorld, episodeId: string): SkillKeeper {
  const { skills } = world.stores;
  const found = (skill: Skill) => ({ skill, revision: inUse(world, skill) });

  return {
    list: () => skills.list().map(found),
    show: (name) => found(skillNamed(world, name)),
    async create(made, signal) {
      requireGranted(world, made.capabilities);
      const content = contentOf(made);
      requireSafe(content);
      await requireNew(world, content, signal);
      const name = made.name ?? freeName(world, nameFromGoal(made.purpose, [], new Date(world.clock())));
      return createSkill(world, { name, content, author, evidence: [episodeId], reason: "made in a conversation" }, signal);
    },
    async modify(name, change, signal) {
      const skill = skillNamed(world, name);
      const active = inUse(world, skill);
      requireOwn(world, skill);
      if (!isUsable(skill.status)) throw refused("skill.off", `"${skill.name}" is ${skill.status}; only a person may bring it back.`);
      if (active.edgeCases.length >= mostEdgeCases)
        throw refused("skill.full", `"${skill.name}" has ${mostEdgeCases} things to mind already; show it anew instead.`);
      const content = { ...onlyContent(active), edgeCases: [...new Set([...active.edgeCases, change])] };
      requireSafe(content);
      const evidence = [...new Set([...active.evidence, episodeId])];
      const revision = await reviseSkill(world, skill, { content, author, evidence, reason: `told in a conversation: ${clip(change, 200)}` }, signal);
      if (!revision) throw refused("skill.unchanged", `"${skill.name}" says that already.`);
      return revision;
    },
    retire(name, reason) {
      const skill = skillNamed(world, name);
      requireOwn(world, skill);
      setStatus(world, skill.id, "retired", author, reason, "agent");
      return skillNamed(world, skill.id);
    },
  };
}

function inUse(world: SkillWorld, skill: Skill): Revision {
  const revision = world.stores.skills.revision(skill.id, skill.activeRevision);
  if (!revision)
    throw new KnackError("skill.revision-missing", `The skill "${skill.name}" has no revision ${skill.activeRevision}; restore a backup with: knack restore`);
  return revision;
}

function contentOf({ purpose, steps, capabilities }: InlineSkill): RevisionContent {
  return {
    summary: clip(purpose, 200),
    whenToUse: purpose,
    goal: purpose,
    phrasings: [],
    inputs: { type: "object", properties: {}, required: [] },
    bindings: [],
    preconditions: [],
    antiPreconditions: [],
    steps: steps.map((step) => ({ do: step, onFail: "Stop and say what was expected and what was seen." })),
    edgeCases: [],
    toolsRequired: [],
    capabilities,
  };
}

/** A skill declares what it needs and is given nothing by that: what is not granted now refuses the whole of it. */
function requireGranted(world: SkillWorld, declared: Capabilities): void {
  const coverage = covers(declared, envelopeOf(world.stores.grants.list()));
  if (!coverage.covered) throw refused("grant.missing", `The skill was not made: it declares ${coverage.missing.join(", ")}, which the user has not granted.`);
}

/** The model has read pages; what they talked it into is not kept. */
function requireSafe(content: RevisionContent): void {
  const unsafe = unsafeIn(content);
  if (unsafe !== null) throw refused("skill.unsafe", `It was not kept: ${unsafe}.`);
}

/** What a skill does already is changed there, not made a second time beside it; one that a person switched off is not made anew either. */
async function requireNew(world: SkillWorld, content: RevisionContent, signal: AbortSignal): Promise<void> {
  const own = world.stores.skills.list({ all: true }).filter((skill) => !isOfPack(world, skill.id));
  const purpose = fold(content.goal);
  const sameWords = own.find((skill) => {
    const revision = world.stores.skills.revision(skill.id, skill.activeRevision);
    return revision !== undefined && [revision.goal, revision.whenToUse, ...revision.phrasings].some((text) => fold(text) === purpose);
  });
  const same = sameWords ?? (await askedAlike(world, own, content, signal));
  if (!same) return;
  const wayOn = isUsable(same.status)
    ? `What is to be minded can be added to it: skill_modify ${same.name}`
    : `It is ${same.status}, and only a person may bring it back.`;
  throw refused("skill.known", `The skill "${same.name}" is for that already. ${wayOn}`);
}

function requireOwn(world: SkillWorld, skill: Skill): void {
  if (isOfPack(world, skill.id)) throw refused("skill.authored", `"${skill.name}" belongs to a pack and is not changed from a conversation.`);
}

function refused(code: string, message: string): KnackError {
  return new KnackError(code, message, { exit: 3 });
}
