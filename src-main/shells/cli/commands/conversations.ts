import { readFile, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import type { ConversationDetail } from "#app/agent.ts";
import { clip, fold, squash } from "#base/text.ts";
import { compactionWords, contextAdvice, contextWords } from "#contract/chat/context.ts";
import type { Step } from "#contract/chat/schema.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import type { Explanation } from "#contract/skills/explain.ts";
import { approverOf, isAgreed } from "../ask-person.ts";
import { type Erasing, erasedLines, withErasing } from "../erasing.ts";
import { group, leaf } from "../leaf.ts";
import { conversationNamed } from "../named-conversation.ts";
import { wholeNumber } from "../numbers.ts";
import { pathFrom } from "../place.ts";
import type { Session } from "../session.ts";
import { compactHelp } from "../show-turn.ts";
import { isAct, stepLine } from "../turn-lines.ts";
import { plural, timeText } from "../units.ts";
import { unlockerAt } from "../unlocked.ts";
import { withAgent } from "../with-agent.ts";
import { type AskOptions, runAsked } from "./ask.ts";

export function addConversations(program: Command, session: Session): void {
  const conversations = group(program, "conversations", "what was said and done");

  leaf(conversations, session, "list", "newest first", ({ screen }) =>
    withAgent((agent) => {
      const all = agent.conversations();
      if (screen.json) return screen.show(all, () => []);
      if (all.length === 0) return screen.say('No conversations yet. Start one with: knack ask "…"');
      screen.table(
        [{ head: "ID" }, { head: "LAST USED" }, { head: "TITLE" }],
        all.map((one) => [one.id, timeText(one.updatedAt), one.title]),
      );
    }),
  );

  leaf<{ step?: number; turn?: string }>(conversations, session, "show <id>", "one, with its steps", ({ screen, args: [which = ""], options }) =>
    withAgent((agent) => {
      const detail = agent.conversation(conversationNamed(agent, which));
      if (options.step !== undefined) {
        const step = stepOf(detail, options.step, options.turn);
        const { text } = agent.stepResult(step.id);
        return screen.json ? screen.show({ step, result: text }, () => []) : screen.write(text.endsWith("\n") ? text : `${text}\n`);
      }
      if (options.turn !== undefined) throw badInput("--turn goes with --step");
      const why = detail.turns.map((turn) => agent.why(turn.id));
      screen.show({ ...detail, why }, () => conversationLines(detail, why));
    }),
  )
    .option("--step <n>", "the whole result of step n of its newest turn that has one", wholeNumber(1, 10_000))
    .option("--turn <id>", "of this turn");

  leaf<Pick<AskOptions, "confirm" | "handOver" | "workspace">>(
    conversations,
    session,
    "continue <id>",
    "go on with a turn that was interrupted, or that you stopped",
    (call) => {
      const [which = ""] = call.args;
      return withAgent(
        (agent) => {
          const id = conversationNamed(agent, which);
          const { turns } = agent.conversation(id);
          if (!mayContinue(turns.at(-1)))
            throw new KnackError(
              "turn.none-interrupted",
              `The last turn of this conversation was neither interrupted nor stopped. Say what to do next with: knack ask "…" --conversation ${id}`,
            );
          return runAsked(agent, { text: "Continue", conversationId: id, resume: true }, call);
        },
        { approve: approverOf(call.screen, call.session), ...unlockerAt(call.screen, call.session) },
      );
    },
  );

  leaf<{ undo?: boolean }>(
    conversations,
    session,
    "compact <id>",
    "put a short text in the place of older turns in its prompt; everything is kept",
    ({ screen, args: [which = ""], options }) =>
      withAgent(async (agent) => {
        const id = conversationNamed(agent, which);
        screen.status("compacting …");
        const made = await (options.undo ? agent.undoCompaction(id) : agent.compactConversation(id));
        screen.status(null);
        const after = options.undo ? [] : ["In their place stands:", ...made.text.split("\n"), `Undo it with: knack conversations compact ${id} --undo`];
        screen.show(made, () => [compactionWords(made), ...after]);
      }),
  ).option("--undo", "take its newest compaction back");

  leaf(conversations, session, "search <words...>", "messages that hold these words, best first", ({ screen, args }) =>
    withAgent((agent) => {
      const found = agent.searchMessages(args.join(" "));
      if (screen.json) return screen.show(found, () => []);
      if (found.length === 0) return screen.say("No message contains that.");
      screen.table(
        [{ head: "CONVERSATION" }, { head: "TITLE" }, { head: "WHO" }, { head: "PLACE" }],
        found.map(({ conversationId, title, role, excerpt }) => [
          conversationId,
          clip(title, 30),
          role === "user" ? "you" : "knack",
          squash(excerpt.map(({ text, isHit }) => (isHit ? `*${text}*` : text)).join("")),
        ]),
      );
    }),
  );

  leaf(conversations, session, "folders", "the folders of conversations", ({ screen }) =>
    withAgent((agent) => {
      const folders = agent.folders().map((folder) => ({
        ...folder,
        conversations: agent.conversations().filter(({ folderId }) => folderId === folder.id).length,
      }));
      if (screen.json) return screen.show(folders, () => []);
      if (folders.length === 0) return screen.say("No folders yet. Put a conversation into one with: knack conversations move ID --to NAME");
      screen.table(
        [{ head: "NAME" }, { head: "CONVERSATIONS", right: true }],
        folders.map(({ name, conversations: count }) => [name, String(count)]),
      );
    }),
  );

  leaf<{ to?: string }>(
    conversations,
    session,
    "move <id>",
    "into a folder, made where there is none of that name, or out of its folder",
    ({ screen, args: [which = ""], options }) =>
      withAgent((agent) => {
        const id = conversationNamed(agent, which);
        const { title } = agent.conversation(id, { last: 1 }).conversation;
        const { to } = options;
        const folder = to === undefined ? null : (agent.folders().find(({ name }) => fold(name) === fold(to)) ?? agent.addFolder(to));
        const moved = agent.moveConversation(id, folder?.id ?? null);
        screen.show(moved, () => [folder === null ? `"${title}" is in no folder` : `"${title}" is in "${folder.name}"`]);
      }),
  ).option("--to <folder>", "the folder's name; without it the conversation is taken out of its folder");

  leaf(conversations, session, "remove-folder <name>", "what is in it stays, in no folder", ({ screen, args: [name = ""] }) =>
    withAgent((agent) => {
      const folder = agent.folders().find((one) => fold(one.name) === fold(name));
      if (folder === undefined) throw badInput(`There is no folder "${name}"; see: knack conversations folders`);
      agent.removeFolder(folder.id);
      screen.show({ removed: folder }, () => [`removed "${folder.name}"; what was in it stays`]);
    }),
  );

  leaf(conversations, session, "rename <id> <title...>", "give it another title", ({ screen, args: [which = "", ...words] }) =>
    withAgent((agent) => {
      const id = conversationNamed(agent, which);
      agent.renameConversation(id, words.join(" "));
      const { conversation } = agent.conversation(id, { last: 1 });
      screen.show(conversation, () => [`called "${conversation.title}"`]);
    }),
  );

  leaf(conversations, session, "import <file>", "one that was exported as JSON; Knack learns nothing from it", ({ screen, args: [name = ""] }) =>
    withAgent(async (agent) => {
      const file = pathFrom(name);
      const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
        throw badInput(error.code === "ENOENT" ? `There is no file ${file}` : `${file} could not be read (${error.code ?? error.message})`);
      });
      const made = agent.importConversation(text);
      screen.show(made, () => [`imported "${made.title}" as ${made.id}`]);
    }),
  );

  leaf<{ out?: string }>(
    conversations,
    session,
    "export <id>",
    "as Markdown, or with --json as JSON that can be imported",
    ({ screen, args: [which = ""], options }) =>
      withAgent(async (agent) => {
        const id = conversationNamed(agent, which);
        const { text } = agent.exportConversation(id, screen.json ? "json" : "markdown");
        if (options.out === undefined) return screen.json ? screen.show(JSON.parse(text), () => []) : screen.show(text, () => text.trimEnd().split("\n"));
        const file = pathFrom(options.out);
        await writeFile(file, text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
          throw new KnackError(
            "export.failed",
            error.code === "EEXIST" ? `${file} is there already; name another file` : `${file} could not be written (${error.code ?? error.message})`,
          );
        });
        screen.show({ exported: id, file }, () => [`exported to ${file}`]);
      }),
  ).option("--out <file>", "write it there; an existing file is left alone");

  withErasing(
    leaf<Erasing>(
      conversations,
      session,
      "delete <id>",
      "remove one with everything in it, and what was learned from it alone",
      ({ screen, args: [which = ""], options }) =>
        withAgent(async (agent) => {
          const id = conversationNamed(agent, which);
          const { conversation } = agent.conversation(id);
          if (!options.yes && !(await isAgreed(`Delete "${conversation.title}"? It cannot be undone.`, session))) return screen.note("Left as it is.");
          const erasure = await agent.deleteConversation(id, options.backups === true);
          screen.show({ deleted: id, ...erasure }, () => [`deleted "${conversation.title}"`, ...erasedLines(erasure)]);
        }),
    ),
  );

  withErasing(
    leaf<Erasing>(
      conversations,
      session,
      "erase-episode <id>",
      "forget one task of a conversation; show names its tasks",
      ({ screen, args: [id = ""], options }) =>
        withAgent(async (agent) => {
          const { episodeOf } = await import("#app/erase-conversation.ts");
          const { goal } = episodeOf(agent.world, id);
          if (!options.yes && !(await isAgreed(`Forget "${clip(goal, 80)}" (task ${id}) with its messages and steps? It cannot be undone.`, session)))
            return screen.note("Left as it is.");
          const erasure = await agent.eraseEpisode(id, options.backups === true);
          screen.show({ erased: id, ...erasure }, () => [`forgot task ${id}`, ...erasedLines(erasure)]);
        }),
    ),
  );

  leaf(conversations, session, "keep [days]", 'for how many days unused ones are kept, or "all"', ({ screen, args: [days] }) => {
    const keepDays = days === undefined ? undefined : days === "all" ? null : wholeNumber(1, 36_500)(days);
    return withAgent((agent) => {
      const now = keepDays === undefined ? agent.settings() : agent.changeSettings({ keepDays });
      screen.show({ keepDays: now.keepDays }, () => [
        now.keepDays === null
          ? "every conversation is kept"
          : `conversations nobody used for ${plural(now.keepDays, "day")} are let go of; what was learned from them stays`,
      ]);
    });
  });
}

