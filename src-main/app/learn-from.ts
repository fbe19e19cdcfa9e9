import type { Episode } from "#contract/chat/schema.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Draft, Showing } from "#contract/learning/schema.ts";
import { actionOf, draftFromShowing, maxSteps, minSteps, withoutSecrets } from "#core/learning/index.ts";
import { sameMeaning } from "./same-meaning.ts";
import type { SkillWorld } from "./skills.ts";
import { whyUnlearned } from "./unlearned.ts";

/**
 * "Learn this": the newest task of a conversation that went well stands for a showing, and becomes the draft of a person's skill, to be confirmed or
 * dropped as any showing. The rule against learning from a single run is about the agent's own (SPEC 4): here a person looks at it first.
 * Throws bad-input for an unknown conversation, and "learn.…" (exit 3) with the way on where there is nothing that could be learned.
 * @param world `judge` keeps the user's word that an episode went well
 * @param worked the user says now that the newest task went well
 */
export async function learnFrom(
  world: SkillWorld & { readonly judge: (episodeId: string) => Episode },
  conversationId: string,
  worked: boolean,
  signal: AbortSignal,
): Promise<Draft> {
  const { conversations, learning, trace } = world.stores;
  if (world.settings?.().learning === false) throw refused("learn.off", "Learning is switched off; switch it on in Settings first.");
  if (!conversations.get(conversationId)) throw badInput(`There is no conversation ${conversationId}; see: knack conversations list`);
  const unlearned = whyUnlearned({ conversations }, conversationId);
  if (unlearned !== null) throw refused("learn.unlearned", unlearned);
  if (trace.turns(conversationId).some(({ status }) => status === "running"))
    throw refused("learn.running", "This conversation is still being worked on; wait until it has ended, or stop it.");
  const episode = chosen(world, conversationId, worked);
  const steps = trace.stepsOfEpisode(episode.id);
  const actions = steps.flatMap(actionOf);
  const count = actions.filter(({ kind }) => kind !== "download").length;
  if (count < minSteps)
    throw refused("learn.short", `It has ${count} steps that did something; a routine has at least ${minSteps}. Show the whole task with: knack skills teach`);
  if (count > maxSteps) throw refused("learn.long", `It has ${count} steps; a routine has at most ${maxSteps}. Show the shortest way with: knack skills teach`);
  const showing: Showing = {
    id: world.makeId(),
    goal: episode.goal,
    url: actions.find(({ kind }) => kind === "open")?.value ?? actions[0]?.after.url ?? "",
    status: "draft",
    actions: withoutSecrets(actions),
    createdAt: world.clock(),
    aim: { kind: "new" },
    base: null,
    edits: [],
    skillId: null,
    episodeId: episode.id,
  };
  // Made first: what may not be kept leaves no showing behind.
  const draft = draftFromShowing(showing, showing.actions, new Date(episode.createdAt));
  const same = await sameMeaning(world, draft.content, new Date(world.clock()), signal, "human:user");
  const looked = steps.filter(({ tool }) => tool.startsWith("browser_")).length - steps.filter((step) => actionOf(step).length > 0).length;
  const base: Draft = {
    ...draft,
    notes: [...(looked === 0 ? [] : [`Left out: ${looked} ${looked === 1 ? "step" : "steps"} that failed, or only looked.`]), ...draft.notes],
    ...(same ? { sameAs: { name: same.name, status: same.status, revision: same.activeRevision } } : {}),
  };
  if (!trace.episode(episode.id)) throw refused("learn.erased", "What was done in this conversation was erased meanwhile.");
  learning.putShowing({ ...showing, base });
  return base;
}

function chosen(world: SkillWorld & { readonly judge: (episodeId: string) => Episode }, conversationId: string, worked: boolean): Episode {
  const { trace } = world.stores;
  const done = trace.episodesOf(conversationId).filter(({ id }) => trace.stepsOfEpisode(id).some((step) => actionOf(step).length > 0));
  const newest = done.at(-1);
  if (!newest)
    throw refused(
      "learn.nothing",
      "Nothing was done in this conversation that could be learned: it has no step in the browser that went through. Ask for the task first.",
    );
  if (worked) return newest.outcome === "success" ? newest : world.judge(newest.id);
  const good = done.findLast(({ outcome }) => outcome === "success");
  if (good) return good;
  if (newest.outcome === "failure")
    throw refused(
      "learn.failed",
      `Its newest task counts as a failure (${newest.reason ?? "no reason given"}). Have it done again, or say that it went well all the same.`,
    );
  throw refused("learn.unconfirmed", "Nobody has confirmed that its newest task went well. Look at what was done, and say so.");
}

function refused(code: string, message: string): KnackError {
  return new KnackError(code, message, { exit: 3 });
}
