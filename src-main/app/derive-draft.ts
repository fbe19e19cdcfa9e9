import { badInput, KnackError } from "#contract/errors.ts";
import type { Draft, Showing, ShowingAim } from "#contract/learning/schema.ts";
import type { Revision, RevisionContent, Skill, SkillStep } from "#contract/skills/schema.ts";
import { capabilitiesOf } from "#core/envelope/index.ts";
import {
  actionOf,
  asShownLogin,
  type DraftWorld,
  draftFromShowing,
  editDraft,
  joinShowings,
  type LearnableEpisode,
  mend,
  type SeenAction,
  verifiedDraft,
  withoutSecrets,
} from "#core/learning/index.ts";
import { type Bindings, evaluateCheck, fillKnown } from "#core/replay/index.ts";
import { diffBodies, isUsable, mapTexts, onlyContent, outdatedBefore } from "#core/skills/index.ts";
import { isToBeRelearned } from "./relearn.ts";
import { askedAlike } from "./same-meaning.ts";
import { isOfPack, type SkillWorld, skillNamed } from "./skills.ts";

/** Good runs of the agent's own that are aligned with showings: the newest say most about how it is done now. */
const mostRuns = 8;

/** How the note begins that says what an aligned draft was made of. */
export const madeOf = "Made of this showing and ";

export function draftWorldOf(showing: Showing): DraftWorld {
  return { now: new Date(showing.createdAt), reachOf: (steps: readonly SkillStep[]) => capabilitiesOf(steps) };
}

/**
 * What a showing comes to, without edits: by its aim a skill of its own, the common procedure of all showings and good runs of a skill, or a skill that
 * is mended. Throws "showing.empty", "showing.unsafe", "showing.no-common-procedure", "showing.outdated".
 */
export async function deriveDraft(world: SkillWorld, showing: Showing, signal: AbortSignal): Promise<Draft> {
  const { aim, actions } = showing;
  const replayed = aim.kind === "repair" ? aim.replayed : 0;
  if (actions.slice(replayed).filter((action) => action.kind !== "open").length === 0)
    throw new KnackError("showing.empty", "Nothing was shown in the window, so there is nothing to learn. Show the task again.");
  const own = draftFromShowing(showing, actions, new Date(showing.createdAt));
  if (aim.kind === "new") return { ...own, alike: await alikeTo(world, own, signal) };
  const { skill, revision } = aimedAt(world, aim);
  const made = aim.kind === "repair" ? mended(showing, revision, aim) : joined(world, showing, skill, revision);
  const draft: Draft = {
    ...own,
    ...made,
    notes: [...own.notes.filter((note) => note.startsWith("What was typed into")), ...made.notes],
    name: skill.name,
    revises: { skill: skill.name, revision: revision.number, diff: "" },
  };
  return verifiedDraft(draft, draftWorldOf(showing).reachOf);
}

/** The draft with its edits, and how it differs from what it becomes a revision of. */
export function editedDraft(world: SkillWorld, showing: Showing, base: Draft): Draft {
  const draft = showing.edits.length === 0 ? base : editDraft(base, showing.edits, draftWorldOf(showing));
  if (draft.revises === null) return draft;
  const { revision: number } = draft.revises;
  const skill = skillNamed(world, showing.aim.kind === "new" ? draft.revises.skill : showing.aim.skillId);
  const before = world.stores.skills.revision(skill.id, number)?.body ?? "";
  const diff = diffBodies({ label: `revision ${number}`, body: before }, { label: "shown", body: draft.body });
  return { ...draft, revises: { skill: skill.name, revision: number, diff } };
}

function aimedAt(world: SkillWorld, aim: Exclude<ShowingAim, { kind: "new" }>): { skill: Skill; revision: Revision } {
  const skill = skillNamed(world, aim.skillId);
  const revision = world.stores.skills.revision(skill.id, aim.kind === "repair" ? aim.revision : skill.activeRevision);
  if (!revision) throw new KnackError("skill.revision-missing", `The skill "${skill.name}" has no revision ${skill.activeRevision}`);
  return { skill, revision };
}

/** Of the skills that people showed the one this could be a further showing of. */
async function alikeTo(world: SkillWorld, draft: Draft, signal: AbortSignal): Promise<Draft["alike"]> {
  const taught = world.stores.skills
    .list({ all: true })
    .filter(
      (skill) =>
        (isUsable(skill.status) || isToBeRelearned(world, skill)) && !isOfPack(world, skill.id) && world.stores.learning.showingsOf(skill.id).length > 0,
    );
  const skill = await askedAlike(world, taught, draft.content, signal);
  const goal = skill && world.stores.skills.revision(skill.id, skill.activeRevision)?.goal;
  return skill && goal !== undefined ? { skill: skill.name, goal } : null;
}

