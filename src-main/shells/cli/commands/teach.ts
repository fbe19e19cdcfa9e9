import { createInterface } from "node:readline";
import type { Command } from "commander";
import type { HostedAgent } from "#app/create-agent.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Draft, Showing } from "#contract/learning/schema.ts";
import { askPerson, isPersonThere } from "../ask-person.ts";
import { type Call, leaf } from "../leaf.ts";
import { readScript } from "../read-script.ts";
import type { Screen } from "../screen.ts";
import type { Session } from "../session.ts";
import { shownLine } from "../shown-line.ts";
import { playbookLines } from "../skill-lines.ts";
import { withAgent } from "../with-agent.ts";

interface TeachOptions {
  readonly url: string;
  readonly name?: string;
  readonly skill?: string;
  readonly script?: string;
  readonly yes?: boolean;
}

export function addTeach(skills: Command, session: Session): void {
  leaf<TeachOptions>(skills, session, "teach <goal>", "show it once in a window, and it is learned", teach)
    .requiredOption("--url <url>", "where to begin")
    .option("--name <name>", "what to call it")
    .option("--skill <name>", "have it take the place of what this skill does")
    .option("--script <file>", 'have the steps of a JSON file performed: [["click", "link", "Billing"], …]')
    .option("--yes", "keep it without asking");

  leaf<LearnOptions>(skills, session, "learn <conversation>", "learn the newest task of a conversation that went well", learnOne)
    .option("--worked", "its newest task went well: you say so now")
    .option("--name <name>", "what to call it")
    .option("--skill <name>", "have it take the place of what this skill does")
    .option("--yes", "keep it without asking");
}

type LearnOptions = Pick<TeachOptions, "name" | "skill" | "yes"> & { readonly worked?: boolean };

/** The draft from a conversation, and once confirmed the skill. One that means the same already becomes the next revision of that one, unless it is given a name. */
async function learnOne(call: Call<LearnOptions>): Promise<number> {
  const { options, screen } = call;
  if (options.name !== undefined && options.skill !== undefined) throw badInput("--name is for a new skill, --skill for one that is there; give one of them");
  return withAgent(async (agent) => {
    const { nameForNew, requireTeachable } = await import("#app/skills.ts");
    if (options.name !== undefined) nameForNew(agent.world, options.name);
    if (options.skill !== undefined) requireTeachable(agent.world, options.skill);
    const draft = await agent.learnFrom(call.args[0] ?? "", options.worked === true, "user").catch((error: unknown) => {
      if (error instanceof KnackError && (error.code === "learn.unconfirmed" || error.code === "learn.failed"))
        throw new KnackError(error.code, `${error.message} If it did: knack skills learn ${call.args[0]} --worked`, { exit: error.exit });
      throw error;
    });
    const skill = options.skill ?? (options.name === undefined ? draft.sameAs?.name : undefined);
    screen.event({ type: "draft-made", draft });
    showDraft(draft, skill ?? options.name ?? draft.name, screen);
    if (draft.sameAs && skill === draft.sameAs.name)
      screen.say(
        `note: "${skill}" (${draft.sameAs.status}, revision ${draft.sameAs.revision}) does the same; this would be its next revision. For a skill of its own give --name`,
      );
    return keep(agent, draft, { ...call, options: { ...options, ...(skill === undefined ? {} : { skill }) } }).catch((error: unknown) =>
      // What was answered wrongly may be answered again; a draft that nobody took is made anew at any time.
      error instanceof KnackError && error.code === "bad-input" ? Promise.reject(error) : dropped(agent, draft.showingId, error),
    );
  });
}

