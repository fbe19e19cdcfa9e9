import { fail, ok, type Result } from "#base/result.ts";
import type { Call } from "#contract/skills/schema.ts";

const longestCommand = 4000;
const mostWords = 100;
/** What a shell would read as more than a letter; without one it would be handed over as it is, which nobody means. */
const forShells = /[|&;<>`$*?\n\r]/u;

/** A program and its arguments, as they are handed over: no shell reads them. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** The line that a call hands over as its command; "" where it has none. */
export function commandLineOf({ args }: Call): string {
  return typeof args["command"] === "string" ? args["command"] : "";
}

/** Reads one line as a program with its arguments: words parted by spaces, quotes around what belongs together. Says what is wrong with any other. */
export function parseCommand(line: string): Result<Command, string> {
  if (line.length > longestCommand) return fail(`The command is longer than ${longestCommand} characters.`);
  if (line.includes("\0")) return fail("The command has a NUL character in it.");
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] as string;
    if (quote !== "") {
      if (character === quote) quote = "";
      else if (quote === '"' && character === "\\" && /["\\]/u.test(line[at + 1] ?? "")) word = `${word ?? ""}${line[((at += 1))] ?? ""}`;
      else word = `${word ?? ""}${character}`;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (character === " " || character === "\t") {
      if (word !== null) words.push(word);
      word = null;
    } else {
      if (forShells.test(character) || (character === "~" && word === null))
        return fail(
          `Programs are started without a shell, so ${JSON.stringify(character)} means nothing here. Put it in quotes if it is meant as it is; start one program at a time.`,
        );
      word = `${word ?? ""}${character}`;
    }
  }
  if (quote !== "") return fail(`A quote ${quote} is not closed.`);
  if (word !== null) words.push(word);
  const [program = "", ...args] = words;
  if (program === "") return fail("The command names no program.");
  if (words.length > mostWords) return fail(`The command has more than ${mostWords} words.`);
  if (/^[A-Za-z_]\w*=/u.test(program)) return fail("The environment of a program is fixed; begin with the program.");
  return ok({ program, args });
}

/** The name of a program without its folder and its ending. */
export function programName(program: string): string {
  return (program.split(/[\\/]/u).at(-1) ?? "").toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/u, "");
}

const shells = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "csh", "tcsh", "cmd", "powershell", "pwsh", "busybox"]);

/** Whether what is started is a shell, which starts whatever it is told. */
export function isShell({ program }: Command): boolean {
  return shells.has(programName(program));
}
