import type { MakeId } from "#base/clock.ts";
import type { Stores } from "#core/ports/stores.ts";
import { alertStore } from "./alert-store.ts";
import { approvalStore } from "./approval-store.ts";
import { backupInto } from "./backup.ts";
import { calibrationStore } from "./calibration-store.ts";
import { clusterStore } from "./cluster-store.ts";
import type { Connection } from "./connection.ts";
import { contactStore } from "./contact-store.ts";
import { conversationStore } from "./conversation-store.ts";
import { type FactKeys, factStore } from "./fact-store.ts";
import { grantStore } from "./grant-store.ts";
import { integrityOf } from "./inspect.ts";
import { learningStore } from "./learning-store.ts";
import { proposalStore } from "./proposal-store.ts";
import { settingStore } from "./setting-store.ts";
import { skillFileStore } from "./skill-file-store.ts";
import { skillStore } from "./skill-store.ts";
import { traceStore } from "./trace-store.ts";
import { vaultLogStore } from "./vault-log-store.ts";
import { vectorStore } from "./vector-store.ts";

/** Every store over one migrated connection; `host` names the process whose turns are written. */
export function storesOver(connection: Connection, makeId: MakeId, host: string | null, factKeys: FactKeys = (text) => [text]): Stores {
  return {
    conversations: conversationStore(connection, host),
    trace: traceStore(connection, host),
    skills: skillStore(connection, makeId),
    vectors: vectorStore(connection),
    facts: factStore(connection, factKeys),
    grants: grantStore(connection),
    approvals: approvalStore(connection),
    alerts: alertStore(connection),
    proposals: proposalStore(connection),
    skillFiles: skillFileStore(connection),
    learning: learningStore(connection, host),
    calibrations: calibrationStore(connection),
    clusters: clusterStore(connection),
    contacts: contactStore(connection),
    settings: settingStore(connection),
    vaultLog: vaultLogStore(connection),
    transaction: (work) => connection.transaction(work),
    integrity: () => integrityOf(connection),
    rebuild: () => connection.rebuild(),
    backup: (file) => backupInto(connection, file),
    close: () => connection.close(),
  };
}
