import type { Contact, ContactPage, ContactQuery } from "#contract/activity/schema.ts";
import type { Alert } from "#contract/alerts/schema.ts";
import type { StandingApproval } from "#contract/approvals/schema.ts";
import type { Compaction, ContextUse } from "#contract/chat/context.ts";
import type { Conversation, Episode, Message, Outcome, Step, Turn } from "#contract/chat/schema.ts";
import type { Folder, FoundMessage } from "#contract/conversations/routes.ts";
import type { Grant } from "#contract/grants/schema.ts";
import type { PassReport, Showing } from "#contract/learning/schema.ts";
import type { Fact, FactVersion, ProfileField } from "#contract/memory/schema.ts";
import type { Calibration } from "#contract/models/schema.ts";
import type { LedgerEntry, Proposal, Revision, Run, Skill, SkillFile, SkillStatus, SkillStep } from "#contract/skills/schema.ts";
import type { VaultAudit } from "#contract/vault/schema.ts";
import type { ClusterStore } from "./cluster-store.ts";
import type { EmbedderKey } from "./embedder.ts";
import type { AuditHead } from "./vault-store.ts";

/** Stores are synchronous: SQLite in the host's own process. Every write is durable when the call returns. */

/** A file that came with a message, as it is kept. */
export interface AttachedFile {
  readonly id: string;
  readonly messageId: string;
  readonly conversationId: string;
  readonly name: string;
  readonly text: string;
  /** What the model reads of it; null until it has. */
  readonly excerpt: string | null;
  readonly read: number | null;
  readonly isSearched: boolean;
}

/** A part of a text: from one character to before another. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ConversationStore {
  /** One that is temporary belongs to this process. */
  create(conversation: Conversation): void;
  get(id: string): Conversation | undefined;
  /** Newest first. */
  list(limit?: number): Conversation[];
  /** Temporary ones of hosts that are not alive, or of any host where none is asked. */
  temporaries(isAlive?: (host: string) => boolean): Conversation[];
  /** Branches that go on from one of these conversations, oldest first. */
  branchesOf(ids: readonly string[]): Conversation[];
  /** Names the conversations that came of the same first one by branching. One that is no more is its own. */
  familyOf(id: string): string;
  /** By name. */
  folders(): Folder[];
  /** Throws KnackError "folder.name-taken" for the name of another folder, however it is written; so does `renameFolder`. */
  addFolder(folder: Folder): void;
  renameFolder(id: string, name: string): void;
  /** What is in it stays, in no folder. */
  removeFolder(id: string): void;
  /** Null takes it out of its folder. */
  move(id: string, folderId: string | null): void;
  addAttachment(file: AttachedFile): void;
  /** What the model reads of a file: `excerpt`, with `read` characters of its beginning. */
  setExcerpt(id: string, excerpt: string, read: number, isSearched: boolean): void;
  attachment(id: string): AttachedFile | undefined;
  /** In order; of all the messages that a turn begins with. */
  attachmentsOf(turnId: string): AttachedFile[];
  rename(id: string, title: string, at: number): void;
  touch(id: string, at: number): void;
  /** Removes the conversation with its messages, turns, steps and episodes. */
  delete(id: string): void;
  addMessage(message: Message): void;
  /** Replaces text and status of a message; used while an answer streams. */
  updateMessage(id: string, text: string, status: Message["status"]): void;
  /** Oldest first. */
  messages(conversationId: string): Message[];
  message(id: string): Message | undefined;
  /** Of one turn, oldest first. */
  messagesOfTurn(turnId: string): Message[];
  /** Full-text search over messages (FTS5), best first; what is in temporary conversations is found by nobody. */
  search(query: string, limit: number): Message[];
  /** As `search`, with the title of each conversation and the place: its text around the hits. */
  find(query: string, limit: number): FoundMessage[];
  /** What the prompt of the conversation holds; undefined where no model has read it yet. */
  context(conversationId: string): ContextUse | undefined;
  setContext(conversationId: string, context: ContextUse): void;
  addCompaction(compaction: Compaction): void;
  undoCompaction(id: string, at: number): void;
  /** Those that hold and those that were undone, oldest first. They go when one of the turns of their conversation does, for they quote them. */
  compactions(conversationId: string): Compaction[];
  /** Takes words out of a compaction that a person had forgotten. */
  rewordCompaction(id: string, text: string): void;
  /** Marks what of a message tells of something that was forgotten. It stays as it was written, and is given to no model again. */
  markForgotten(messageId: string, spans: readonly Span[]): void;
  /** What is marked in the messages of a conversation, by their ids, each in order. */
  forgotten(conversationId: string): ReadonlyMap<string, readonly Span[]>;
}

