import type { Pools } from '../pools.js';
import type { ResponseSources } from '../response-sources.js';
import type { Change } from './change.js';
import type { ChangeLogReader } from './change-log-reader.js';
import { type RunQuery, readCatalog, readUnreadChanges, type UnreadChanges } from './log-sql.js';
import { type Source, Sources } from './sources.js';

/** Point in the change log up to which all changes are committed. Statements that start later on the primary see all of them. */
export interface LogMoment {
  /** Positions of different epochs cannot be compared. */
  readonly epoch: number;
  readonly position: number;
}

/** If there are at least this many unread changes, all records count as changed. */
const maxChanges = 200;

/**
 * Minimum time between marks in milliseconds, and maximum number of marks. A replica that lags behind the oldest mark has no known
 * `LogMoment`.
 */
const markInterval = 100;
const maxMarks = 600;

/** A `LogMoment`, with the write-ahead log position of the primary at that moment. */
interface Mark {
  readonly time: number;
  readonly walPosition: number;
  readonly moment: LogMoment;
}

/**
 * Checks whether rows have changed since they were read.
 *
 * A statement that ran at a `LogMoment` M saw all changes up to the position of M. The tail (the reader of the log) ensures this: it waits
 * for all transactions that may have earlier positions. A response is valid until a later change to its records is committed. Changes up to
 * the tail's position T are in memory. Changes after T are read from the primary. The statement that reads them starts after the check began, so
 * it sees everything that any process has committed by then. Changes of open transactions have positions after T, because all transactions
 * up to T have ended. A later check finds these changes. No check waits for open transactions.
 */
export class Freshness {
  /** Position of the last change to each record. */
  readonly #lastPositions = new Map<string, number>();
  /** Marks, earliest first. */
  #marks: Mark[] = [];
  #epoch = 0;
  #sources: Sources | null = null;
  #schemaVersion = '';
  #loadingCatalog: Promise<void> | null = null;
  #runningCheck: Promise<CheckedChanges | null> | null = null;
  #nextCheck: Promise<CheckedChanges | null> | null = null;

  constructor(
    readonly pools: Pools,
    readonly tail: ChangeLogReader,
  ) {}

  /** Current position of the tail, without a query. Null until the log and the catalog are loaded. */
  get moment(): LogMoment | null {
    const { position } = this.tail;
    return position && this.#sources && { epoch: this.#epoch, position: position.position };
  }

  /**
   * Returns the point in the change log that a replica has reached, given the write-ahead log position that it has replayed. Null if the
   * point is unknown.
   */
  momentAt(appliedWalPosition: number | undefined): LogMoment | null {
    return this.#marks.findLast(({ walPosition }) => walPosition <= (appliedWalPosition ?? -1))?.moment ?? null;
  }

  /** Stores the write-ahead log position of the primary that corresponds to a position in the change log. */
  mark(position: number, walPosition: number): void {
    const [time, last] = [performance.now(), this.#marks.at(-1)];
    if (last && (last.moment.position === position || time - last.time < markInterval)) return;
    this.#marks.push({ time, walPosition, moment: { epoch: this.#epoch, position } });
    if (this.#marks.length > maxMarks) this.#marks.splice(0, maxMarks / 2);
  }

  /** Starts to follow the log. Repeated calls have no effect. */
  follow(): void {
    if (!this.tail.position) void this.tail.poll();
    if (!this.#sources) this.#loadCatalog();
  }

  /** Returns the dependencies of a response. Null until the catalog is loaded. */
  sourceOf(sources: ResponseSources): Source | null {
    return this.#sources?.sourceOfReads(sources) ?? null;
  }

  recordChanges(changes: readonly Change[]): void {
    for (const { record, position } of changes) this.#lastPositions.set(record, position);
  }

  /** Starts a new epoch, after a switch to another log, a failover or a migration. Earlier positions become invalid. */
  startEpoch(): void {
    this.#epoch += 1;
    this.#marks = [];
    this.#lastPositions.clear();
  }

  /** Whether none of the records has changed since a `LogMoment`. Considers all writes that were committed before the call. */
  async isUnchanged(records: readonly string[], moment: LogMoment): Promise<boolean> {
    if (this.#hasChanged(records, moment)) return false;
    const unreadChanges = await this.#checkLog();
    // The tail may have read changes during the check. They are in memory but may be missing from the result of the check.
    if (!unreadChanges || unreadChanges.epoch !== moment.epoch || this.#hasChanged(records, moment)) return false;
    return !records.some((record) => unreadChanges.records.has(record));
  }

  #hasChanged(records: readonly string[], { epoch, position }: LogMoment): boolean {
    return epoch !== this.#epoch || !this.#sources || records.some((record) => (this.#lastPositions.get(record) ?? 0) > position);
  }

  /**
   * Reads the changes after the position of the tail with a statement that starts after this call. Calls during a running statement share
   * the next statement.
   */
  #checkLog(): Promise<CheckedChanges | null> {
    if (!this.#runningCheck) return this.#startCheck();
    this.#nextCheck ??= this.#runningCheck.then(() => {
      this.#nextCheck = null;
      return this.#startCheck();
    });
    return this.#nextCheck;
  }

  #startCheck(): Promise<CheckedChanges | null> {
    this.#runningCheck = this.#readUnreadChanges()
      // If the check fails, the caller queries the database itself and receives the error.
      .catch(() => null)
      .finally(() => {
        this.#runningCheck = null;
      });
    return this.#runningCheck;
  }

  async #readUnreadChanges(): Promise<CheckedChanges | null> {
    const { position } = this.tail;
    const epoch = this.#epoch;
    const changes: UnreadChanges | null = position && (await readUnreadChanges(await this.#queryPrimary(), position, maxChanges));
    if (!changes) return null;
    // Manual SQL sends no notification, so the tail must be polled. Until it has read the changes, all responses that depend on them must
    // be computed again.
    if (changes.records.length > 0) void this.tail.poll();
    if (changes.schemaVersion === this.#schemaVersion) return { epoch, records: new Set(changes.records) };
    this.#sources = null;
    this.startEpoch();
    this.#loadCatalog();
    return null;
  }

  /** Loads the catalog of the database: the tables that triggers log, and the schema version. Called at start and after a migration. */
  #loadCatalog(): void {
    this.#loadingCatalog ??= this.#queryPrimary()
      .then(readCatalog)
      .then(
        ({ loggedTables, schemaVersion }) => {
          this.#schemaVersion = schemaVersion;
          this.#sources = new Sources(loggedTables);
        },
        // The next call of `follow` retries.
        () => undefined,
      )
      .finally(() => {
        this.#loadingCatalog = null;
      });
  }

  async #queryPrimary(): Promise<RunQuery> {
    const pool = await this.pools.pool();
    return (text, values) => pool.query(text, values);
  }
}

interface CheckedChanges {
  readonly epoch: number;
  readonly records: ReadonlySet<string>;
}
