import { writeFile } from "node:fs/promises";
import type { HostedAgent } from "#app/create-agent.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Draft } from "#contract/learning/schema.ts";
import { askPerson, isPersonThere, isYes } from "./ask-person.ts";
import { openInEditor, requireEditor } from "./edit-file.ts";
import type { Call } from "./leaf.ts";
import { pathFrom, requireNewFile } from "./place.ts";
import type { Screen } from "./screen.ts";
import { playbookLines } from "./skill-lines.ts";

export interface KeepOptions {
  readonly name?: string;
  readonly skill?: string;
  readonly together?: boolean;
  readonly yes?: boolean;
  readonly edit?: boolean;
  readonly from?: string;
  readonly draftTo?: string;
}

/** Everything about keeping that can be judged before anybody shows anything, so that no showing is in vain. */
export function checkKeeping({ name, skill, edit, yes, from, draftTo }: KeepOptions): void {
  if (name !== undefined && skill !== undefined) throw badInput("--name is for a new skill, --skill for one that is there; give one of them");
  if (draftTo !== undefined && yes) throw badInput("--yes keeps the draft and --draft-to writes it to a file instead; give one of them");
  if (draftTo !== undefined && from !== undefined) throw badInput("--from takes a changed draft and --draft-to writes one; give one of them");
  if (edit && from !== undefined) throw badInput("--from takes a draft that was changed already and --edit changes it now; give one of them");
  if (edit) requireEditor();
  if (draftTo !== undefined) requireNewFile(draftTo);
}

/** The same of what only the store can tell: names that are free, skills that may be taught. Loaded late, as the agent is, so that help answers at once. */
export async function checkNames({ world }: HostedAgent, { name, skill }: KeepOptions): Promise<void> {
  const { nameForNew, requireTeachable } = await import("#app/skills.ts");
  if (name !== undefined) nameForNew(world, name);
  if (skill !== undefined) requireTeachable(world, skill);
}

/**
 * From a draft to what becomes of it: changed in an editor, written to a file, kept or dropped, as the options and the person say.
 * @param store puts down what the draft shows and the store does not hold yet; called once the person agreed, or asked for it to be edited or written
 */
export async function settleDraft(agent: HostedAgent, derived: Draft, call: Call<KeepOptions>, store?: () => Promise<unknown>): Promise<number> {
  const { options, screen } = call;
  let draft = derived;
  let unstored = store;
  const put = async (): Promise<void> => {
    await unstored?.();
    unstored = undefined;
  };
  showDraft(draft, options.skill ?? options.name ?? draft.name, screen);
  if (options.from === undefined) draft = await offerAlignment(agent, draft, call);
  if (options.edit || options.draftTo !== undefined) await put();
  if (options.edit) draft = await inEditor(agent, draft, call);
  screen.event({ type: "draft-made", draft });
  if (options.draftTo !== undefined) return writeDraft(agent, draft, call, options.draftTo);
  return keep(agent, draft, call, put);
}

function showDraft(draft: Draft, name: string, screen: Screen): void {
  screen.say("");
  screen.say(`Draft "${name}"`, "bold");
  for (const line of playbookLines(draft.body, { calls: true })) screen.say(line);
  screen.say("");
  const judged = draft.needJudgement;
  screen.say(
    judged.length === 0
      ? "It can run without the model."
      : `It cannot run without the model: step${judged.length === 1 ? "" : "s"} ${judged.join(", ")} need${judged.length === 1 ? "s" : ""} judgement.`,
  );
  for (const note of draft.notes) screen.say(`note: ${note}`);
  for (const warning of draft.warnings ?? []) screen.warn(`warning: ${warning}`);
  if (draft.revises === null) return;
  screen.say("");
  screen.say(`What it changes in "${draft.revises.skill}", revision ${draft.revises.revision}:`, "bold");
  for (const line of draft.revises.diff.split("\n").filter((text) => text.trim() !== "")) screen.say(`  ${line}`);
  if (draft.revises.diff === "") screen.say("  nothing");
}