/** What is kept of an episode that is no more. */
export interface GoneEpisode {
  readonly id: string;
  readonly how: "erased" | "pruned";
  readonly at: number;
}

export interface TraceStore {
  addTurn(turn: Turn): void;
  updateTurn(turn: Turn): void;
  turn(id: string): Turn | undefined;
  /** Oldest first. */
  turns(conversationId: string): Turn[];
  /** Their ids alone, oldest first. */
  turnIds(conversationId: string): string[];
  /** Oldest first, over all messages that pursued the goal. */
  turnsOfEpisode(episodeId: string): Turn[];
  /** The processes in which a turn of this conversation runs. */
  runningIn(conversationId: string): string[];
  /** Turns whose recall holds this text as it stands in JSON, oldest first. */
  turnsHolding(text: string): Turn[];
  /** Turns in which the control took part, with the skill and without, oldest first. */
  controlledTurns(): Turn[];
  addStep(step: Step): void;
  updateStep(step: Step): void;
  /** Keeps the whole result of a step whose text was cut. */
  keepResult(stepId: string, text: string): void;
  /** Undefined where nothing of it was cut, or there is no such step. */
  resultOf(stepId: string): string | undefined;
  step(id: string): Step | undefined;
  /** In order. */
  stepsOfTurn(turnId: string): Step[];
  stepsOfEpisode(episodeId: string): Step[];
  /** Every step of the tools of memory, which may quote facts. */
  stepsOfMemory(): Step[];
  addEpisode(episode: Episode): void;
  updateEpisode(episode: Episode): void;
  episode(id: string): Episode | undefined;
  openEpisode(conversationId: string): Episode | undefined;
  episodesOf(conversationId: string): Episode[];
  /** Episodes, but for those of temporary and imported conversations, that were made, judged, judged anew or else changed after that change, each once, in the order of its last change; at most `limit`. */
  episodesChangedAfter(change: number, limit: number): { episode: Episode; change: number }[];
  judge(id: string, outcome: Outcome, reason: string, at: number): void;
  /** Removes the episode with its messages, turns and steps. */
  eraseEpisode(id: string): void;
  /** Keeps of episodes that are gone their ids, when, and whether a person erased them or they had grown old; no word of theirs. */
  markGone(ids: readonly string[], how: GoneEpisode["how"], at: number): void;
  gone(ids: readonly string[]): GoneEpisode[];
  /** At start: running turns, streaming messages and running steps of hosts that are not alive become "interrupted". Returns how many of each. */
  markInterrupted(at: number, isAlive: (host: string) => boolean): { turns: number; messages: number; steps: number };
}

/** What trust is judged by; both oldest first. */
export interface SkillRecord {
  /** Runs of the revision in use. */
  readonly runs: readonly Pick<Run, "outcome" | "startedAt" | "endedAt">[];
  /** Rows of the ledger by which the skill became usable. */
  readonly switchedOn: readonly Pick<LedgerEntry, "action" | "before" | "after" | "at">[];
}

/** A skill with its revision in use in short: what lists tell, without its body. */
export interface SkillOutline {
  readonly skill: Skill;
  readonly summary: string;
  readonly whenToUse: string;
  readonly author: string;
  /** Origins the revision declares. */
  readonly destinations: readonly string[];
  /** Of each step the tool, without arguments, and the kind of its check, without content. */
  readonly steps: readonly Pick<SkillStep, "call" | "check">[];
  /** How many there are. */
  readonly revisions: number;
  readonly lastUsedAt: number | null;
}

