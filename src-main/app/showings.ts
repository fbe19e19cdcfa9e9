import { badInput, KnackError } from "#contract/errors.ts";
import type { Draft, Showing, ShownAction } from "#contract/learning/schema.ts";
import { draftFromShowing, withoutSecrets } from "#core/learning/index.ts";
import type { BrowserLauncher, RecordingSession } from "#core/ports/index.ts";
import type { SkillDetail } from "./agent.ts";
import { teachAgain } from "./relearn.ts";
import { createSkill, detailOf, freeName, type SkillWorld } from "./skills.ts";

export interface ShowingWorld extends SkillWorld {
  readonly launcher: BrowserLauncher;
  readonly downloadFolder: string;
  readonly destinations: () => Parameters<BrowserLauncher["record"]>[0]["destinations"];
  /** Headless in tests and evaluation, where nobody watches. */
  readonly headed: boolean;
}

/** Teaching by showing: one recording at a time, a draft, a confirmation (SPEC 4). */
export interface Showings {
  start(goal: string, url: string, onAction?: (action: ShownAction) => void): Promise<Showing>;
  /** Performs a script in the recorder's window, as a person would. */
  perform(id: string, script: readonly (readonly string[])[], signal: AbortSignal): Promise<void>;
  finish(id: string): Promise<Draft>;
  /** A new skill, or with `skill` the next revision of that one. */
  confirm(id: string, by: string, name?: string, skill?: string): Promise<SkillDetail>;
  drop(id: string): Promise<void>;
  list(): Showing[];
  /** Resolves when the person closes the window of a running showing. */
  ended(id: string): Promise<void>;
  close(): Promise<void>;
}

export function makeShowings(world: ShowingWorld): Showings {
  let open: { id: string; session: RecordingSession } | null = null;
  const { learning } = world.stores;

  function get(id: string): Showing {
    const showing = learning.showing(id);
    if (!showing) throw badInput(`There is no showing ${id}`);
    return showing;
  }

  function session(id: string): RecordingSession {
    if (open?.id !== id) throw new KnackError("showing.closed", "The window of this showing is closed; show the task again.");
    return open.session;
  }

  /** The day it was done: "tomorrow" in its goal is the day after. */
  function dayOf({ createdAt, episodeId }: Showing): Date {
    return new Date((episodeId === undefined ? undefined : world.stores.trace.episode(episodeId)?.createdAt) ?? createdAt);
  }

  async function stop(id: string): Promise<Showing> {
    const showing = get(id);
    if (open?.id !== id) return showing;
    const actions = await open.session.stop();
    open = null;
    const stopped: Showing = { ...showing, status: "draft", actions: withoutSecrets(actions) };
    learning.putShowing(stopped);
    return stopped;
  }

  return {
    async start(goal, url, onAction) {
      if (goal.trim() === "") throw badInput('Say what you are about to show, with its values: "Download the April 2026 invoice"');
      if (open) throw new KnackError("showing.open", "A showing is running already; finish or drop it first.");
      const showing: Showing = { id: world.makeId(), goal: goal.trim(), url, status: "recording", actions: [], createdAt: world.clock() };
      const recorded: ShownAction[] = [];
      const recording = await world.launcher.record(
        {
          url,
          headed: world.headed,
          destinations: world.destinations(),
          downloadFolder: world.downloadFolder,
          downloadsAllowed: true,
          maxChars: 4000,
          onAction(action) {
            recorded.push(action);
            // Kept as it goes: a crash while showing loses nothing that was shown (SHO-07).
            learning.putShowing({ ...showing, actions: withoutSecrets(recorded) });
            onAction?.(action);
          },
        },
        AbortSignal.timeout(60_000),
      );
      learning.putShowing(showing);
      open = { id: showing.id, session: recording };
      return showing;
    },
    perform: (id, script, signal) => session(id).perform(script, signal),
    ended: (id) => session(id).ended,
    async finish(id) {
      const showing = await stop(id);
      if (showing.status === "dropped" || showing.status === "confirmed") throw new KnackError("showing.over", `This showing was ${showing.status} already.`);
      if (showing.actions.filter((action) => action.kind !== "open").length === 0)
        throw new KnackError("showing.empty", "Nothing was shown in the window, so there is nothing to learn. Show the task again.");
      learning.putShowing({ ...showing, status: "draft" });
      return draftFromShowing(showing, showing.actions, dayOf(showing));
    },
    async confirm(id, by, name, skillName) {
      const showing = await stop(id);
      if (showing.status === "confirmed" || showing.status === "dropped") throw new KnackError("showing.over", `This showing was ${showing.status} already.`);
      const draft = draftFromShowing(showing, showing.actions, dayOf(showing));
      const evidence = showing.episodeId === undefined ? [] : [showing.episodeId];
      if (skillName !== undefined) {
        if (name !== undefined) throw badInput("A showing is kept under a name of its own or as a revision of a skill, not both.");
        const skill = await teachAgain(world, skillName, draft.content, { by, evidence, reason: `shown again: ${showing.goal}` }, AbortSignal.timeout(120_000));
        learning.putShowing({ ...showing, status: "confirmed", skillId: skill.id });
        return detailOf(world, skill.id);
      }
      const wish = name ?? freeName(world, draft.name);
      const skill = await createSkill(
        world,
        { name: wish, content: draft.content, author: `human:${by}`, evidence, reason: `shown: ${showing.goal}` },
        AbortSignal.timeout(120_000),
      );
      learning.putShowing({ ...showing, status: "confirmed", skillId: skill.id });
      return detailOf(world, skill.id);
    },
    async drop(id) {
      const showing = await stop(id);
      learning.putShowing({ ...showing, status: "dropped", actions: [] });
    },
    list: () => learning.showings(),
    async close() {
      if (open) await open.session.stop().catch(() => undefined);
      open = null;
    },
  };
}
