import type { Contact, ContactPage, ContactQuery } from "#contract/activity/schema.ts";
import type { Alert, AlertAction } from "#contract/alerts/schema.ts";
import type { ApprovalScope, StandingApproval } from "#contract/approvals/schema.ts";
import type { EditableBlock, StandingContext } from "#contract/blocks/schema.ts";
import type { Compaction, ContextUse } from "#contract/chat/context.ts";
import type { Attachment, Conversation, Episode, Message, Send, Step, Turn, TurnEvent } from "#contract/chat/schema.ts";
import type { Erasure } from "#contract/conversations/erasure.ts";
import type { ExportForm, Folder, Fork, FoundMessage, StepResult, TurnPage } from "#contract/conversations/routes.ts";
import type { Grant, GrantLimits } from "#contract/grants/schema.ts";
import type { DraftEdit } from "#contract/learning/draft-edit.ts";
import type { Draft, PassReport, Showing, ShownAction } from "#contract/learning/schema.ts";
import type { Fact, FactChange, FactDetail, ImportedFact, KeptFact, ProfileField } from "#contract/memory/schema.ts";
import type { Calibration, FetchEvent, ModelState, ModelUse } from "#contract/models/schema.ts";
import type { News } from "#contract/news.ts";
import type { SettingsChange } from "#contract/settings/routes.ts";
import type { Settings } from "#contract/settings/schema.ts";
import type { Evidence, Explanation } from "#contract/skills/explain.ts";
import type { Lift } from "#contract/skills/lift.ts";
import type {
  ExportedSkill,
  FileCheck,
  FileText,
  ImportResult,
  LedgerEntry,
  Pack,
  Proposal,
  Recall,
  Revision,
  RevisionRecord,
  Run,
  Skill,
  SkillFile,
  SkillStatus,
  SkillSummary,
} from "#contract/skills/schema.ts";
import type { Outward } from "#core/vault/index.ts";
import type { AgentVault } from "./vault.ts";

export interface ConversationDetail {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
  readonly turns: readonly Turn[];
  readonly steps: readonly Step[];
  readonly episodes: readonly Episode[];
  /** What the prompt of its newest turn holds; null until the model has read something. */
  readonly context: ContextUse | null;
  /** Oldest first. */
  readonly compactions: readonly Compaction[];
  /** How many turns there are before those told of; absent where all are. */
  readonly earlier?: number;
  /** Of the turns told of those that have others in their place elsewhere; absent where none has. */
  readonly forks?: readonly Fork[];
}

export interface SkillDetail {
  readonly skill: SkillSummary;
  readonly revision: Revision;
  readonly revisions: readonly Revision[];
  readonly runs: readonly Run[];
  /** How each revision did, oldest first. */
  readonly records: readonly RevisionRecord[];
  readonly ledger: readonly LedgerEntry[];
  /** Where it was learned: dangling evidence has no conversation. */
  readonly evidence: readonly Evidence[];
  /** The file the revision was read from, with what was wrong with it; null for one that was learned, shown or written here. */
  readonly file: SkillFile | null;
}

export interface Status {
  readonly version: string;
  readonly dataFolder: string;
  /** What stands between the user and a first answer: "ready", or one line that says what is missing and the way on. */
  readonly model: {
    readonly id: string | null;
    readonly state: "ready" | "loading" | "idle" | "missing" | "refused";
    readonly message: string;
    /** Tokens its context holds, now or when it was loaded last; null where it never was. */
    readonly contextSize: number | null;
    /** Tokens that were wanted then. */
    readonly contextAsked: number | null;
  };
  readonly embedder: { readonly id: string | null; readonly calibrated: boolean };
  readonly browser: { readonly found: string | null; readonly message: string };
  readonly offline: boolean;
}

/** What a shell is given: an agent out of which no value of the vault comes. */
export type OutwardAgent = Outward<Agent>;

/** The whole of Knack for a shell: the same object behind CLI, web shell and app. Errors are KnackError. */
export interface Agent {
  status(): Promise<Status>;

  /** Runs one turn. The iterable ends after "turn-finished"; aborting the signal stops the turn at once. */
  send(input: Send, signal: AbortSignal): AsyncIterable<TurnEvent>;
  /** Stops a running turn; false when it is not running. */
  stop(turnId: string): boolean;
  /** The two outcome controls: "That worked" and "That was wrong". */
  judge(episodeId: string, worked: boolean, by: string): Episode;
  /** Answers an open approval; a yes holds for as long as `scope` says, once by default. Throws bad-input where it is asked about each time. */
  approve(approvalId: string, allow: boolean, scope?: ApprovalScope, by?: string): boolean;
  standingApprovals(): StandingApproval[];
  /** From the next call on it is asked again. */
  revokeApproval(id: string): void;
  /** A file that came with a message, whole. */
  attachment(id: string): Attachment & { readonly text: string };
  /** Takes or declines the suggestion a turn ended with; the answer is kept as a phrasing or counter-phrasing. */
  answerSuggestion(turnId: string, take: boolean): void;