async function teach(call: Call<TeachOptions>): Promise<number> {
  const { options, screen } = call;
  const goal = (call.args[0] ?? "").trim();
  if (goal === "")
    throw badInput('Say what you are about to show, with its values: knack skills teach "Download the April 2026 invoice" --url https://portal.example');
  if (!URL.canParse(options.url) || !/^https?:$/u.test(new URL(options.url).protocol))
    throw badInput(`"${options.url}" is no address; expected one that starts with https:// or http://`);
  if (options.name !== undefined && options.skill !== undefined) throw badInput("--name is for a new skill, --skill for one that is there; give one of them");
  const script = options.script === undefined ? null : await readScript(options.script);
  const hasDisplay = process.platform !== "linux" || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  if (script === null && !hasDisplay)
    throw new KnackError(
      "showing.no-display",
      "There is no display to open the window on. Run it in a desktop session, or have a file performed with --script.",
    );
  const env = hasDisplay ? process.env : { ...process.env, KNACK_HEADLESS: "1" };
  return withAgent(
    async (agent) => {
      // Before anybody shows anything in vain. Loaded late, as the agent is, so that help answers at once.
      const { nameForNew, requireTeachable } = await import("#app/skills.ts");
      if (options.name !== undefined) nameForNew(agent.world, options.name);
      if (options.skill !== undefined) requireTeachable(agent.world, options.skill);
      screen.status("opening the window …");
      const showing = await agent.startShowing(goal, options.url, (action) => {
        screen.event({ type: "action-shown", action });
        screen.note(shownLine(action));
      });
      screen.event({ type: "showing-started", showing });
      if (script === null) await untilShown(agent, showing, call);
      else await agent.showing.perform(showing.id, script, call.signal).catch((error: unknown) => dropped(agent, showing.id, error));
      const draft = await agent.finishShowing(showing.id).catch((error: unknown) => dropped(agent, showing.id, error));
      screen.event({ type: "draft-made", draft });
      showDraft(draft, options.skill ?? options.name ?? draft.name, screen);
      return keep(agent, draft, call);
    },
    { env },
  );
}

async function dropped(agent: HostedAgent, showingId: string, error: unknown): Promise<never> {
  await agent.dropShowing(showingId);
  throw error;
}

/** Until the window is closed or Enter is pressed. Ctrl+C throws away what was shown. */
async function untilShown(agent: HostedAgent, showing: Showing, { screen, session, signal }: Call<TeachOptions>): Promise<void> {
  screen.note("Show it in the window. Close the window or press Enter when you are done; Ctrl+C gives up.");
  const lines = createInterface({ input: process.stdin });
  lines.on("SIGINT", session.stop);
  try {
    await Promise.race([
      agent.showing.ended(showing.id),
      new Promise<void>((resolve) => lines.once("line", () => resolve())),
      new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true })),
    ]);
  } catch (error) {
    await dropped(agent, showing.id, error);
  } finally {
    lines.close();
  }
}

function showDraft(draft: Draft, name: string, screen: Screen): void {
  screen.say("");
  screen.say(`Draft "${name}"`, "bold");
  for (const line of playbookLines(draft.body)) screen.say(line);
  if (draft.notes.length > 0) screen.say("");
  for (const note of draft.notes) screen.say(`note: ${note}`);
}

/** Keeps the draft as a skill when the person says so; under another name when they give one. */
async function keep(
  agent: HostedAgent,
  draft: Draft,
  { options, screen, session }: Pick<Call<LearnOptions>, "options" | "screen" | "session">,
): Promise<number> {
  let name = options.name;
  if (!options.yes) {
    if (!isPersonThere())
      throw new KnackError("showing.unconfirmed", "It was not kept, because nobody is here to confirm it; say --yes to keep what is shown.");
    screen.say("");
    const asked =
      options.skill === undefined
        ? `Keep it as "${name ?? draft.name}"? [Y/n, or another name] `
        : `Keep it as the next revision of "${options.skill}"? [Y/n] `;
    const answer = await askPerson(asked, session);
    if (/^no?$/iu.test(answer)) {
      await agent.dropShowing(draft.showingId);
      screen.event({ type: "showing-dropped", showingId: draft.showingId });
      screen.note("Not kept.");
      return 0;
    }
    if (answer !== "" && !/^y(?:es)?$/iu.test(answer)) {
      if (options.skill !== undefined) throw badInput(`Answer y or n; got "${answer}". What was shown is kept as a draft.`);
      name = (await import("#app/skills.ts")).nameForNew(agent.world, answer);
    }
  }
  const { skill } = await agent.confirmShowing(draft.showingId, "user", name, options.skill);
  screen.event({ type: "skill-learned", skill });
  const learned = options.skill === undefined ? `learned "${skill.name}"` : `"${skill.name}" is at revision ${skill.activeRevision} and in use`;
  screen.say(`${learned}${skill.fullyMechanical ? "; it can run without the model: --mode strict" : ""}`, "green");
  return 0;
}
