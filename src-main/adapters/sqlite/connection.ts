import Database from "better-sqlite3";
import { KnackError } from "#contract/errors.ts";
import { translateError } from "./translate-error.ts";

export type Parameters = Readonly<Record<string, string | number | null | Uint8Array>>;

/** One open database. Every call is synchronous, binds its parameters by name, and throws errors a person can read. */
export class Connection implements Disposable {
  readonly file: string;
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  #isForgetting = false;

  constructor(database: Database.Database, file: string) {
    this.#database = database;
    this.file = file;
  }

  /** Rows changed. */
  run(sql: string, parameters: Parameters = {}): number {
    return this.#translated(() => this.#statement(sql).run(parameters).changes);
  }

  /** Like `run`, but a row that is not there throws KnackError "store.missing": a change must never be lost in silence. */
  change(what: string, sql: string, parameters: Parameters): void {
    if (this.run(sql, parameters) === 0) {
      throw new KnackError("store.missing", `There is no such ${what} in the store; it may have been deleted meanwhile.`, { fields: { what } });
    }
  }

  get<Row>(sql: string, parameters: Parameters = {}): Row | undefined {
    return this.#translated(() => this.#statement(sql).get(parameters) as Row | undefined);
  }

  all<Row>(sql: string, parameters: Parameters = {}): Row[] {
    return this.#translated(() => this.#statement(sql).all(parameters) as Row[]);
  }

  /** Several statements without parameters. */
  script(sql: string): void {
    this.#translated(() => this.#database.exec(sql));
  }

  /** First column of the first row of a pragma. */
  pragma(source: string): unknown {
    return this.#translated(() => this.#database.pragma(source, { simple: true }));
  }

  /** All or nothing; inside another transaction a savepoint. Takes the write lock first, so that what was read still holds when it is written. */
  transaction<T>(work: () => T): T {
    const isOuter = !this.#database.inTransaction;
    const result = this.#translated(() => this.#database.transaction(work).immediate());
    if (isOuter && this.#isForgetting) this.#emptyJournal();
    return result;
  }

  /** A transaction that removes what a person wants gone: afterwards the write-ahead log holds no copy of it either. */
  forget<T>(work: () => T): T {
    return this.transaction(() => {
      this.#isForgetting = true;
      return work();
    });
  }

  /**
   * Writes the whole file anew, so that no page keeps what was removed from it. Takes as long as a copy. Left out while another program reads: what was
   * removed has been overwritten where it stood all the same.
   */
  rebuild(): void {
    try {
      this.#database.exec("VACUUM");
      this.#database.pragma("wal_checkpoint(TRUNCATE)");
    } catch (error) {
      if (!isBusy(error)) throw translateError(error, this.file);
    }
  }

  /** Online copy; the store stays usable meanwhile. `file` must not exist. */
  async copyTo(file: string): Promise<void> {
    try {
      await this.#database.backup(file);
    } catch (error) {
      throw translateError(error, file);
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Fails only while another program reads; its next checkpoint then does the same. */
  #emptyJournal(): void {
    this.#isForgetting = false;
    try {
      this.#database.pragma("wal_checkpoint(TRUNCATE)");
    } catch (error) {
      if (!isBusy(error)) throw translateError(error, this.file);
    }
  }

  #statement(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #translated<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw translateError(error, this.file);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(?:BUSY|LOCKED)/u.test(error.code);
}
