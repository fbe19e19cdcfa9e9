import { sql as conversations } from "./0001-conversations.ts";
import { sql as messageSearch } from "./0002-message-search.ts";
import { sql as skills } from "./0003-skills.ts";
import { sql as vectors } from "./0004-vectors.ts";
import { sql as memoryAndUpkeep } from "./0005-memory-and-upkeep.ts";
import { sql as hosts } from "./0006-hosts.ts";
import { sql as proposals } from "./0007-proposals.ts";
import { sql as alertRevert } from "./0008-alert-revert.ts";
import { sql as modes } from "./0009-modes.ts";
import { sql as skillFiles } from "./0010-skill-files.ts";
import { sql as outlines } from "./0011-outlines.ts";
import { sql as order } from "./0012-order.ts";
import { sql as calibrations } from "./0013-calibrations.ts";
import { sql as clusters } from "./0014-clusters.ts";
import { sql as dreams } from "./0015-dreams.ts";
import { sql as showings } from "./0016-showings.ts";
import { sql as forgetting } from "./0017-forgetting.ts";
import { sql as memory } from "./0018-memory.ts";
import { sql as context } from "./0019-context.ts";
import { sql as activity } from "./0022-activity.ts";
import { sql as vault } from "./0023-vault.ts";
import { sql as forgottenSpans } from "./0028-forgotten-spans.ts";
import { sql as chat } from "./0030-chat.ts";

/** In order; the n-th brings a store to schema n. A migration that has shipped is never edited: the next one follows. */
export const migrations: readonly string[] = [
  conversations,
  messageSearch,
  skills,
  vectors,
  memoryAndUpkeep,
  hosts,
  proposals,
  alertRevert,
  modes,
  skillFiles,
  outlines,
  order,
  calibrations,
  clusters,
  dreams,
  showings,
  forgetting,
  memory,
  context,
  activity,
  vault,
  forgottenSpans,
  chat,
];

/** What the first migration writes into the file's header: "Knak". */
export const applicationId = 1265525099;
