import type { MakeId } from "#base/clock.ts";
import type { Message, Turn, TurnEvent } from "#contract/chat/schema.ts";
import type { Grant } from "#contract/grants/schema.ts";
import type { Fact } from "#contract/memory/schema.ts";
import type { Settings } from "#contract/settings/schema.ts";
import type { Capabilities, Run } from "#contract/skills/schema.ts";
import type { AddressKind } from "../envelope/index.ts";
import type { Objector } from "../gates/index.ts";
import type { Approver } from "../ports/approver.ts";
import type { BrowserSession, PageView } from "../ports/browser.ts";
import type { Credentials } from "../ports/credentials.ts";
import type { Digest } from "../ports/digest.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { LanguageModel, PromptMessage } from "../ports/language-model.ts";
import type { Log } from "../ports/log.ts";
import type { MemoryKeeper } from "../ports/memory-keeper.ts";
import type { FetchedPage } from "../ports/page-reader.ts";
import type { RunProgram } from "../ports/programs.ts";
import type { SkillKeeper } from "../ports/skill-keeper.ts";
import type { Stores } from "../ports/stores.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { BlockRegions, Contribution } from "../prompt/index.ts";
import type { Tool } from "../tools/index.ts";
import type { Halted } from "./halted.ts";

/** Everything a turn asks of the world. Models are functions: a strict run never loads one. */
export interface TurnWorld {
  readonly stores: Stores;
  readonly model: () => Promise<LanguageModel>;
  /** Null where no embedder can be had: nothing is recalled then, and the turn says so. */
  readonly embedder: () => Promise<Embedder | null>;
  readonly newBrowser: (conversationId: string, workspace: string | null, signal: AbortSignal) => Promise<BrowserSession>;
  /** Reads a page without a browser; a skill in charge keeps it to what its revision declares. Absent where that cannot be done. */
  readonly fetchPage?: (
    asked: { readonly conversationId: string; readonly url: string; readonly declared: Capabilities | null },
    signal: AbortSignal,
  ) => Promise<FetchedPage>;
  /** What logins get their values by; absent where there is no vault. */
  readonly credentials?: Credentials;
  /** Asks whoever is there to open the vault for a login; resolves whether they did or not. Absent where nobody can be asked. */
  readonly askUnlock?: (entry: string, signal: AbortSignal) => Promise<void>;
  readonly openWorkspace: (folder: string) => Promise<Workspace>;
  /** Tells addresses of private networks apart before anything is contacted. */
  readonly classify?: (address: string) => AddressKind;
  /** Starts programs in the folder of the turn; absent where that cannot be done. */
  readonly runProgram?: RunProgram;
  readonly approve: Approver;
  /** Reads a destination the user named and adds it to the grants. */
  readonly grantDestination: (url: string, by: string) => Grant;
  /** Skills as the model may keep them in an episode. */
  readonly keepSkills: (episodeId: string) => SkillKeeper;
  /** Memory as the model may use it in a turn. */
  readonly keepMemory: (turn: Pick<Turn, "id" | "conversationId">) => MemoryKeeper;
  /** Every tool that can be dispatched, by id. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** What is known when a turn begins and rules may read; a plain mapping, copied and frozen for that turn. */
  readonly state: () => Readonly<Record<string, unknown>>;
  /** Code rules, asked before a tool runs (SPEC 3.3 e). */
  readonly objectors: readonly Objector[];
  /** Texts of packs for the prompt, in order (SPEC 3.3 d). */
  readonly contributions: () => readonly Contribution[];
  /** The standing context of this turn, by layer. Rejects where a block fails closed or its gate could not be asked. */
  readonly blocks: () => Promise<BlockRegions>;
  /** Told of each message of the user once it is stored, before anything is answered; returns what is kept of it about them. */
  readonly heard: (message: Message) => readonly Fact[];
  /** The messages of a conversation as a model may read them: without what the user had forgotten. */
  readonly messagesForPrompt: (conversationId: string) => readonly Message[];
  /** Plain data with known values masked, as a model reads it now. What stays in a prompt is masked once, so that it reads the same when the vault is locked. */
  readonly masked: <T>(value: T) => T;
  readonly settings: () => Settings;
  readonly clock: () => number;
  readonly makeId: MakeId;
  readonly digest: Digest;
  readonly log: Log;
  /** Proposes a revision where a run that went well went another way than its routine says; the alert's id, or null. */
  readonly propose: (run: Run) => { readonly alertId: string; readonly title: string } | null;
  readonly emit: (event: TurnEvent) => void;
}

/** What a conversation has on its desk between turns: the prompt as it was evaluated, and the browser of the open episode. Lives in memory only. */
export interface Desk {
  readonly conversationId: string;
  /** Prompt so far, without the system message; ends with the model's last answer. Nothing in it is ever edited but the newest page. */
  messages: PromptMessage[];
  /** Where in `messages` each turn begins, by its id. */
  readonly starts: Map<string, number>;
  /** What stands in the prompt for the messages before `at`; they are kept, so that it can be undone. */
  compaction: { readonly text: string; readonly at: number } | null;
  session: BrowserSession | null;
  page: PageView | null;
  /** Episode the session belongs to. */
  episodeId: string | null;
  /** The run of this episode that halted and may be gone on with. */
  halted: Halted | null;
  /** Fence marker of this conversation; a page cannot know it. */
  marker: string;
}