/** A step by the number it is shown with. Throws bad-input where there is none. */
function stepOf({ steps, turns }: ConversationDetail, number: number, turnId: string | undefined): Step {
  if (turnId !== undefined && !turns.some(({ id }) => id === turnId)) throw badInput(`This conversation has no turn ${turnId}`);
  const numbered = steps.filter((step) => step.index === number - 1 && (turnId === undefined || step.turnId === turnId));
  // What was only said has no number on the screen; it is meant where nothing was done.
  const among = numbered.some(isAct) ? numbered.filter(isAct) : numbered;
  const found = turns.toReversed().flatMap(({ id }) => among.find((step) => step.turnId === id) ?? [])[0];
  if (found === undefined) throw badInput(turnId === undefined ? `No turn of this conversation has a step ${number}` : `That turn has no step ${number}`);
  return found;
}

function conversationLines(
  { conversation, messages, steps, turns, episodes, context, compactions }: ConversationDetail,
  why: readonly Explanation[],
): string[] {
  const lines = [conversation.title, `${conversation.id}, last used ${timeText(conversation.updatedAt)}`];
  if (context !== null) {
    const advice = contextAdvice(context, compactHelp(conversation.id));
    lines.push(`${contextWords(context)}${advice === null ? "" : `. ${advice}`}`);
  }
  for (const turn of turns) {
    const ofTurn = messages.filter((message) => message.turnId === turn.id);
    const episode = episodes.find((one) => one.id === turn.episodeId);
    lines.push("");
    for (const message of ofTurn.filter((one) => one.role === "user")) lines.push(...saidLines("you", message.text));
    for (const step of steps.filter((one) => one.turnId === turn.id && isAct(one))) lines.push(`       ${stepLine(step)}`);
    for (const message of ofTurn.filter((one) => one.role === "assistant"))
      lines.push(...saidLines("knack", `${message.text}${message.status === "complete" ? "" : " [cut off]"}`));
    const told = why.find(({ turnId }) => turnId === turn.id);
    if (told) lines.push(`       why    ${told.answer}`);
    lines.push(`       turn   ${turn.id}, task ${turn.episodeId}`);
    for (const step of steps.filter((one) => one.turnId === turn.id && isCut(one)))
      lines.push(`       step ${step.index + 1} is cut; all of it: knack conversations show ${conversation.id} --step ${step.index + 1} --turn ${turn.id}`);
    lines.push(`       ${endedText(turn.status, episode)}`);
    for (const made of compactions.filter(({ throughTurnId }) => throughTurnId === turn.id))
      lines.push("", `${timeText(made.undoneAt ?? made.madeAt)}  ${compactionWords(made)}`);
  }
  const last = turns.at(-1);
  if (mayContinue(last))
    lines.push("", `It was ${last?.status === "stopped" ? "stopped" : "interrupted"}. Go on with: knack conversations continue ${conversation.id}`);
  return lines;
}

/** Talk has no outcome to tell of. */
function endedText(status: string, episode: ConversationDetail["episodes"][number] | undefined): string {
  if (status === "done" && episode?.outcome === "abandoned") return "answered";
  return `${status}${episode?.outcome ? `, ${episode.outcome}` : ""}${episode?.reason ? ` (${episode.reason})` : ""}`;
}

/** Whether a turn ended before its answer did, so that it can be gone on with. */
export function mayContinue(turn: ConversationDetail["turns"][number] | undefined): boolean {
  return turn?.status === "interrupted" || turn?.status === "stopped";
}

function isCut({ details }: Step): boolean {
  return typeof details.leftOut === "number";
}

/** A message under who said it; its own lines are kept, indented, so that none looks like one of ours. */
function saidLines(who: string, text: string): string[] {
  return text.split("\n").map((line, index) => `${(index === 0 ? who : "").padEnd(7)}${line}`);
}