  /** Why a turn had the skill it had, or none; from what is stored. */
  why(turnId: string): Explanation;

  /** Newest first, without temporary ones. */
  conversations(): Conversation[];
  /** With the turns it shares in front of its own; all of them, or the page that is asked for. */
  conversation(id: string, page?: TurnPage): ConversationDetail;
  folders(): Folder[];
  /** Throws "folder.name-taken"; so does `renameFolder`. */
  addFolder(name: string): Folder;
  renameFolder(id: string, name: string): Folder;
  /** What is in it stays, in no folder. */
  removeFolder(id: string): void;
  moveConversation(id: string, folderId: string | null): Conversation;
  /** Ends a temporary conversation, of which nothing is left then; false where it is gone already. Throws bad-input for any other. */
  closeTemporary(id: string): Promise<boolean>;
  exportConversation(id: string, form: ExportForm): { readonly fileName: string; readonly text: string };
  /** Makes a new conversation of one exported as JSON, from which nothing is learned. Throws bad-input for any other text, and keeps nothing of it. */
  importConversation(text: string): Conversation;
  /**
   * Stops what it is doing first. Skills that rested on it are derived again from what is left, put back or retired. With `backups` the copies of the store that
   * hold it go too.
   */
  deleteConversation(id: string, backups?: boolean): Promise<Erasure>;
  /** As a conversation is deleted, of one task alone. */
  eraseEpisode(id: string, backups?: boolean): Promise<Erasure>;
  /**
   * Puts a short text in the place of the older turns in its prompt; everything stays stored. Throws "turn.running" while it answers, and
   * "conversation.nothing-to-compact" where that would not make it shorter.
   */
  compactConversation(id: string): Promise<Compaction>;
  /** Takes back its newest compaction that holds. Throws "conversation.not-compacted" where there is none. */
  undoCompaction(id: string): Promise<Compaction>;
  /** The whole result of a step, of which the model may have read a part. */
  stepResult(stepId: string): StepResult;
  renameConversation(id: string, title: string): void;
  /** Best first, at most 50. */
  searchMessages(query: string): FoundMessage[];

  /** Erases every backup of the store and makes a new one; returns how many there were. */
  eraseBackups(): Promise<number>;

  skills(all: boolean): SkillSummary[];
  skill(name: string, revision?: number): SkillDetail;
  /** Unified diff of two revisions' bodies. */
  diffSkill(name: string, a: number, b: number): string;
  revertSkill(name: string, revision: number, actor: string): Promise<SkillDetail>;
  /** "active" enables, "disabled" switches off, "retired" removes. */
  setSkillStatus(name: string, status: SkillStatus, actor: string, reason: string): SkillDetail;
  /** Retires a skill because another one does the same. */
  supersedeSkill(name: string, by: string, actor: string): SkillDetail;
  setSkillPinned(name: string, pinned: boolean, actor: string): SkillDetail;
  /** How it is followed unless a turn says otherwise. Throws "skill.untrusted" for "assisted" below trust 0.7. */
  setSkillMode(name: string, mode: Skill["mode"], actor: string): SkillDetail;
  /** Takes back one ledger entry. Throws "skill.not-undone" where something later rests on it. */
  undoSkillChange(entryId: string, actor: string): Promise<SkillDetail>;
  /** Open ones, newest first; `all` includes decided ones. */
  proposals(all: boolean, name?: string): Proposal[];
  /** Makes the proposed revision the active one, by a person. */
  acceptProposal(id: string, actor: string): Promise<SkillDetail>;
  declineProposal(id: string): void;
  /** Removes it with everything kept of it; see `deleteConversation` for `backups`. */
  eraseSkill(name: string, backups?: boolean): Promise<Erasure>;
  /** Reads SKILL.md texts; what can be read lands disabled, author "imported". Each file has its own result, in the order given; none stops the others. */
  importSkills(files: readonly FileText[], actor: string): ImportResult[];
  /** The revision in use as a SKILL.md that any reader of Agent Skills takes. */
  exportSkill(name: string): ExportedSkill;
  /** Holds texts against the rules; stores nothing. */
  validateSkills(files: readonly FileText[]): FileCheck[];
  /** Looks at the packs, loads what changed, and says what is in them. */
  packs(): Promise<Pack[]>;
  /** Measures the embedding model in use and keeps the result; takes minutes. Throws "model.missing" where there is none. */
  calibrate(signal: AbortSignal): Promise<Calibration>;
  matchSkill(goal: string, signal: AbortSignal): Promise<Recall>;
  induce(apply: boolean, signal: AbortSignal): Promise<PassReport>;
  reports(): PassReport[];
  /** What skills were worth by the control; of one skill, or of all. */
  lift(name?: string): Lift;