function mended(showing: Showing, revision: Revision, aim: Extract<ShowingAim, { kind: "repair" }>): Pick<Draft, "content" | "observed" | "notes"> {
  const old = onlyContent(revision);
  return mend(old, showing.goal, withoutSecrets(showing.actions), {
    kept: aim.step - 1,
    replayed: aim.replayed,
    asBefore: aim.asBefore,
    now: new Date(showing.createdAt),
    holds: (check, values, seen) => holdsFor(old, showing.goal, check, values, seen),
  });
}

function holdsFor(
  old: RevisionContent,
  goal: string,
  check: Parameters<typeof evaluateCheck>[0],
  values: Readonly<Record<string, string>>,
  { action, file }: SeenAction,
): boolean {
  const bindings: Bindings = { inputs: old.inputs, values, goal, named: new Set(Object.keys(values)) };
  const { url, title, heading, text } = action.after;
  const page = { url, title, heading, text, lines: text.split("\n"), elements: [], truncated: false };
  const downloads = file === undefined ? [] : [{ name: file, path: file, bytes: 1, fromUrl: url }];
  const filled = mapTexts(check, (said) => fillKnown(said, bindings));
  return evaluateCheck(filled, { page, downloads, resultText: action.value ?? "" }).held;
}

function joined(world: SkillWorld, showing: Showing, skill: Skill, revision: Revision): Pick<Draft, "content" | "observed" | "notes"> {
  const others = runsOf(world, skill).filter(({ episode }) => episode.id !== showing.id);
  if (others.length === 0)
    throw new KnackError(
      "showing.alone",
      `No showing and no good run of "${skill.name}" is kept that this could be aligned with. To have it take the place of what the skill does: --skill ${skill.name} without --together.`,
    );
  const made = joinShowings(onlyContent(revision), [...others, asRun(showing)]);
  if (!made.ok)
    throw new KnackError("showing.no-common-procedure", `${made.error}. "${skill.name}" stays as it is; keep this showing as a skill of its own, or drop it.`, {
      exit: 3,
    });
  return {
    ...made.value,
    notes: [`${madeOf}${others.length} other${others.length === 1 ? "" : "s"}: earlier showings and good runs.`, ...made.value.notes],
  };
}

/** How a skill was done as it is now, oldest first: its showings, and the agent's own runs that went well. */
function runsOf({ stores }: SkillWorld, skill: Skill): LearnableEpisode[] {
  const showings = stores.learning.showingsOf(skill.id).filter(({ actions }) => actions.length > 0);
  // What was shown in the place of what it did, or to mend it, is how it is done since.
  const replacing = showings.filter(({ aim }, index) => aim.kind === "repair" || (aim.kind === "new" && index > 0)).at(-1)?.createdAt ?? 0;
  const since = Math.max(replacing, outdatedBefore(stores.skills.ledger(skill.id)));
  const whole = showings.filter(({ aim, createdAt }) => createdAt >= since && !(aim.kind === "repair" && aim.asBefore));
  const good = stores.skills.runs(skill.id).filter(({ outcome, startedAt }) => outcome === "success" && startedAt >= since);
  const runs = [...new Set(good.map(({ episodeId }) => episodeId))].slice(-mostRuns).flatMap((id): LearnableEpisode[] => {
    const episode = stores.trace.episode(id);
    const actions = stores.trace.stepsOfEpisode(id).flatMap(actionOf).map(asShownLogin);
    return episode && actions.length > 0 ? [{ episode, actions }] : [];
  });
  return [...whole.map(asRun), ...runs].sort((a, b) => a.episode.createdAt - b.episode.createdAt);
}

/** A showing as a run that went well. */
function asRun({ id, goal, actions, createdAt }: Showing): LearnableEpisode {
  return {
    episode: { id, conversationId: id, goal, outcome: "success", reason: "shown by a person", open: false, createdAt, closedAt: createdAt },
    actions: withoutSecrets(actions),
  };
}

/** Throws where the skill went on to another revision since the draft was made of this one. */
export function requireStillBase(world: SkillWorld, draft: Draft, skill: Skill): void {
  if (draft.revises !== null && draft.revises.revision !== world.stores.skills.get(skill.id)?.activeRevision)
    throw badInput(
      `"${skill.name}" was changed since: this was made for revision ${draft.revises.revision}, and revision ${skill.activeRevision} is in use. Show it again, or revert first.`,
    );
}
