import { PROTOCOL_VERSION } from "#contract/version.ts";
import { activityHandlers } from "./activity.ts";
import { alertHandlers } from "./alerts.ts";
import { approvalHandlers } from "./approvals.ts";
import { blockHandlers } from "./blocks.ts";
import { chatHandlers } from "./chat.ts";
import { conversationHandlers } from "./conversations.ts";
import { grantHandlers } from "./grants.ts";
import { learningHandlers } from "./learning.ts";
import { memoryHandlers } from "./memory.ts";
import { modelHandlers } from "./models.ts";
import { route } from "./route.ts";
import { settingsHandlers } from "./settings.ts";
import { skillHandlers } from "./skills.ts";
import { vaultHandlers } from "./vault.ts";

/** Every route of the contract with the use case behind it; the compiler refuses a route without one. */
export const handlers = route.router({
  version: route.version.handler(() => ({ protocol: PROTOCOL_VERSION })),
  status: route.status.handler(({ context }) => context.agent.status()),
  chat: chatHandlers,
  conversations: conversationHandlers,
  skills: skillHandlers,
  learning: learningHandlers,
  models: modelHandlers,
  alerts: alertHandlers,
  blocks: blockHandlers,
  approvals: approvalHandlers,
  grants: grantHandlers,
  memory: memoryHandlers,
  settings: settingsHandlers,
  activity: activityHandlers,
  vault: vaultHandlers,
});