  /** Opens the agent's browser window; `onAction` is told of each action as it is recorded. One showing at a time. */
  startShowing(goal: string, url: string, onAction?: (action: ShownAction) => void): Promise<Showing>;
  /** Opens it where a skill stopped working, or at `step`: the steps before are carried out. The aim of the showing says from which step on to show. */
  startRepair(skill: string, options: { goal?: string; step?: number }, onAction?: (action: ShownAction) => void): Promise<Showing>;
  /**
   * Ends the recording and derives the draft; later the draft as it was left. `together` aligns it with the showings and good runs of that skill, null
   * makes it one of its own again. `asBefore` false says that a repair was shown to its end.
   */
  finishShowing(id: string, options?: { together?: string | null; asBefore?: boolean }): Promise<Draft>;
  /** The draft with exactly these edits; they are kept with the showing. */
  editDraft(id: string, edits: readonly DraftEdit[]): Promise<Draft>;
  /** The draft as a SKILL.md to be changed in an editor, and the changed one taken in. */
  draftFile(id: string): Promise<{ readonly name: string; readonly text: string }>;
  takeDraftFile(id: string, text: string): Promise<Draft>;
  /** Confirms the draft as it is, or with another name; the skill is then provisional, author human:<by>. With `skill` it becomes the next revision of that one, which is switched on. */
  confirmShowing(id: string, by: string, name?: string, skill?: string): Promise<SkillDetail>;
  dropShowing(id: string): Promise<void>;
  /** The draft of a skill from the newest task of a conversation that went well; `worked` is the user's word that its newest one did. Confirmed or dropped as a showing. */
  learnFrom(conversation: string, worked: boolean, by: string): Promise<Draft>;
  showings(): Showing[];

  models(): Promise<ModelState[]>;
  fetchModel(id: string, signal: AbortSignal): AsyncIterable<FetchEvent>;
  verifyModel(id: string): Promise<{ ok: boolean; message: string }>;
  useModel(id: string): Promise<void>;
  modelUse(): ModelUse;
  /** Loads the chat model and evaluates or restores what the next prompt begins with; of a new conversation without an id. Nothing happens while a message is answered. */
  warm(conversationId: string | undefined, signal: AbortSignal): Promise<ModelUse>;

  alerts(all: boolean): Alert[];
  resolveAlert(id: string, resolution: string): void;
  /** Goes back, opens the skill to learning, keeps it off, takes or declines what waits, and settles the alert. Throws where the alert offers no such thing. */
  actOnAlert(id: string, action: AlertAction, actor: string): Promise<Alert>;

  grants(): Grant[];
  /** `what` is a URL or host (destination), a primitive's name, or a folder. Throws bad-input with the rule broken. */
  addGrant(what: string, by: string, limits?: GrantLimits): Grant;
  /** All of them, or none when one cannot be read. */
  addGrants(whats: readonly string[], by: string, limits?: GrantLimits): Grant[];
  revokeGrant(id: string): void;

  /** What anything talked to, or was kept from talking to, newest first. */
  activity(query: ContactQuery): ContactPage;
  contact(id: string): Contact;

  facts(): Fact[];
  /** `which` is an id, the beginning or end of one, or what the fact says, here and below. */
  fact(which: string): FactDetail;
  /** Throws bad-input for what may not be kept (a secret, too long), "memory.off" where memory is switched off. */
  addFact(text: string, label?: Fact["label"]): KeptFact;
  editFact(which: string, change: FactChange): Fact;
  /** As forgotten from now on, erased at `erasedAt`, or when this process ends; until then it can be taken back. */
  letGoOfFact(which: string): { readonly fact: Fact; readonly erasedAt: number };
  takeBackFact(id: string): Fact;
  /** Erases it for good at once; see `deleteConversation` for `backups`. */
  forgetFact(which: string, backups?: boolean): Promise<Erasure>;
  exportFacts(): string;
  importFacts(text: string): ImportedFact[];

  /** The blocks of standing context as the next turn has them. */
  blocks(): Promise<StandingContext>;
  /** Writes the text of a block; taken up at the next turn. Throws bad-input for one that is empty or too long, and "block.unwritable". */
  setBlock(name: EditableBlock, text: string): Promise<StandingContext>;
  /** Back to what Knack comes with. */
  resetBlock(name: EditableBlock): Promise<StandingContext>;
  /** The user would rather not say it: it is not asked for. */
  declineField(field: ProfileField): Promise<StandingContext>;
  askFieldAgain(field: ProfileField): Promise<StandingContext>;

  /** Credentials by name; nothing here brings a value out. */
  readonly vault: AgentVault;

  /** For the desktop around the page: how things stand, at once and at each change, until the signal. */
  onNews(listener: (news: News) => void, signal: AbortSignal): void;

  settings(): Settings;
  changeSettings(change: SettingsChange): Settings;

  close(): Promise<void>;
}
