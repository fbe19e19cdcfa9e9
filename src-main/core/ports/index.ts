export type { ApprovalRequest, Approver } from "./approver.ts";
export type { BlockFile } from "./block-file.ts";
export type {
  ActionOutcome,
  BrowserLauncher,
  BrowserOptions,
  BrowserSession,
  DownloadedFile,
  LoginFields,
  LoginOutcome,
  LoginPart,
  LoginRequest,
  LoginSent,
  PageElement,
  PageTable,
  PageView,
  RecordingSession,
  Refusal,
} from "./browser.ts";
export type { ClusterStore, EpisodeDigest, FoundCluster, GroupMember, StoredCluster, Way } from "./cluster-store.ts";
export type { CredentialRequest, Credentials, CredentialValues, WithCredential } from "./credentials.ts";
export type { Digest } from "./digest.ts";
export type { Egress, EgressDecision, OnDecision, StartEgress } from "./egress.ts";
export { type Embedder, type EmbedderKey, type EmbeddingKind, embedderKeyText, keyOfKind } from "./embedder.ts";
export type { Choice, GenerateRequest, Generation, Keep, LanguageModel, ModelMemory, PromptKeeper, PromptMessage } from "./language-model.ts";
export { type Log, silentLog } from "./log.ts";
export type { AskedToForget, KeptInTurn, KnownForTurn, MemoryKeeper, PastMessage } from "./memory-keeper.ts";
export type { FetchedPage, PageReader, ReadRequest } from "./page-reader.ts";
export type { Power, PowerState } from "./power.ts";
export type { ProgramEnd, ProgramRequest, RunProgram } from "./programs.ts";
export type { SecretStore } from "./secret-store.ts";
export { asSink, type Sink } from "./sink.ts";
export type { FoundFile, FoundPack, SkillFiles } from "./skill-files.ts";
export type { InlineSkill, SkillKeeper } from "./skill-keeper.ts";
export type {
  AlertStore,
  CalibrationStore,
  ContactStore,
  ConversationStore,
  FactStore,
  GrantStore,
  LearningStore,
  QuietConversation,
  RecallAnswer,
  SettingStore,
  SkillOutline,
  SkillRecord,
  SkillStore,
  Span,
  Stores,
  TraceStore,
  VaultLogStore,
  VectorHit,
  VectorStore,
} from "./stores.ts";
export type { AuditHead, EntryContent, EntryOutline, OpenVault, VaultDraft, VaultStore } from "./vault-store.ts";
export type { OpenWorkspace, Workspace, WorkspaceEntry } from "./workspace.ts";
