import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DirectConnection, Pools } from '../pools.js';
import type { Change } from './change.js';
import {
  type LogIdentity,
  notificationChannel,
  positionBeforeRecentChanges,
  type RunQuery,
  readLog,
  readLogBounds,
  readLogIdentity,
  readOpenWriters,
  renewLog,
} from './log-sql.js';
import { checksumOf, minRecentChanges, type RecentChanges } from './recent-changes.js';

/** Polling interval in milliseconds. Polling finds changes whose notifications were lost. */
const pollInterval = 1_000;
/** Delays in milliseconds between successive checks for open transactions, and between successive attempts to reconnect. */
const checkDelays = [2, 4, 8, 16, 32, 64];
const reconnectDelays = [50, 100, 200, 400, 800, 1_500];
/** Maximum number of changes per query. */
const pageSize = 1_000;

const delayAfter = (list: readonly number[], attempt: number): number => list[Math.min(attempt, list.length - 1)] ?? 0;

interface ReaderOptions {
  /**
   * Connection for LISTEN. Default: the primary. Required if the primary is behind a pooler that does not support LISTEN.
   */
  readonly connection?: DirectConnection | null;
  /** Cache of the changes that were sent recently. `onChanges` must add new changes to it. */
  readonly recent: RecentChanges;
  /** Receives each change once, in the order of the log. */
  onChanges(changes: readonly Change[]): void;
  /**
   * Called with the position before the next changes: at the first start, after unread changes were deleted, and after a switch to another
   * log. Subscribers have missed changes unless `isFirst` is true.
   */
  onStart(position: number, isFirst: boolean): void;
  /** Called after a failover without lost changes: changes up to `position` are the same as in the log `previousLog`. */
  onContinue(position: number, previousLog: string): void;
  /**
   * Called at each poll. All changes up to `position` were committed before `walPosition`, the current write-ahead log position of the
   * primary in bytes.
   */
  onPoll(position: number, walPosition: number): void;
  /** Receives the error of a failed poll, which is retried. */
  onError(error: Error): void;
}

/**
 * Reads new changes of the change log over a dedicated connection, after each notification, after each reconnect, and once a second. Waits
 * for all open transactions that may have earlier positions, because changes must be sent in the order of the log.
 */
export class ChangeLogReader {
  #client: pg.Client | null = null;
  #identity: LogIdentity | null = null;
  /** Position of the last change that was sent. After a crash, PostgreSQL may assign later positions a second time. */
  #position = 0;
  /** Last position in the log at the time of the last complete poll. 0 after a reconnect. */
  #polledPosition = 0;
  #hasCaughtUp = false;
  /**
   * Start of the last poll that read the log to its end, or of the first poll if none has done so yet. A value of `performance.now()`. Null
   * before the first poll.
   */
  #caughtUpAt: number | null = null;
  #isStopped = false;
  #runningPoll: Promise<void> | null = null;
  #nextPoll: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #failures = 0;
  readonly #abort = new AbortController();

  constructor(
    readonly pools: Pools,
    readonly options: ReaderOptions,
  ) {}

