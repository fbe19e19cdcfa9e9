import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Clock, MakeId } from "#base/clock.ts";
import { asSink, type Sink } from "#core/ports/sink.ts";
import type { Stores } from "#core/ports/stores.ts";
import { backupBeforeUpgrade } from "./backup.ts";
import type { Connection } from "./connection.ts";
import { createStoreFile } from "./create-store-file.ts";
import { refuseUnsound } from "./inspect.ts";
import { migrate, refuseNewerSchema } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { openConnection, useWriteAheadLog } from "./open-connection.ts";
import { makePrivate } from "./private-file.ts";
import { refuseHalfRestored } from "./restore.ts";
import { storesOver } from "./stores-over.ts";
import { translateError } from "./translate-error.ts";

export interface OpenStoresOptions {
  /** Path of knack.db, or ":memory:". Made when it is not there. */
  readonly file: string;
  readonly backupFolder: string;
  readonly clock: Clock;
  /** Names the ledger row an erased skill leaves; by default any unique text. */
  readonly makeId?: MakeId;
  /** What two facts are told to be the same by; their words unless told otherwise. */
  readonly factKeys?: (text: string) => readonly string[];
  /** Names this process, and is written to the turns it runs; none by default. */
  readonly host?: string;
  /** How long a write waits for another process's write; 5 s by default. */
  readonly lockTimeoutMs?: number;
}

/**
 * Opens the store and brings it to the newest schema. Throws KnackError: "store.damaged", "store.foreign",
 * "store.newer", "store.locked", "store.full", "store.unwritable", "store.disk"; the file is then as it was.
 */
export function openStores({ file, backupFolder, clock, makeId = () => crypto.randomUUID(), factKeys, host, lockTimeoutMs = 5000 }: OpenStoresOptions): Stores {
  const connection = file === ":memory:" ? openConnection(file, lockTimeoutMs) : openStoreFile(resolve(file), backupFolder, lockTimeoutMs);
  try {
    useWriteAheadLog(connection);
    migrate(connection, migrations, () => backupBeforeUpgrade(connection, backupFolder, clock, migrations.length));
    return storesOver(connection, makeId, host ?? null, factKeys);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** `openStores`, closed: what is written is redacted on the way. */
export function openStoreSink(options: OpenStoresOptions): Sink<Stores> {
  return asSink(openStores(options));
}

function openStoreFile(file: string, backupFolder: string, lockTimeoutMs: number): Connection {
  refuseHalfRestored(file);
  try {
    if (!existsSync(file)) createStoreFile(file, backupFolder, lockTimeoutMs);
    makePrivate(file);
  } catch (error) {
    throw translateError(error, file);
  }
  const connection = openConnection(file, lockTimeoutMs);
  try {
    refuseNewerSchema(connection, migrations.length);
    refuseUnsound(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}
