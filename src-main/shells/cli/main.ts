import { type Command, CommanderError } from "commander";
import { foldersOf } from "#app/folders.ts";
import { KnackError } from "#contract/errors.ts";
import { buildProgram } from "./program.ts";
import { oneLine } from "./screen.ts";
import { openSession } from "./session.ts";

const session = openSession();
const program = buildProgram(session);
// A reader that went away (knack … | head) is a normal end.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

try {
  if (process.argv.length <= 2) program.outputHelp();
  else await program.parseAsync();
} catch (error) {
  session.exit = session.signal.aborted ? 130 : report(error);
}
await new Promise((resolve) => process.stdout.write("", resolve));
// The model's library keeps threads; nothing waits for them.
process.exit(session.signal.aborted ? 130 : session.exit);

/** The one place where an error becomes a line and an exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    say(usageText(error));
    return 2;
  }
  if (error instanceof KnackError) {
    say(error.message);
    return error.exit;
  }
  say(
    `Something in Knack itself went wrong: ${error instanceof Error ? error.message : String(error)}. The log is in ${foldersOf(process.env).dataFolder}/logs`,
  );
  return 1;
}

function say(message: string): void {
  process.stderr.write(`knack: ${oneLine(message)}\n`);
}

/** What commander found wrong, in one line with the way on. */
function usageText({ code, message }: CommanderError): string {
  const { path, commands } = commandOf(process.argv.slice(2));
  const names = commands.map((command) => command.name()).filter((name) => name !== "help");
  const said = oneLine(message.replace(/^error: /u, "").replace(/\n\(Did you mean (.*?)\?\)/u, ". Did you mean $1?"));
  if (code === "commander.help") return `say what: ${path} ${names.join("|")}`;
  if (code === "commander.unknownCommand" && !said.includes("Did you mean")) return `${said}. There are: ${names.join(", ")}`;
  return `${said.replace(/([^.?])$/u, "$1.")} See: ${path} --help`;
}

/** The command the words lead to, as far as they do. */
function commandOf(words: readonly string[]): { path: string; commands: readonly Command[] } {
  let command = program;
  let path = "knack";
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
    path += ` ${word}`;
  }
  return { path, commands: command.commands };
}
