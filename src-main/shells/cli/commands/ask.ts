import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Command, Option } from "commander";
import type { HostedAgent } from "#app/create-agent.ts";
import { foldersOf } from "#app/folders.ts";
import { contextAdvice } from "#contract/chat/context.ts";
import type { Send } from "#contract/chat/schema.ts";
import { badInput } from "#contract/errors.ts";
import { type Mode, modeSchema } from "#contract/skills/schema.ts";
import { approverOf, askPerson, isPersonThere, isYes } from "../ask-person.ts";
import { type Call, collect, leaf } from "../leaf.ts";
import { conversationNamed } from "../named-conversation.ts";
import { wholeNumber } from "../numbers.ts";
import { pathFrom } from "../place.ts";
import { readAttached } from "../read-attached.ts";
import type { Screen } from "../screen.ts";
import { descriptorNumber, secretInput } from "../secret-input.ts";
import type { Session } from "../session.ts";
import { compactHelp, showSummary, showTurn, type TurnSummary } from "../show-turn.ts";
import { unlock, unlockerAt } from "../unlocked.ts";
import { requireUsable } from "../usable-skill.ts";
import { withAgent } from "../with-agent.ts";

export interface AskOptions {
  readonly hint?: string;
  readonly conversation?: string;
  readonly allowHost?: readonly string[];
  readonly workspace?: string;
  readonly maxSteps?: number;
  /** False with --no-skills. */
  readonly skills?: boolean;
  readonly skill?: string;
  readonly takeSuggestion?: boolean;
  readonly confirm?: "yes" | "no";
  readonly mode?: Mode;
  readonly handOver?: boolean;
  readonly passphraseFd?: number;
  readonly attach?: readonly string[];
}

/** Shared by the commands that may run a skill. */
export const modeHelp = "how a skill is followed: by the model, by code with the model's help, or by code alone";
export const handOverHelp = "where a strict run halts, go on with the model";

export function addAsk(program: Command, session: Session): void {
  leaf<AskOptions>(program, session, "ask <goal>", "have something done", ask)
    .option("--hint <how>", "advice on how to do it")
    .option("--conversation <id>", "go on with a conversation")
    .option("--allow-host <url>", "grant an address, until it is revoked (repeat for more)", collect)
    .option("--attach <file>", "a text file that goes with the message (repeat for more)", collect)
    .option("--workspace <dir>", "grant a folder to work in; downloads go there")
    .option("--max-steps <n>", "stop after so many steps", wholeNumber(1, 100))
    .option("--no-skills", "without what was learned")
    .option("--skill <name>", "use this skill")
    .option("--take-suggestion", "use a skill that only may fit")
    .addOption(new Option("--confirm <answer>", "say whether it worked").choices(["yes", "no"]))
    .addOption(new Option("--mode <mode>", modeHelp).choices(modeSchema.options))
    .option("--hand-over", handOverHelp)
    .option("--passphrase-fd <n>", "unlock the vault for this task, with a passphrase from this file descriptor", descriptorNumber);
}

async function ask(call: Call<AskOptions>): Promise<number> {
  const { options } = call;
  const text = (call.args[0] ?? "").trim();
  if (text === "") throw badInput('Say what to do: knack ask "Download my June bill from https://portal.example"');
  if (options.skills === false && (options.skill !== undefined || options.takeSuggestion))
    throw badInput("--no-skills goes with neither --skill nor --take-suggestion");
  const workspace = options.workspace === undefined ? undefined : await folderAt(options.workspace);
  const attachments = await Promise.all((options.attach ?? []).map(readAttached));
  return withAgent(
    async (agent) => {
      // Everything that can be wrong is found before anything is stored.
      const conversation = options.conversation === undefined ? undefined : conversationNamed(agent, options.conversation);
      if (options.skill !== undefined) requireUsable(agent.skill(options.skill), options.mode, {});
      agent.addGrants([...(options.allowHost ?? []), ...(workspace === undefined ? [] : [workspace])], "user");
      if (options.passphraseFd !== undefined) await unlock(agent, secretInput(call.session, options.passphraseFd));
      const sent = sendOf(text, conversation === undefined ? options : { ...options, conversation }, workspace);
      return runAsked(agent, { ...sent, ...(attachments.length === 0 ? {} : { attachments }) }, call);
    },
    { approve: approverOf(call.screen, call.session), ...unlockerAt(call.screen, call.session) },
  );
}

/** One turn from its message to its exit code: 0 done or answered, 1 failed, 3 refused. */
export async function runAsked(
  agent: HostedAgent,
  input: Send,
  call: Pick<Call<Pick<AskOptions, "confirm" | "handOver">>, "screen" | "signal" | "session" | "options">,
): Promise<number> {
  const { screen, signal, session, options } = call;
  const started = performance.now();
  const downloadFolder = input.workspace ?? join(foldersOf(process.env).dataFolder, "downloads");
  const resumed = async (halted: TurnSummary): Promise<TurnSummary> => {
    screen.event(halted);
    const goOn: Send = { text: "Go on with the model", conversationId: halted.conversationId, resume: true };
    return (await showTurn(agent.send(goOn, signal), screen, downloadFolder)) ?? halted;
  };
  const first = await showTurn(agent.send(input, signal), screen, downloadFolder);
  if (first === null) return 1;
  const ended = first.mayResume && (options.handOver || (await isWanted(session, screen))) ? await resumed(first) : first;
  const summary =
    options.confirm === undefined || ended.status === "stopped" || ended.problem !== null ? ended : judged(agent, ended, options.confirm === "yes");
  screen.event(summary);
  if (summary.problem !== null && summary.status !== "stopped") {
    screen.warn(`knack: ${summary.problem}`);
    const advice = summary.context && contextAdvice(summary.context, compactHelp(summary.conversationId));
    if (advice) screen.note(`  ${advice}`);
    return 1;
  }
  showSummary(summary, performance.now() - started, screen);
  screen.note(`  go on with --conversation ${summary.conversationId}`);
  if (summary.refused && options.confirm === undefined) return 3;
  return summary.outcome === "failure" ? 1 : 0;
}

/** Whether the person at the terminal wants the model to go on; nobody there wants nothing. */
async function isWanted(session: Session, screen: Screen): Promise<boolean> {
  if (screen.json || !isPersonThere()) return false;
  return isYes(await askPerson("Go on with the model from here? [y/N] ", session));
}

function judged(agent: HostedAgent, summary: TurnSummary, worked: boolean): TurnSummary {
  const episode = agent.judge(summary.episodeId, worked, "user");
  return { ...summary, outcome: episode.outcome, reason: episode.reason };
}

function sendOf(text: string, options: AskOptions, workspace: string | undefined): Send {
  return {
    text,
    ...(options.conversation === undefined ? {} : { conversationId: options.conversation }),
    ...(options.hint === undefined ? {} : { hint: options.hint }),
    ...(options.skill === undefined ? {} : { skill: options.skill }),
    ...(options.takeSuggestion ? { takeSuggestion: true } : {}),
    ...(options.skills === false ? { noSkills: true } : {}),
    ...(options.mode === undefined ? {} : { mode: options.mode }),
    ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
    ...(workspace === undefined ? {} : { workspace }),
  };
}

async function folderAt(given: string): Promise<string> {
  const folder = pathFrom(given);
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw badInput(`${given} is no folder; --workspace takes a folder that is there`);
  return folder;
}
