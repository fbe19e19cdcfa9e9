export type { ApprovalRequest, Approver } from "./approver.ts";
export type {
  ActionOutcome,
  BrowserLauncher,
  BrowserOptions,
  BrowserSession,
  DownloadedFile,
  PageElement,
  PageView,
  RecordingSession,
  Refusal,
} from "./browser.ts";
export type { Digest } from "./digest.ts";
export type { Egress, EgressDecision, StartEgress } from "./egress.ts";
export { type Embedder, type EmbedderKey, type EmbeddingKind, embedderKeyText } from "./embedder.ts";
export type { Choice, GenerateRequest, Generation, LanguageModel, PromptMessage } from "./language-model.ts";
export { type Log, silentLog } from "./log.ts";
export type { FoundFile, FoundPack, SkillFiles } from "./skill-files.ts";
export type { InlineSkill, SkillKeeper } from "./skill-keeper.ts";
export type {
  AlertStore,
  ConversationStore,
  FactStore,
  GrantStore,
  LearningStore,
  QuietConversation,
  SettingStore,
  SkillOutline,
  SkillRecord,
  SkillStore,
  Stores,
  TraceStore,
  VectorHit,
  VectorStore,
} from "./stores.ts";
export type { OpenWorkspace, Workspace, WorkspaceEntry } from "./workspace.ts";
