import type { Command } from "commander";
import type { HostedAgent } from "#app/create-agent.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Draft, Showing } from "#contract/learning/schema.ts";
import { givenText } from "../given-text.ts";
import { checkKeeping, checkNames, type KeepOptions, settleDraft } from "../keep-draft.ts";
import { type Call, leaf } from "../leaf.ts";
import { wholeNumber } from "../numbers.ts";
import { type RecordOptions, readPerformance, recordShowing } from "../record-showing.ts";
import type { Session } from "../session.ts";
import { plural, timeText } from "../units.ts";
import { withAgent } from "../with-agent.ts";

interface TeachOptions extends KeepOptions, RecordOptions {
  readonly url?: string;
  readonly confirm?: string;
  readonly drop?: string;
}

interface RepairOptions extends KeepOptions, RecordOptions {
  readonly goal?: string;
  readonly step?: number;
  readonly toTheEnd?: boolean;
}

/** What a file for --script may hold. */
const scriptHelp = `
A file for --script is a JSON array; each line is one action, performed with real mouse and keyboard:
  ["open", "https://portal.example/bills"]
  ["click", "link", "Billing"]               role and name, as a screen reader says them
  ["click", "button", "Renew", "Night Ferries"]   the one in the row that says so
  ["fill", "Amount", "12.50"]                a field by its name; a fourth text names its row
  ["select", "Month", "April"]               a list, and one of its options
  ["press", "Enter"]
It begins at --url. Where a line cannot be performed it stops: what was shown until then is kept as a showing that
broke off, and can be kept (--confirm) or forgotten (--drop). See: knack skills showings`;

export function addTeach(skills: Command, session: Session): void {
  leaf<TeachOptions>(skills, session, "teach [goal]", "show it once in a window, and it is learned", teach)
    .option("--url <url>", "where to begin")
    .option("--name <name>", "what to call it")
    .option("--skill <name>", "have it take the place of what this skill does")
    .option("--together", "with --skill: align it with the showings and good runs of that skill")
    .option("--script <file>", 'have the steps of a JSON file performed: [["click", "link", "Billing"], …]')
    .option("--edit", "change the draft in your editor (VISUAL, EDITOR) before it is kept")
    .option("--draft-to <file>", "write the draft to a file instead of keeping it")
    .option("--confirm <showing>", "keep a showing that was left: see knack skills showings")
    .option("--from <file>", "with --confirm: as this changed file of the draft says")
    .option("--drop <showing>", "forget a showing that was left")
    .option("--yes", "keep it without asking")
    .addHelpText("after", scriptHelp);

  leaf<RepairOptions>(skills, session, "repair <name>", "show only the step that stopped working", repair)
    .option("--goal <goal>", "what to show it with, with its values; by default what it was shown with")
    .option("--step <n>", "the step to show; by default the one that last failed", wholeNumber(1, 1000))
    .option("--to-the-end", "what is shown goes to the end, and nothing after it goes on as before")
    .option("--script <file>", "have the steps of a JSON file performed")
    .option("--edit", "change the draft in your editor before it is kept")
    .option("--draft-to <file>", "write the draft to a file instead of keeping it")
    .option("--yes", "keep it without asking")
    .addHelpText("after", scriptHelp);

  leaf(skills, session, "showings", "what was shown and not kept or dropped yet", ({ screen }) =>
    withAgent((agent) => {
      const left = agent.showings().filter(({ status }) => status !== "confirmed" && status !== "dropped");
      if (screen.json) return screen.show(left, () => []);
      if (left.length === 0) return screen.say("Nothing is left over from showing.");
      screen.table(
        [{ head: "SHOWING" }, { head: "STATUS" }, { head: "WHEN" }, { head: "SHOWN" }, { head: "GOAL" }],
        left.map(({ id, status, createdAt, actions, goal }) => [id, status, timeText(createdAt), plural(actions.length, "action"), goal]),
      );
      screen.note("Keep one with: knack skills teach --confirm SHOWING   forget it with: knack skills teach --drop SHOWING");
    }),
  );

  leaf<LearnOptions>(skills, session, "learn <conversation>", "learn the newest task of a conversation that went well", learnOne)
    .option("--worked", "its newest task went well: you say so now")
    .option("--name <name>", "what to call it")
    .option("--skill <name>", "have it take the place of what this skill does")
    .option("--edit", "change the draft in your editor before it is kept")
    .option("--draft-to <file>", "write the draft to a file instead of keeping it")
    .option("--yes", "keep it without asking");
}

type LearnOptions = Pick<TeachOptions, "name" | "skill" | "yes" | "edit" | "draftTo"> & { readonly worked?: boolean };

