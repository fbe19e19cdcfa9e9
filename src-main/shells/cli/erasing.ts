import type { Command } from "commander";
import { type Erasure, erasureWords } from "#contract/conversations/erasure.ts";

/** What every command that erases may be told. */
export interface Erasing {
  readonly yes?: boolean;
  readonly backups?: boolean;
}

export function withErasing(command: Command): Command {
  return command.option("--yes", "do not ask").option("--backups", "erase the backups that hold it too, and make a new one");
}

/** What an erasing came to, and the way to what still holds it. */
export function erasedLines(erasure: Erasure): string[] {
  return [...erasureWords(erasure), ...(erasure.backups > 0 ? ["Erase those too with: knack backup erase"] : [])];
}
