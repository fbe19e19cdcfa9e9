import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import type { HostedAgent } from "#app/create-agent.ts";
import { foldersOf } from "#app/folders.ts";
import { compactionWords } from "#contract/chat/context.ts";
import type { Send } from "#contract/chat/schema.ts";
import { badInput, KnackError } from "#contract/errors.ts";
import { approverOf, isPersonThere } from "../ask-person.ts";
import { type Call, collect, leaf } from "../leaf.ts";
import { conversationNamed } from "../named-conversation.ts";
import { oneLine } from "../screen.ts";
import type { Session } from "../session.ts";
import { showSummary, showTurn, type TurnSummary } from "../show-turn.ts";
import { unlockerAt } from "../unlocked.ts";
import { withAgent } from "../with-agent.ts";
import { mayContinue } from "./conversations.ts";

const help =
  "/stop  stop the answer   /worked, /wrong  judge the last task   /compact, /uncompact  shorten the prompt   /continue  go on with what was interrupted or stopped   /help  these   /quit  leave";

export function addChat(program: Command, session: Session): void {
  leaf<ChatOptions>(program, session, "chat", "talk, line by line", chat)
    .option("--conversation <id>", "go on with a conversation")
    .option("--allow-host <url>", "grant an address, until it is revoked (repeat for more)", collect);
}

interface ChatOptions {
  readonly conversation?: string;
  readonly allowHost?: readonly string[];
}

async function chat(call: Call<ChatOptions>): Promise<void> {
  const { screen, session, signal, options } = call;
  let isHidden = false;
  const lines = createInterface({ input: process.stdin, output: hideable(() => isHidden), prompt: "you> ", terminal: isPersonThere() });
  const waiting: string[] = [];
  let isOver = false;
  let wake: () => void = () => undefined;
  let answer: ((line: string) => void) | null = null;
  let turn: AbortController | null = null;
  const quit = (): void => {
    isOver = true;
    turn?.abort(new DOMException("stopped", "AbortError"));
    wake();
  };
  // A stop acts at once; a line during an answer waits its turn.
  lines.on("line", (line) => {
    if (answer !== null) answer(line);
    else if (line.trim() === "/stop" && turn !== null) turn.abort(new DOMException("stopped", "AbortError"));
    else waiting.push(line.trim());
    wake();
  });
  lines.on("SIGINT", () => (turn === null ? quit() : turn.abort(new DOMException("stopped", "AbortError"))));
  lines.on("close", () => {
    isOver = true;
    wake();
  });
  signal.addEventListener("abort", quit, { once: true });

  /** A question of the running turn: the next line is its answer. */
  const ask = (question: string, _session: Session, stop: AbortSignal = signal): Promise<string> =>
    new Promise((resolve, reject) => {
      process.stderr.write(question);
      stop.addEventListener("abort", () => reject(stop.reason as Error), { once: true });
      answer = (line) => {
        answer = null;
        resolve(line.trim());
      };
    }).finally(() => (answer = null)) as Promise<string>;

  /** As `ask`, of what nobody may see: nothing of it is shown, and nothing stays in the lines that arrow keys bring back. */
  const askHidden = (question: string): Promise<string> => {
    isHidden = true;
    process.stderr.write(question);
    return new Promise<string>((resolve, reject) => {
      const stop = turn?.signal ?? signal;
      stop.addEventListener("abort", () => reject(stop.reason as Error), { once: true });
      answer = resolve;
    }).finally(() => {
      answer = null;
      isHidden = false;
      (lines as unknown as { history?: string[] }).history?.shift();
      process.stderr.write("\n");
    });
  };

  const next = async (): Promise<string | null> => {
    while (waiting.length === 0 && !isOver) {
      if (isPersonThere()) lines.prompt();
      await new Promise<void>((resolve) => (wake = resolve));
    }
    return signal.aborted ? null : (waiting.shift() ?? null);
  };

  try {
    await withAgent((agent) => talk(agent), { approve: approverOf(screen, session, ask), ...unlockerAt(screen, session, askHidden) });
  } finally {
    lines.close();
  }

  async function talk(agent: HostedAgent): Promise<void> {
    let last: TurnSummary | null = null;
    let conversationId = options.conversation === undefined ? undefined : conversationNamed(agent, options.conversation);
    agent.addGrants([...(options.allowHost ?? [])], "user");
    screen.note(help);
    // While the first line is being typed; what stands in the way is said when it is sent.
    void agent.warm(conversationId, signal).catch(() => undefined);
    const before = conversationId === undefined ? undefined : agent.conversation(conversationId).turns.at(-1);
    if (mayContinue(before)) screen.note(`The last turn was ${before?.status === "stopped" ? "stopped" : "interrupted"}. /continue goes on with it.`, "yellow");
    const downloadFolder = join(foldersOf(process.env).dataFolder, "downloads");
    for (let line = await next(); line !== null && line !== "/quit"; line = await next()) {
      if (line === "") continue;
      try {
        if (line === "/worked" || line === "/wrong") {
          if (last === null) throw badInput("Nothing was done yet that could be judged");
          const episode = agent.judge(last.episodeId, line === "/worked", "user");
          screen.event({ type: "episode-judged", episode });
          screen.note(`noted: ${line === "/worked" ? "it worked" : "it was wrong"}`);
        } else if (line === "/help" || line === "/?") {
          for (const one of help.split(/ {3,}/u)) screen.note(one);
        } else if (line === "/stop") {
          screen.note("Nothing is running.");
        } else if (line === "/compact" || line === "/uncompact") {
          if (conversationId === undefined) throw badInput("Nothing was said yet that could be compacted");
          const made = await (line === "/compact" ? agent.compactConversation(conversationId) : agent.undoCompaction(conversationId));
          screen.event({ type: "conversation-compacted", compaction: made });
          screen.note(compactionWords(made));
        } else if (line.startsWith("/") && line !== "/continue") {
          throw badInput(`There is no ${line.split(" ")[0]}. There are: ${help.replaceAll(/ {2,}/gu, " ")}`);
        } else {
          const started = performance.now();
          turn = new AbortController();
          last = await showTurn(agent.send(sendOf(line, conversationId), turn.signal), screen, downloadFolder);
          if (last === null) continue;
          conversationId = last.conversationId;
          screen.event(last);
          if (last.problem !== null && last.status !== "stopped") screen.warn(`knack: ${last.problem}`);
          else showSummary(last, performance.now() - started, screen);
        }
      } catch (error) {
        // One bad line does not end a conversation.
        if (!(error instanceof KnackError)) throw error;
        screen.warn(`knack: ${oneLine(error.message)}`);
      } finally {
        turn = null;
      }
    }
  }
}

/** The terminal, and nothing of it while something is typed that nobody may see. */
function hideable(isHidden: () => boolean): NodeJS.WriteStream {
  return new Proxy(process.stderr, {
    get(target, name) {
      if (name === "write") return isHidden() ? () => true : target.write.bind(target);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value as (...given: unknown[]) => unknown).bind(target) : value;
    },
  });
}

function sendOf(line: string, conversationId: string | undefined): Send {
  const there = conversationId === undefined ? {} : { conversationId };
  return line === "/continue" ? { text: "Continue", resume: true, ...there } : { text: line, ...there };
}
