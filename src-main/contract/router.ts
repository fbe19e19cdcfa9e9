import { activityRoutes } from "./activity/routes.ts";
import { alertRoutes } from "./alerts/routes.ts";
import { approvalRoutes } from "./approvals/routes.ts";
import { blockRoutes } from "./blocks/routes.ts";
import { chatRoutes } from "./chat/routes.ts";
import { conversationRoutes } from "./conversations/routes.ts";
import { grantRoutes } from "./grants/routes.ts";
import { learningRoutes } from "./learning/routes.ts";
import { memoryRoutes } from "./memory/routes.ts";
import { modelRoutes } from "./models/routes.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { skillRoutes } from "./skills/routes.ts";
import { statusRoute, versionRoute } from "./status/routes.ts";
import { vaultRoutes } from "./vault/routes.ts";

/** Everything a page may ask. A client is typed `ContractRouterClient<typeof router>`; failed calls go through `fromWireError`. */
export const router = {
  version: versionRoute,
  status: statusRoute,
  chat: chatRoutes,
  conversations: conversationRoutes,
  skills: skillRoutes,
  learning: learningRoutes,
  models: modelRoutes,
  alerts: alertRoutes,
  blocks: blockRoutes,
  approvals: approvalRoutes,
  grants: grantRoutes,
  memory: memoryRoutes,
  settings: settingsRoutes,
  activity: activityRoutes,
  vault: vaultRoutes,
};
export type Router = typeof router;