/** A routine that was shown before may be what this is as well; nobody but the person can say so. */
async function offerAlignment(agent: HostedAgent, draft: Draft, { options, screen, session }: Call<KeepOptions>): Promise<Draft> {
  const { alike } = draft;
  if (alike === null || options.skill !== undefined || options.name !== undefined) return draft;
  if (options.yes || !isPersonThere()) {
    screen.note(
      `It looks like the same routine as "${alike.skill}" ("${alike.goal}"). Before it is kept it can be aligned with that one: --skill ${alike.skill} --together`,
    );
    return draft;
  }
  screen.say("");
  if (!isYes(await askPerson(`The same routine as "${alike.skill}" ("${alike.goal}")? Align them? [y/N] `, session))) return draft;
  const aligned = await agent.finishShowing(draft.showingId, { together: alike.skill });
  showDraft(aligned, alike.skill, screen);
  return aligned;
}

/** In the person's editor until it can be read, or they leave it as it was. */
async function inEditor(agent: HostedAgent, draft: Draft, { screen, session }: Call<KeepOptions>): Promise<Draft> {
  const { text } = await agent.draftFile(draft.showingId);
  await using file = await openInEditor("SKILL.md", text, session);
  for (;;) {
    const changed = await file.edit();
    try {
      const edited = await agent.takeDraftFile(draft.showingId, changed);
      showDraft(edited, edited.name, screen);
      return edited;
    } catch (error) {
      if (!(error instanceof KnackError && error.code === "bad-input") || !isPersonThere()) throw error;
      screen.warn(error.message);
      if (/^no?$/iu.test(await askPerson("Edit it again? [Y/n] ", session))) return draft;
    }
  }
}

async function writeDraft(agent: HostedAgent, { showingId }: Draft, { screen, options }: Call<KeepOptions>, path: string): Promise<number> {
  const file = pathFrom(path);
  const { text } = await agent.draftFile(showingId);
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw badInput(`There is a file ${file} already; name another one. The draft is kept: ${showingId}`);
    throw badInput(`${file} could not be written (${(error as Error).message}). The draft is kept: ${showingId}`);
  }
  screen.event({ type: "draft-written", showingId, file });
  const skill = options.skill === undefined ? "" : ` --skill ${options.skill}`;
  screen.say(`The draft is in ${file}. Change it, and keep it with: knack skills teach --confirm ${showingId} --from ${path}${skill}`);
  return 0;
}

/** Keeps the draft as a skill, or as a revision of one, when the person says so; under another name when they give one. */
async function keep(agent: HostedAgent, draft: Draft, { options, screen, session }: Call<KeepOptions>, put: () => Promise<void>): Promise<number> {
  let name = options.name;
  const revised = draft.revises?.skill ?? options.skill;
  if (!options.yes) {
    if (!isPersonThere())
      throw new KnackError(
        "showing.unconfirmed",
        `It was not kept, because nobody is here to confirm it; say --yes to keep what is shown. The draft is there${options.from === undefined ? "" : " as it was, without the file"}: knack skills teach --confirm ${draft.showingId}`,
      );
    screen.say("");
    const asked =
      revised === undefined ? `Keep it as "${name ?? draft.name}"? [Y/n, or another name] ` : `Keep it as the next revision of "${revised}"? [Y/n] `;
    const answer = await askPerson(asked, session);
    if (/^no?$/iu.test(answer)) {
      await agent.dropShowing(draft.showingId);
      screen.event({ type: "showing-dropped", showingId: draft.showingId });
      screen.note("Not kept.");
      return 0;
    }
    if (answer !== "" && !/^y(?:es)?$/iu.test(answer)) {
      if (revised !== undefined) throw badInput(`Answer y or n; got "${answer}". What was shown is kept as a draft.`);
      name = (await import("#app/skills.ts")).nameForNew(agent.world, answer);
    }
  }
  await put();
  const { skill } = await agent.confirmShowing(draft.showingId, "user", name, draft.revises === null ? options.skill : undefined);
  screen.event({ type: "skill-learned", skill });
  if (draft.revises !== null && skill.activeRevision === draft.revises.revision) {
    screen.say(
      `"${skill.name}" stays at revision ${skill.activeRevision}: it does that already. What was shown is kept in its history, as evidence and as a way to ask.`,
    );
    for (const note of draft.notes) screen.say(`looked at: ${note}`);
    return 0;
  }
  const learned = revised === undefined ? `learned "${skill.name}"` : `"${skill.name}" is at revision ${skill.activeRevision} and in use`;
  screen.say(`${learned}${skill.fullyMechanical ? "; it can run without the model: --mode strict" : ""}`, "green");
  return 0;
}