  /** Current log, and the position up to which it was read. Null before the first poll. */
  get position(): { log: string; position: number; checksum: string | undefined } | null {
    if (this.#identity === null) return null;
    const { log, lineage } = this.#identity;
    return { log, position: this.#position, checksum: this.options.recent.checksumAt(this.#position, lineage) };
  }

  /** Identity of the log. Null before the first poll. */
  get identity(): LogIdentity | null {
    return this.#identity;
  }

  /** Whether this process has read the log to its end at least once. Until then, `position` can be thousands of changes behind. */
  get hasCaughtUp(): boolean {
    return this.#hasCaughtUp;
  }

  /**
   * Milliseconds since the start of the last poll that read the log to its end. If no poll has done so yet, since the start of the first
   * poll. Null before the first poll.
   */
  get lagMs(): number | null {
    return this.#caughtUpAt === null ? null : performance.now() - this.#caughtUpAt;
  }

  /** Reads new changes. Resolves after a poll that starts after this call. A failed poll is retried later. */
  poll(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    if (!this.#runningPoll) return this.#startPoll();
    this.#nextPoll ??= this.#runningPoll.then(() => {
      this.#nextPoll = null;
      return this.#startPoll();
    });
    return this.#nextPoll;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#abort.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#runningPoll;
    this.#close();
  }

  #startPoll(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    // Set before the first poll ends, because open transactions can delay the poll.
    this.#caughtUpAt ??= performance.now();
    const currentRead = this.#readNewChanges()
      .then(
        () => {
          this.#failures = 0;
        },
        (error: Error) => {
          this.#close();
          this.#failures += 1;
          if (!this.#isStopped) this.options.onError(error);
        },
      )
      .finally(() => {
        this.#runningPoll = null;
        if (this.#isStopped) return;
        const delay = this.#failures ? delayAfter(reconnectDelays, this.#failures - 1) : pollInterval;
        this.#timer = setTimeout(() => void this.poll(), delay).unref();
      });
    this.#runningPoll = currentRead;
    return currentRead;
  }

  async #readNewChanges(): Promise<void> {
    const startTime = performance.now();
    const query = await this.#listeningConnection();
    const bounds = await readLogBounds(query);
    const { last, walPosition, renewableId } = bounds;
    if (renewableId !== this.#identity?.renewableId) await this.#restart(query, last, await readLogIdentity(query));
    this.options.recent.lastRemoved = bounds.lastRemoved;
    this.options.onPoll(this.#position, walPosition);
    const isNew = last !== this.#polledPosition;
    if (isNew) await this.#waitForOpenWriters(query);
    const { lastRemoved } = isNew ? await readLogBounds(query) : bounds;
    // Unread changes have been deleted from the log: this process was suspended for days, or the table was truncated.
    if (lastRemoved > this.#position) await this.#restart(query, last);
    if (!isNew) {
      this.#setCaughtUp(startTime);
      return;
    }
    while (!this.#isStopped) {
      const changes = await readLog(query, { after: this.#position, until: last, limit: pageSize });
      this.#position = changes.at(-1)?.position ?? this.#position;
      if (changes.length > 0) this.options.onChanges(changes);
      if (changes.length < pageSize) break;
    }
    this.#polledPosition = last;
    this.#setCaughtUp(startTime);
  }

  #setCaughtUp(startTime: number): void {
    this.#hasCaughtUp = true;
    this.#caughtUpAt = startTime;
  }

  /** Waits for all open transactions that may already have a position. */
  async #waitForOpenWriters(query: RunQuery): Promise<void> {
    const openWriters = new Set(await readOpenWriters(query));
    for (let attempt = 0; openWriters.size > 0 && !this.#isStopped; attempt++) {
      await sleep(delayAfter(checkDelays, attempt), undefined, { signal: this.#abort.signal }).catch(() => undefined);
      const currentWriters = new Set(await readOpenWriters(query));
      for (const writer of openWriters) if (!currentWriters.has(writer)) openWriters.delete(writer);
    }
  }

  /** Returns a query function for the listening connection. Connects if necessary. */
  async #listeningConnection(): Promise<RunQuery> {
    const client = this.#client ?? (await this.#connect());
    this.#client = client;
    return (text, values) => client.query(text, values);
  }

  async #connect(): Promise<pg.Client> {
    const { options } = await this.pools.pool();
    const { connection } = this.options;
    const client = new pg.Client({
      ...options,
      ...(connection ?? { password: options.password }),
      application_name: 'courtside changes',
      connectionTimeoutMillis: 5_000,
      query_timeout: 30_000,
      keepAlive: true,
    });
    client.on('error', () => this.#onDisconnect(client));
    client.on('end', () => this.#onDisconnect(client));
    client.on('notification', () => void this.poll());
    try {
      await client.connect();
      await client.query(`set timezone = 'UTC'; listen ${notificationChannel}`);
      const query: RunQuery = (text, values) => client.query(text, values);
      await this.#openLog(query);
      return client;
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
  }

  /** Continues the log of this process if the server has all changes that were sent. Otherwise, switches to the log of the server. */
  async #openLog(query: RunQuery): Promise<void> {
    const identity = await readLogIdentity(query);
    const previous = this.#identity;
    this.#polledPosition = 0;
    const { last, lastRemoved } = await readLogBounds(query);
    const hasPosition = last >= this.#position;
    if (hasPosition && identity.log === previous?.log) return;
    if (identity.lineage !== previous?.lineage) return this.#restart(query, last, identity);
    if (hasPosition && (await this.#hasSentChanges(query, identity, lastRemoved))) {
      this.#identity = identity;
      this.options.onContinue(this.#position, previous.log);
      return;
    }
    // The new primary lacks changes that were sent. The log is renewed for all processes, because other processes and webhooks may also
    // have sent lost changes.
    await renewLog(query, identity.renewableId);
    await this.#restart(query, last, await readLogIdentity(query));
  }

  /** Whether a server has the changes that this process has sent recently. */
  async #hasSentChanges(query: RunQuery, { lineage }: LogIdentity, lastRemoved: number): Promise<boolean> {
    const { recent } = this.options;
    recent.lastRemoved = lastRemoved;
    const after = Math.max(recent.checksumStart(this.#position), recent.start);
    const changes = await readLog(query, { after, until: this.#position, limit: minRecentChanges });
    return checksumOf(lineage, changes) === recent.checksumAfter(after, this.#position, lineage);
  }

  /**
   * Sets the position. At the first start, it is before the recent changes. At later starts, it is at the end of the log, and subscribers
   * must reload their data.
   */
  async #restart(query: RunQuery, last: number, identity = this.#identity): Promise<void> {
    await this.#waitForOpenWriters(query);
    const { recent } = this.options;
    const isFirst = this.#identity === null;
    const position = await positionBeforeRecentChanges(query, last, isFirst ? minRecentChanges : 0);
    recent.lastRemoved = (await readLogBounds(query)).lastRemoved;
    // Changes up to the position are not sent, but they are needed to compute the next checksums.
    const after = isFirst ? position : recent.checksumStart(position);
    const earlierChanges = await readLog(query, { after, until: position, limit: minRecentChanges });
    recent.restart(after);
    recent.add(earlierChanges);
    this.#position = position;
    this.#identity = identity;
    this.options.onStart(this.#position, isFirst);
  }

  #onDisconnect(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    if (!this.#isStopped) void this.poll();
  }

  #close(): void {
    const client = this.#client;
    this.#client = null;
    client?.end().catch(() => undefined);
  }
}