export interface SkillStore {
  /** One transaction: skill, revision 1 and ledger row. A name in use throws KnackError "skill.name-taken" naming the other skill. */
  create(skill: Skill, revision: Revision, entry: LedgerEntry): void;
  /** One transaction: revision N+1 becomes active, ledger row. */
  addRevision(revision: Revision, entry: LedgerEntry, at: number): void;
  setActiveRevision(skillId: string, number: number, entry: LedgerEntry, at: number): void;
  /** `supersededBy` is the skill that a retired one gave way to; null by default. */
  setStatus(skillId: string, status: SkillStatus, entry: LedgerEntry, at: number, supersededBy?: string | null): void;
  setPinned(skillId: string, pinned: boolean, entry: LedgerEntry, at: number): void;
  setMode(skillId: string, mode: Skill["mode"], entry: LedgerEntry, at: number): void;
  /** A ledger row for what is no column of the skill. */
  note(entry: LedgerEntry): void;
  get(id: string): Skill | undefined;
  byName(name: string): Skill | undefined;
  /** By name; without `all` only provisional and active ones. */
  list(options?: { all?: boolean }): Skill[];
  /**
   * By name; without `all` only provisional and active ones, with `ids` only those, with `hosts` only those in whose destinations one of them stands as
   * text. The number of statements is the same for any number of skills, here and in the next two.
   */
  outlines(options?: { all?: boolean; ids?: readonly string[]; hosts?: readonly string[] }): SkillOutline[];
  /** Of each of these skills, by id. */
  records(skillIds: readonly string[]): Map<string, SkillRecord>;
  /** The revisions in use of these skills, by skill id; those that are no more are left out. */
  activeRevisions(skillIds: readonly string[]): Map<string, Revision>;
  revision(skillId: string, number: number): Revision | undefined;
  /** Oldest first. */
  revisions(skillId: string): Revision[];
  /** Oldest first. */
  ledger(skillId: string): LedgerEntry[];
  ledgerEntry(id: string): LedgerEntry | undefined;
  addRun(run: Run): void;
  updateRun(run: Run): void;
  /** Oldest first. */
  runs(skillId: string, revision?: number): Run[];
  runOfTurn(turnId: string): Run | undefined;
  /** Oldest first. */
  runsOfEpisodes(episodeIds: readonly string[]): Run[];
  /** The user's answers: a phrasing that should (or should not) recall this skill, with the episode it was said in. */
  addPhrasing(skillId: string, text: string, counter: boolean, at: number, episodeId?: string | null): void;
  /** Skills that a goal was declined for. */
  declined(): string[];
  phrasings(skillId: string): { text: string; counter: boolean }[];
  /** Of all skills those that were said in an episode. */
  phrasingsOf(episodeId: string): { skillId: string; text: string; counter: boolean }[];
  /** Removes what was said in these episodes; of phrasings that name no episode, those that are one of these goals. Returns the skills that lost some. */
  forgetPhrasings(episodeIds: readonly string[], goals: readonly string[]): string[];
  /**
   * Takes text out of a skill because a person erased what it came from, the only way in which revisions and ledger rows change: `revisions` take the
   * place of themselves, and of `ledger` the reasons do. Author, number and time of each stay.
   */
  rewrite(skillId: string, change: { readonly name: string; readonly revisions: readonly Revision[]; readonly ledger: readonly LedgerEntry[] }): void;
  /** Removes the skill with revisions, runs, phrasings, ledger and vectors; leaves a ledger tombstone without text. */
  erase(skillId: string, at: number): void;
}

/** What a text is kept for: to recall a skill by, to keep it away, or to find episodes that are alike. */
export type OwnerKind = "phrasing" | "counter" | "episode";

export interface VectorHit {
  readonly ownerId: string;
  readonly text: string;
  /** Cosine similarity, −1 to 1. */
  readonly score: number;
}

export interface VectorStore {
  /** Vectors of one owner (a skill id) and text kind, replaced as a whole. Throws when the dimension is not the key's. */
  replace(key: EmbedderKey, ownerKind: OwnerKind, ownerId: string, entries: readonly { text: string; vector: Float32Array }[]): void;
  /** Nearest first (sqlite-vec). Only vectors of exactly this key are compared. */
  search(key: EmbedderKey, ownerKind: OwnerKind, vector: Float32Array, limit: number): VectorHit[];
  /** Owners by the mean of their vectors, nearest first; `text` is empty. Only vectors of exactly this key are compared. */
  searchMeans(key: EmbedderKey, ownerKind: OwnerKind, vector: Float32Array, limit: number): VectorHit[];
  /** The mean of each of these owners, nearest first; `text` is empty. Owners without a vector under this key are left out. */
  meansOf(key: EmbedderKey, ownerKind: OwnerKind, vector: Float32Array, ownerIds: readonly string[]): VectorHit[];
  /** The text of each of these owners that is nearest, nearest first, and of how many it is; owners without a vector under this key are left out. */
  nearestOf(key: EmbedderKey, ownerKind: OwnerKind, vector: Float32Array, ownerIds: readonly string[]): (VectorHit & { readonly of: number })[];
  vectorsOf(key: EmbedderKey, ownerKind: OwnerKind, ownerId: string): { text: string; vector: Float32Array }[];
  /** Full-text candidates over the same texts (FTS5, bm25), best first. */
  searchText(ownerKind: OwnerKind, query: string, limit: number): { ownerId: string; text: string }[];
  /** Owners of whom no text is kept, so that no search finds them under any key. */
  unknown(ownerKind: OwnerKind, ownerIds: readonly string[]): string[];
  /** Owners with no vector under this key: what re-embedding would have to do. */
  missing(key: EmbedderKey, ownerKind: OwnerKind, ownerIds: readonly string[]): string[];
  /** Keys other than this one that still hold vectors of such owners. */
  otherKeys(key: EmbedderKey, ownerKind: OwnerKind): string[];
  remove(ownerId: string): void;
}