/** The draft from a conversation, and once confirmed the skill. One that means the same already becomes the next revision of that one, unless it is given a name. */
async function learnOne(call: Call<LearnOptions>): Promise<number> {
  const { options, screen } = call;
  checkKeeping(options);
  return withAgent(async (agent) => {
    await checkNames(agent, options);
    const draft = await agent.learnFrom(call.args[0] ?? "", options.worked === true, "user").catch((error: unknown) => {
      if (error instanceof KnackError && (error.code === "learn.unconfirmed" || error.code === "learn.failed"))
        throw new KnackError(error.code, `${error.message} If it did: knack skills learn ${call.args[0]} --worked`, { exit: error.exit });
      throw error;
    });
    const skill = options.skill ?? (options.name === undefined ? draft.sameAs?.name : undefined);
    if (draft.sameAs && options.skill === undefined && options.name === undefined && options.yes)
      throw await dropAnd(
        agent,
        draft,
        badInput(
          `"${draft.sameAs.name}" (${draft.sameAs.status}) does the same. Say --skill ${draft.sameAs.name} to make this its next revision, or --name for a skill of its own.`,
        ),
      );
    if (draft.sameAs && skill === draft.sameAs.name)
      screen.say(
        `note: "${skill}" (${draft.sameAs.status}, revision ${draft.sameAs.revision}) does the same; this would be its next revision. For a skill of its own give --name`,
      );
    return settleDraft(agent, draft, { ...call, options: { ...options, ...(skill === undefined ? {} : { skill }) } });
  });
}

/** A draft that nobody asked for is made anew at any time. */
async function dropAnd(agent: HostedAgent, { showingId }: Draft, error: Error): Promise<Error> {
  await agent.dropShowing(showingId);
  return error;
}

async function teach(call: Call<TeachOptions>): Promise<number> {
  const { options } = call;
  const goal = (call.args[0] ?? "").trim();
  if (options.together && options.skill === undefined) throw badInput("--together aligns with a skill; name it with --skill");
  if (options.from !== undefined && options.confirm === undefined) throw badInput("--from is a changed draft; name its showing with --confirm");
  checkKeeping(options);
  const left = options.confirm ?? options.drop;
  if (left !== undefined) {
    if (options.confirm !== undefined && options.drop !== undefined) throw badInput("--confirm keeps a showing and --drop forgets it; give one of them");
    if (goal !== "" || options.url !== undefined || options.script !== undefined)
      throw badInput("--confirm and --drop are for what was shown already; leave out goal, --url and --script");
    return withAgent((agent) => takeUp(agent, left, call));
  }
  if (goal === "")
    throw badInput('Say what you are about to show, with its values: knack skills teach "Download the April 2026 invoice" --url https://portal.example');
  const { url = "" } = options;
  if (url === "") throw badInput("Say where it begins: --url https://portal.example");
  if (!URL.canParse(url) || !/^https?:$/u.test(new URL(url).protocol))
    throw badInput(`"${url}" is no address; expected one that starts with https:// or http://`);
  const { script, env } = await readPerformance(options);
  return withAgent(
    async (agent) => {
      await checkNames(agent, options);
      const draft = await recordShowing(
        agent,
        call,
        script,
        (onAction) => agent.startShowing(goal, url, onAction),
        (showing) => finished(agent, showing, call),
      );
      return settleDraft(agent, draft, call);
    },
    { env },
  );
}

/** What nothing can be made of is forgotten; what cannot be aligned stays a showing of its own. */
async function finished(agent: HostedAgent, { id }: Showing, { options }: Call<TeachOptions>): Promise<Draft> {
  const draft = await agent.finishShowing(id).catch(async (error: unknown) => {
    await agent.dropShowing(id);
    throw error;
  });
  return options.together ? aligned(agent, id, options.skill ?? "") : draft;
}

function aligned(agent: HostedAgent, id: string, skill: string): Promise<Draft> {
  return keptOnFailure(id, agent.finishShowing(id, { together: skill }));
}

/** What could not be aligned stays a showing; says so. */
function keptOnFailure(id: string, draft: Promise<Draft>): Promise<Draft> {
  return draft.catch((error: unknown) => {
    if (!(error instanceof KnackError) || error.code === "bad-input") throw error;
    throw new KnackError(error.code, `${error.message} The showing is kept: knack skills teach --confirm ${id}`, { exit: error.exit });
  });
}

/** A showing that was left: of another day, of a window that was closed, or of a host that ended. */
async function takeUp(agent: HostedAgent, id: string, call: Call<TeachOptions>): Promise<number> {
  const { options, screen } = call;
  if (options.drop !== undefined) {
    await agent.dropShowing(id);
    screen.show({ dropped: id }, () => ["dropped"]);
    return 0;
  }
  await checkNames(agent, options);
  const file = options.from === undefined ? undefined : await givenText(options.from);
  const finish = options.together ? { together: options.skill ?? "" } : {};
  // Looked at first: a draft that somebody left stays as it is until somebody says yes.
  const looked = agent.showing.preview(id, { ...finish, ...(file === undefined ? {} : { file }) });
  const draft = await (options.together ? keptOnFailure(id, looked) : looked);
  return settleDraft(agent, draft, call, async () => {
    if (options.together) await agent.finishShowing(id, finish);
    if (file !== undefined) await agent.takeDraftFile(id, file);
  });
}

async function repair(call: Call<RepairOptions>): Promise<number> {
  const { options, args } = call;
  checkKeeping(options);
  const { script, env } = await readPerformance(options);
  const wish = { ...(options.goal === undefined ? {} : { goal: options.goal }), ...(options.step === undefined ? {} : { step: options.step }) };
  return withAgent(
    async (agent) => {
      const draft = await recordShowing(
        agent,
        call,
        script,
        (onAction) => agent.startRepair(args[0] ?? "", wish, onAction),
        ({ id }) =>
          agent.finishShowing(id, options.toTheEnd ? { asBefore: false } : {}).catch(async (error: unknown) => {
            await agent.dropShowing(id);
            throw error;
          }),
      );
      return settleDraft(agent, draft, call);
    },
    { env },
  );
}
