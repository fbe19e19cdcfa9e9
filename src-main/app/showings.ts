import { badInput, KnackError } from "#contract/errors.ts";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { Draft, Showing, ShowingAim, ShownAction } from "#contract/learning/schema.ts";
import type { Skill } from "#contract/skills/schema.ts";
import { editDraft, withoutSecrets } from "#core/learning/index.ts";
import type { BrowserLauncher, OnDecision, RecordingSession } from "#core/ports/index.ts";
import { bindInputs } from "#core/recall/index.ts";
import { type Bindings, fillKnown } from "#core/replay/index.ts";
import type { SkillDetail } from "./agent.ts";
import { type KnownLogins, withLogin } from "./choose-login.ts";
import { deriveDraft, draftWorldOf, editedDraft, madeOf, requireStillBase } from "./derive-draft.ts";
import { draftFile, readDraftFile } from "./draft-file.ts";
import { relearn, teachAgain } from "./relearn.ts";
import { type Reached, replayTo } from "./replay-to.ts";
import { createSkill, detailOf, freeName, ledgerRow, reindexChanged, requireTeachable, type SkillWorld } from "./skills.ts";

export interface ShowingWorld extends SkillWorld {
  readonly launcher: BrowserLauncher;
  /** Told what the window talks to. */
  readonly onDecision?: OnDecision;
  readonly downloadFolder: string;
  readonly destinations: () => Parameters<BrowserLauncher["record"]>[0]["destinations"];
  /** Headless in tests and evaluation, where nobody watches. */
  readonly headed: boolean;
  /** Absent where there is no vault. */
  readonly logins?: KnownLogins;
}

export interface FinishOptions {
  /** The skill whose showings and good runs this is aligned with; null makes it a skill of its own again. */
  readonly together?: string | null;
  /** Of a repair: false says that everything was shown to its end. */
  readonly asBefore?: boolean;
}

/** Teaching by showing: one recording at a time, a draft, a confirmation (SPEC 4). */
export interface Showings {
  start(goal: string, url: string, onAction?: (action: ShownAction) => void): Promise<Showing>;
  /** Opens the window at the step a skill stopped working at: what comes before is carried out. The aim says which step that is. */
  startRepair(skill: string, options: { goal?: string; step?: number }, onAction?: (action: ShownAction) => void): Promise<Showing>;
  /** Performs a script in the recorder's window, as a person would. */
  perform(id: string, script: readonly (readonly string[])[], signal: AbortSignal): Promise<void>;
  /** Ends the recording; of one that has ended already, or broke off, the draft as it was left. */
  finish(id: string, options?: FinishOptions): Promise<Draft>;
  /** The draft as it would be: finished with these options and changed as the file says. Neither its edits nor what it stands for is touched. */
  preview(id: string, wish: FinishOptions & { readonly file?: string }): Promise<Draft>;
  /** Ends a recording that went wrong before it was through. What was shown until then is kept as a showing that broke off, unless it was nothing: then it is dropped. */
  leave(id: string): Promise<Showing>;
  /** The draft with exactly these edits, which are kept with the showing. Throws bad-input where one cannot be made, and keeps those before. */
  edit(id: string, edits: readonly DraftEdit[]): Promise<Draft>;
  /** The draft as a SKILL.md, and the same taken in again. */
  file(id: string): Promise<{ readonly name: string; readonly text: string }>;
  takeFile(id: string, text: string): Promise<Draft>;
  /** A new skill, or with `skill` the next revision of that one. */
  confirm(id: string, by: string, name?: string, skill?: string): Promise<SkillDetail>;
  drop(id: string): Promise<void>;
  list(): Showing[];
  /** Resolves when the person closes the window of a running showing, or it goes away otherwise. */
  ended(id: string): Promise<void>;
  close(): Promise<void>;
}

/** A showing that a draft was made of. */
type Based = Showing & { readonly base: Draft };

const patience = 120_000;

