import type { Command } from "commander";
import { openScreen, type Screen } from "./screen.ts";
import type { Session } from "./session.ts";

/** What a command is given. */
export interface Call<Options> {
  readonly args: readonly string[];
  readonly options: Options;
  readonly screen: Screen;
  readonly signal: AbortSignal;
  readonly session: Session;
}

/** Does a command; a number is the exit code, anything else is 0. */
export type Work<Options> = (call: Call<Options>) => unknown;

/** A command that does something. Every one takes --json. */
export function leaf<Options = object>(parent: Command, session: Session, syntax: string, description: string, work: Work<Options>): Command {
  return parent
    .command(syntax)
    .description(description)
    .option("--json", "JSON on stdout")
    .action(async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const options = command.opts<Options & { json?: boolean }>();
      const args = command.processedArgs.flat().filter((arg): arg is string => typeof arg === "string");
      const code = await work({ args, options, screen: openScreen(options.json === true), signal: session.signal, session });
      session.exit = typeof code === "number" ? code : 0;
    });
}

/** A word that other commands stand behind. */
export function group(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description);
}

/** Options that may be given several times. */
export function collect(value: string, earlier: readonly string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}
