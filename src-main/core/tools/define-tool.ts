import type { z } from "zod";
import type { Primitive } from "#contract/grants/schema.ts";
import type { BrowserSession, DownloadedFile, PageView } from "../ports/browser.ts";
import type { Credentials } from "../ports/credentials.ts";
import type { MemoryKeeper } from "../ports/memory-keeper.ts";
import type { FetchedPage } from "../ports/page-reader.ts";
import type { ProgramEnd, ProgramRequest } from "../ports/programs.ts";
import type { SkillKeeper } from "../ports/skill-keeper.ts";
import type { Workspace } from "../ports/workspace.ts";

/** What a tool may reach while it runs. */
export interface ToolContext {
  /** The browser of this task; started at its first use. */
  readonly browser: () => Promise<BrowserSession>;
  /** Reads a page without a browser, under the grants and what the skill in charge declares; absent where that cannot be done. */
  readonly fetchPage?: (url: string, signal: AbortSignal) => Promise<FetchedPage>;
  /** What a login gets its values by; absent where there is no vault. */
  readonly credentials?: Credentials;
  readonly workspace: Workspace | null;
  /** Starts a program in that folder within the time the user set; absent where none can be started. */
  readonly programs?: (request: Omit<ProgramRequest, "seconds">, signal: AbortSignal) => Promise<ProgramEnd>;
  /** Null where memory is switched off. */
  readonly memory: MemoryKeeper | null;
  /** Null where learning is switched off. */
  readonly skills: SkillKeeper | null;
  readonly now: () => number;
  readonly makeId: () => string;
  readonly signal: AbortSignal;
}

/** A result has two faces: `text` for the model, `details` for the screen. */
export interface ToolResult {
  readonly text: string;
  /** How far `text` is in Knack's own words, where it goes on with somebody else's: the model reads the rest as data, between fences. */
  readonly said?: string;
  /** What the trace keeps instead, where `text` quotes what a person may have erased elsewhere. */
  readonly record?: string;
  /** Where `text` came from, for text of somebody else's: the model reads it as data of that origin, between fences. */
  readonly origin?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The page after the call, when the tool works on one. */
  readonly page?: PageView;
  readonly downloads?: readonly DownloadedFile[];
  /** Files of the folder as they are after the call, looked at again; what a `file` check compares. */
  readonly files?: readonly { readonly path: string; readonly text?: string }[];
  /** What a `result` check of a skill compares: the value a field now holds, the text that was read. */
  readonly value?: string;
  /** Set by tools that end the turn: what the user is told. */
  readonly says?: string;
}

/** A trusted primitive. */
export interface Tool<Args extends z.ZodType = z.ZodType> {
  readonly id: string;
  /** Permission it needs; null for tools that touch nothing (reply, ask_user). */
  readonly primitive: Primitive | null;
  /** It looks and changes nothing; absent for tools that are built in, where the gates know. */
  readonly readOnly?: boolean;
  /** Who brought it, such as "mcp:calendar"; absent for tools that are built in. */
  readonly author?: string;
  /** One line in the kernel of the prompt. */
  readonly description: string;
  readonly args: Args;
  run(args: z.output<Args>, context: ToolContext): Promise<ToolResult>;
}

export function defineTool<Args extends z.ZodType>(tool: Tool<Args>): Tool {
  return tool as unknown as Tool;
}