export interface FactStore {
  add(fact: Fact): void;
  /** The user words it anew: it is theirs from then on, and what it said before is never found by a dream again. Nothing is kept of that. */
  update(id: string, text: string, at: number): void;
  /** The user puts it under another label: it is theirs from then on. */
  relabel(id: string, label: Fact["label"], at: number): void;
  /** The user forgets it, with all it said before: it is never found by a dream again. Only keyed digests of what it said are kept, with this hour. */
  remove(id: string, at?: number): void;
  /**
   * A later word takes its place; what it said before is kept in its history. What the user wrote, worded anew or brought along only they renew: throws
   * "store.missing" for anybody else.
   */
  renew(fact: Fact): void;
  /** What a fact said before a later word took its place, newest first. */
  history(id: string): FactVersion[];
  /** Whether one of these keys is of a fact that the user forgot or worded anew. */
  isForgotten(keys: readonly string[]): boolean;
  /** When that was, the last time; 0 where it was not written down, null where it was not. */
  forgottenAt(keys: readonly string[]): number | null;
  /** The user said it again after they had forgotten it. */
  unforget(keys: readonly string[]): void;
  /** Removes what was said in a conversation that is erased; it may be said, and found, again. A fact that said something else before says that again. */
  loseConversation(conversationId: string): void;
  /** As `loseConversation`, of single messages. */
  loseMessages(messageIds: readonly string[]): void;
  /** As forgotten: in no list, found by no search and no dream. It can be taken back until it is removed. */
  letGo(id: string, at: number): void;
  takeBack(id: string): void;
  /** Those let go of at that hour or before, that hour's first. */
  letGoUntil(at: number): Fact[];
  /** Oldest first. */
  list(): Fact[];
  search(query: string, limit: number): Fact[];
  /** What the user would rather not say; no word of theirs is kept of it. */
  declined(): ProfileField[];
  decline(field: ProfileField, at: number): void;
  /** They may be asked again. */
  undecline(field: ProfileField): void;
}

export interface GrantStore {
  add(grant: Grant): void;
  remove(id: string): void;
  list(): Grant[];
}

/** Answers of a person that hold on. */
export interface ApprovalStore {
  add(approval: StandingApproval): void;
  /** One that covers this family in this conversation, one that holds everywhere first. */
  covering(family: string, conversationId: string): StandingApproval | undefined;
  markUsed(id: string, at: number): void;
  remove(id: string): void;
  /** Oldest first. */
  list(): StandingApproval[];
}

export interface AlertStore {
  add(alert: Alert): void;
  resolve(id: string, resolution: string, at: number): void;
  /** Takes words out of an alert that a person erased elsewhere. */
  reword(id: string, words: Pick<Alert, "title" | "detail" | "resolution">): void;
  get(id: string): Alert | undefined;
  list(options?: { all?: boolean }): Alert[];
}

export interface ProposalStore {
  add(proposal: Proposal): void;
  get(id: string): Proposal | undefined;
  /** Newest first; without `all` only open ones. */
  list(options?: { all?: boolean; skillId?: string }): Proposal[];
  /** Throws "missing" for an unknown id. */
  decide(id: string, status: Exclude<Proposal["status"], "open">, at: number): void;
  /** Removes it with the alerts that quote it. */
  erase(id: string): void;
}

export interface SkillFileStore {
  /** One file per revision; replaces what was said of it before. */
  put(file: SkillFile): void;
  of(skillId: string, revision: number): SkillFile | undefined;
  /** Of every skill of a pack the file of its newest revision. */
  authored(): SkillFile[];
}