export function makeShowings(world: ShowingWorld): Showings {
  let open: { readonly id: string; readonly session: RecordingSession } | null = null;
  let isOpening = false;
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

  async function stop(id: string): Promise<Showing> {
    const showing = get(id);
    if (open?.id !== id) return showing;
    const { session: ending } = open;
    open = null;
    const actions = await ending.stop();
    const stopped: Showing = { ...get(id), status: "draft", actions: withoutSecrets(actions) };
    learning.putShowing(stopped);
    return stopped;
  }

  async function unfinished(id: string): Promise<Showing> {
    const showing = await stop(id);
    requireOpen(showing);
    return showing;
  }

  function requireOpen({ status }: Showing): void {
    if (status === "dropped" || status === "confirmed") throw new KnackError("showing.over", `This showing was ${status} already.`);
  }

  /** Throws where it was ended, or what it shows was erased, while it was worked on. */
  function requireStill({ id, goal }: Showing): void {
    const now = get(id);
    requireOpen(now);
    if (now.goal !== goal) throw new KnackError("showing.over", "What this showing stands for was erased.");
  }

  async function derived(showing: Showing): Promise<Draft> {
    const draft = await deriveDraft(world, showing, AbortSignal.timeout(patience));
    return world.logins === undefined ? draft : withLogin(draft, showing, world.logins);
  }

  /** Derived once, so that edits mean the same whatever is learned meanwhile. */
  async function withBase(showing: Showing): Promise<Based> {
    const base = showing.base ?? (await derived(showing));
    requireStill(showing);
    const based = { ...showing, status: "draft" as const, base };
    if (showing.base === null || showing.status !== "draft") learning.putShowing(based);
    return based;
  }

  async function begin(
    { goal, url, aim }: { readonly goal: string; readonly url: string; readonly aim: ShowingAim },
    onAction: ((action: ShownAction) => void) | undefined,
    prepare: (session: RecordingSession) => Promise<ShowingAim>,
  ): Promise<Showing> {
    if (open || isOpening) throw new KnackError("showing.open", "A showing is running already; finish or drop it first.");
    isOpening = true;
    const id = world.makeId();
    const begun: Showing = { id, goal, url, status: "recording", actions: [], createdAt: world.clock(), aim, base: null, edits: [], skillId: null };
    // Kept as it goes: a crash while showing loses nothing that was shown (SHO-07).
    const keep = (actions: readonly ShownAction[]): void => {
      if (open?.id === id) learning.putShowing({ ...get(id), actions: withoutSecrets(actions) });
    };
    try {
      const recording = await world.launcher.record(
        {
          url,
          headed: world.headed,
          destinations: world.destinations(),
          downloadFolder: world.downloadFolder,
          downloadsAllowed: true,
          maxChars: 4000,
          ...(world.onDecision === undefined ? {} : { onDecision: world.onDecision }),
          ...(onAction === undefined ? {} : { onAction }),
          onKept: keep,
        },
        AbortSignal.timeout(60_000),
      );
      open = { id, session: recording };
      learning.putShowing({ ...begun, actions: withoutSecrets(recording.actions()) });
      void recording.ended.then(() => brokeOff(id));
      try {
        learning.putShowing({ ...get(id), aim: await prepare(recording) });
      } catch (error) {
        await stop(id);
        learning.putShowing({ ...get(id), status: "dropped", actions: [] });
        throw error;
      }
      // What was recorded so far is told action by action.
      return { ...get(id), actions: [] };
    } finally {
      isOpening = false;
    }
  }

  /** The window was closed, or its page or browser went away. Whoever showed something may still finish it or drop it. */
  function brokeOff(id: string): void {
    if (open?.id !== id) return;
    const { session: ended } = open;
    open = null;
    learning.putShowing({ ...get(id), status: "broken", actions: withoutSecrets(ended.actions()) });
    void ended.stop().catch(() => undefined);
  }

  async function bindingsFor(skill: Skill, goal: string): Promise<{ bindings: Bindings; missing: readonly string[] }> {
    const revision = revisionOf(skill);
    const found = await bindInputs(revision, goal, { now: new Date(world.clock()), model: null, signal: AbortSignal.timeout(patience) });
    return { bindings: { inputs: revision.inputs, values: found.values, goal, named: new Set(found.named) }, missing: found.missing };
  }

  function revisionOf(skill: Skill) {
    const revision = world.stores.skills.revision(skill.id, skill.activeRevision);
    if (!revision) throw new KnackError("skill.revision-missing", `The skill "${skill.name}" has no revision ${skill.activeRevision}`);
    return revision;
  }

  /** The step that the last run of the revision in use failed at, from 1. */
  function failedStep(skill: Skill): number | undefined {
    const finding = world.stores.skills.runs(skill.id, skill.activeRevision).findLast((run) => run.outcome === "failure")?.finding;
    const step = /^Step (\d+):/u.exec(finding ?? "")?.[1];
    return step === undefined ? undefined : Number(step);
  }

  /** A showing kept as the next revision of the skill it was meant for. */
  async function confirmAimed(showing: Based, draft: Draft, skill: Skill, by: string): Promise<SkillDetail> {
    requireStillBase(world, draft, skill);
    const author = `human:${by}`;
    const reason =
      showing.aim.kind === "repair" ? `step ${showing.aim.step} shown anew: ${showing.goal}` : `shown together with what was known: ${showing.goal}`;
    const signal = AbortSignal.timeout(patience);
    try {
      await relearn(world, skill, { content: draft.content, author, actor: author, evidence: [], reason, isExact: true }, signal);
    } catch (error) {
      // It does that already; what was learned is another way to ask for it, and one more showing that it rests on.
      if (!(error instanceof KnackError && error.code === "skill.unchanged" && showing.aim.kind === "together")) throw error;
      world.stores.transaction(() => {
        world.stores.skills.addPhrasing(skill.id, showing.goal, false, world.clock());
        world.stores.skills.note(
          ledgerRow(world, skill.id, { action: "look-at", actor: author, reason: nothingNew(showing.goal, draft), before: null, after: null }),
        );
        putConfirmed(showing.id, skill);
      });
      await reindexChanged(world, skill.id, signal);
      return detailOf(world, skill.id);
    }
    putConfirmed(showing.id, skill);
    return detailOf(world, skill.id);
  }

  /** As it is now: meanwhile what it holds may have been erased, or the skill with it. */
  function putConfirmed(id: string, skill: Skill): void {
    const showing = learning.showing(id);
    if (showing) learning.putShowing({ ...showing, status: "confirmed", skillId: skill.id });
  }

  return {
    async start(goal, url, onAction) {
      if (goal.trim() === "") throw badInput('Say what you are about to show, with its values: "Download the April 2026 invoice"');
      return begin({ goal: goal.trim(), url, aim: { kind: "new" } }, onAction, async () => ({ kind: "new" }));
    },
    async startRepair(name, { goal, step }, onAction) {
      const skill = requireTeachable(world, name);
      const revision = revisionOf(skill);
      const from = step ?? failedStep(skill);
      if (from === undefined) throw badInput(`No run of "${skill.name}" says at which step it failed; name the step that is to be shown`, { field: "step" });
      if (from > revision.steps.length) throw badInput(`"${skill.name}" has steps 1 to ${revision.steps.length}; there is no step ${from}`, { field: "step" });
      const said = goal?.trim() ?? revision.bindings[0]?.goal ?? revision.goal;
      const { bindings, missing } = await bindingsFor(skill, said);
      if (missing.length > 0)
        throw badInput(`Say the goal with its values, so that the steps before can be carried out; missing: ${missing.join(", ")}`, { field: "goal" });
      const [first] = revision.steps;
      const url = first?.call?.tool === "browser_open" ? fillKnown(String(first.call.args.url), bindings) : revision.capabilities.destinations[0];
      if (url === undefined) throw badInput(`"${skill.name}" opens no page, so there is nothing to show in a window`);
      const aimFor = ({ kept, replayed }: Reached): ShowingAim => ({
        kind: "repair",
        skillId: skill.id,
        revision: revision.number,
        step: kept + 1,
        replayed,
        asBefore: true,
      });
      return begin({ goal: said, url, aim: aimFor({ kept: 0, replayed: 0, why: null }) }, onAction, async (recording) =>
        aimFor(await replayTo(recording, revision.steps, bindings, from - 1, AbortSignal.timeout(patience))),
      );
    },
    perform: (id, script, signal) => session(id).perform(script, signal),
    ended(id) {
      get(id);
      return open?.id === id ? open.session.ended : Promise.resolve();
    },
    async finish(id, { together, asBefore } = {}) {
      const showing = await unfinished(id);
      const aim = aimWith(world, showing.aim, { ...(together === undefined ? {} : { together }), ...(asBefore === undefined ? {} : { asBefore }) });
      if (JSON.stringify(aim) === JSON.stringify(showing.aim)) return editedDraftOf(await withBase(showing));
      // Another aim is another draft: edits of the one before would mean other steps. Where it cannot be made all stays as it was.
      learning.putShowing({ ...showing, status: "draft" });
      return editedDraftOf(await withBase({ ...showing, aim, base: null, edits: [] }));
    },
    async preview(id, { file, ...options }) {
      const showing = get(id);
      requireOpen(showing);
      const aim = aimWith(world, showing.aim, options);
      const isSame = JSON.stringify(aim) === JSON.stringify(showing.aim);
      const other = { ...showing, aim, edits: [] };
      const wished = isSame ? await withBase(showing) : { ...other, base: await derived(other) };
      return file === undefined ? editedDraftOf(wished) : withFile(wished, file).draft;
    },
    async leave(id) {
      const showing = await stop(id);
      requireOpen(showing);
      const replayed = showing.aim.kind === "repair" ? showing.aim.replayed : 0;
      const isNothing = showing.actions.slice(replayed).every(({ kind }) => kind === "open");
      const left: Showing = isNothing ? { ...showing, status: "dropped", actions: [] } : { ...showing, status: "broken" };
      learning.putShowing(left);
      return left;
    },
    async edit(id, edits) {
      const showing = await withBase(await unfinished(id));
      editDraft(showing.base, edits, draftWorldOf(showing));
      const edited = { ...showing, edits: [...edits] };
      learning.putShowing(edited);
      return editedDraftOf(edited);
    },
    async file(id) {
      return draftFile(editedDraftOf(await withBase(await unfinished(id))));
    },
    async takeFile(id, text) {
      const showing = await withBase(await unfinished(id));
      const { edited, draft } = withFile(showing, text);
      if (edited !== showing) learning.putShowing(edited);
      return draft;
    },
    async confirm(id, by, name, skillName) {
      const showing = await withBase(await unfinished(id));
      const evidence = showing.episodeId === undefined ? [] : [showing.episodeId];
      const draft = editedDraftOf(showing);
      if (name !== undefined && (skillName !== undefined || showing.aim.kind !== "new"))
        throw badInput("A showing is kept under a name of its own or as a revision of a skill, not both.");
      if (showing.aim.kind !== "new") {
        const skill = requireTeachable(world, showing.aim.skillId);
        if (skillName !== undefined && requireTeachable(world, skillName).id !== skill.id)
          throw badInput(`This was shown for "${skill.name}", not for "${skillName}"`);
        return confirmAimed(showing, draft, skill, by);
      }
      if (skillName !== undefined) {
        const skill = await teachAgain(
          world,
          skillName,
          draft.content,
          { by, evidence, reason: `shown again: ${showing.goal}` },
          AbortSignal.timeout(patience),
        );
        putConfirmed(id, skill);
        return detailOf(world, skill.id);
      }
      const skill = await createSkill(
        world,
        {
          ...{ name: name ?? freeName(world, draft.name), content: draft.content, author: `human:${by}`, evidence, reason: `shown: ${showing.goal}` },
          requireStill: () => requireStill(showing),
          // In one transaction: a process that ends in between leaves no skill whose showing could become a second one.
          alongside: { write: (made) => putConfirmed(id, made), undo: () => learning.putShowing({ ...get(id), status: "draft", skillId: null }) },
        },
        AbortSignal.timeout(patience),
      );
      return detailOf(world, skill.id);
    },
    async drop(id) {
      const showing = await stop(id);
      if (showing.status === "confirmed") throw new KnackError("showing.over", "This showing was confirmed already; erase the skill it became instead.");
      learning.putShowing({ ...showing, status: "dropped", actions: [], base: null, edits: [] });
    },
    list: () => learning.showings(),
    async close() {
      const id = open?.id;
      if (id === undefined) return;
      await stop(id).catch(() => undefined);
    },
  };

  /** A showing with what a file of its draft was changed to as one more edit, where it says something else. */
  function withFile(showing: Based, text: string): { readonly edited: Based; readonly draft: Draft } {
    const before = editedDraftOf(showing);
    const edit = readDraftFile(before, text);
    if (edit === null) return { edited: showing, draft: before };
    const edited = { ...showing, edits: [...showing.edits, edit] };
    return { edited, draft: editedDraftOf(edited) };
  }

  function editedDraftOf(showing: Based): Draft {
    return editedDraft(world, showing, showing.base);
  }
}

/** What its history says where a further showing changed no step. */
function nothingNew(goal: string, { notes }: Draft): string {
  const [beside = ""] = notes.filter((note) => note.startsWith(madeOf));
  return `shown together with what was known: ${goal}. Nothing changed: it does that already. ${beside} It is kept as evidence and as a way to ask.`;
}

function aimWith(world: SkillWorld, aim: ShowingAim, { together, asBefore }: FinishOptions): ShowingAim {
  if (asBefore !== undefined) {
    if (aim.kind !== "repair") throw badInput("Only a repair goes on as before; this showing stands for the whole task.");
    return { ...aim, asBefore };
  }
  if (together === undefined) return aim;
  if (aim.kind === "repair") throw badInput("This showing mends a step of a skill; it is no showing of the whole task that could be aligned.");
  return together === null ? { kind: "new" } : { kind: "together", skillId: requireTeachable(world, together).id };
}