/** A conversation that rests, in a state no dream has looked at. */
export interface QuietConversation {
  readonly id: string;
  /** What was said and judged in it, as one text to compare. */
  readonly state: string;
  /** How many of its messages were looked at before, from the first on. */
  readonly messagesRead: number;
}

export interface LearningStore {
  /** Longest quiet first: nothing was said in them since this hour, and nothing runs. Temporary and imported ones are none of them. */
  quietConversations(since: number, limit: number): QuietConversation[];
  /** Keeps how far a conversation was looked at. Without a state its messages are read, and the rest is still to be done. */
  markDreamt(conversationId: string, done: { readonly messages: number; readonly state: string | null }, at: number): void;

  /** A report stored again replaces itself. */
  addReport(report: PassReport): void;
  /** Newest first; all of them for a negative limit. */
  reports(limit: number): PassReport[];
  /** The change of an episode up to which learning has read; 0 where it has read none. */
  watermark(): number;
  setWatermark(change: number): void;
  putShowing(showing: Showing): void;
  eraseShowing(id: string): void;
  showing(id: string): Showing | undefined;
  showings(): Showing[];
  /** Those a skill was taught by, oldest first. */
  showingsOf(skillId: string): Showing[];
  /** At start: recordings of hosts that are not alive become "broken", what was shown kept. Returns how many. */
  markBroken(isAlive: (host: string) => boolean): number;
}

/** What one suggestion or use was worth: how sure it was, and whether the user meant that skill. Of the goal nothing is kept. */
export interface RecallAnswer {
  readonly certainty: number;
  readonly right: boolean;
}

export interface CalibrationStore {
  /** @param key see `embedderKeyText` */
  of(key: string): Calibration | undefined;
  /** Replaces what was there under its key. */
  put(calibration: Calibration): void;
  /** Lets go of what is older than the newest 500. */
  addAnswer(key: string, answer: RecallAnswer, at: number): void;
  /** Newest first. */
  answers(key: string): RecallAnswer[];
}

export interface ContactStore {
  /** One transaction; one that is there already is brought up to date. What belongs to a conversation or a turn that is gone is left out. */
  put(contacts: readonly Contact[]): void;
  /** Newest first. */
  page(query: ContactQuery): ContactPage;
  get(id: string): Contact | undefined;
  /** Lets go of what is older than this hour, and of all but the newest `most`; returns how many went. */
  prune(before: number, most: number): number;
}

export interface SettingStore {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  all(): Record<string, unknown>;
}

/** What was done with the vault, in a chain of hashes, and the passphrases that were wrong in a row. */
export interface VaultLogStore {
  /** Appends a line; returns what stands for the log up to it. */
  add(line: Omit<VaultAudit, "seq">): AuditHead;
  /** What stands for the log as it is; null where it is empty. */
  head(): AuditHead | null;
  /** Newest first. */
  list(limit: number): VaultAudit[];
  /** The first line that was changed, or before which one was taken out, also at the end as far as `head` vouches for it; null where all are as written. */
  firstBroken(head: AuditHead | null): number | null;
  /** Wrong passphrases in a row and when the last was tried, which is never after `at`. */
  attempts(at: number): { readonly failures: number; readonly lastAt: number };
  /** Counts an attempt as failed before it is made, unless it must wait: then the milliseconds, and nothing is counted. */
  countAttempt(at: number, waitOf: (failures: number) => number): number;
  /** Takes the last one back: it failed for another reason than its passphrase. */
  uncountAttempt(): void;
  clearAttempts(): void;
}

export interface Stores {
  readonly conversations: ConversationStore;
  readonly trace: TraceStore;
  readonly skills: SkillStore;
  readonly vectors: VectorStore;
  readonly facts: FactStore;
  readonly grants: GrantStore;
  readonly approvals: ApprovalStore;
  readonly alerts: AlertStore;
  readonly proposals: ProposalStore;
  readonly skillFiles: SkillFileStore;
  readonly learning: LearningStore;
  readonly calibrations: CalibrationStore;
  readonly clusters: ClusterStore;
  readonly contacts: ContactStore;
  readonly settings: SettingStore;
  readonly vaultLog: VaultLogStore;
  /** Runs as one transaction; throwing rolls back. */
  transaction<T>(work: () => T): T;
  /** "ok" or what PRAGMA integrity_check said. */
  integrity(): string;
  /** Writes the file anew without what was removed from it; takes as long as a copy. */
  rebuild(): void;
  /** Consistent copy into `file` (online backup). */
  backup(file: string): Promise<void>;
  close(): void;
}
