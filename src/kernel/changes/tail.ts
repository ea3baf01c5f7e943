import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Pools } from '../pools.js';
import type { Change } from './change.js';
import { type AskLog, beforeRecent, channel, endsOfLog, logIdOf, readLog, writersOfLog } from './log-sql.js';

/** Polling interval in milliseconds, in case notifications are lost. */
const anyway = 1_000;
/** Delays in milliseconds between checks for open transactions, and between attempts to reconnect. */
const pauses = [2, 4, 8, 16, 32, 64];
const reconnecting = [50, 100, 200, 400, 800, 1_500];
/** Maximum number of changes per query. */
const page = 1_000;

const after = (list: readonly number[], attempt: number): number => list[Math.min(attempt, list.length - 1)] ?? 0;

export interface TailOptions {
  /** Connection string for LISTEN. Default: the primary of the pools. Required if that is behind a connection pooler without support for LISTEN. */
  readonly url?: string | null;
  /** Number of most recent changes to send at the first start. */
  readonly recent: number;
  /** Receives each change once, in the order of the log. */
  tell(changes: readonly Change[]): void;
  /**
   * Called with the position after which changes will follow: at the first start, and after a switch to another log or a gap. Unless `isFirst`,
   * subscribers have missed changes.
   */
  begin(position: number, isFirst: boolean): void;
  /** Called at each poll: all changes up to the position are committed at this byte position of the server's write-ahead log. */
  looked(position: number, written: number): void;
  /** Receives the error of a failed poll. It is retried. */
  trouble(error: Error): void;
}

/**
 * Follows the end of the change log over a dedicated connection. It reads after each notification, after each reconnect, and once a second.
 * Changes are sent only after all transactions with earlier positions have ended, so that no earlier change can follow.
 */
export class Tail {
  #client: pg.Client | null = null;
  #log: string | null = null;
  /** Position of the last change sent. Later positions without a change may be assigned again after a crash of the server. */
  #position = 0;
  /** Last position of the log at the last poll. */
  #seen = 0;
  #hasCaughtUp = false;
  #ended = false;
  #looking: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #failures = 0;
  readonly #end = new AbortController();

  constructor(
    readonly pools: Pools,
    readonly options: TailOptions,
  ) {}

  /** Current log, and position up to which it was read. Null before the first poll. */
  get place(): { log: string; position: number } | null {
    return this.#log === null ? null : { log: this.#log, position: this.#position };
  }

  /** Whether this process has read the log to its end once. Until then, `position` can be thousands of changes behind. */
  get hasCaughtUp(): boolean {
    return this.#hasCaughtUp;
  }

  /** Reads new changes. Resolves after a poll that started after this call. Failed polls are retried later. */
  look(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    if (!this.#looking) return this.#begin();
    this.#next ??= this.#looking.then(() => {
      this.#next = null;
      return this.#begin();
    });
    return this.#next;
  }

  async stop(): Promise<void> {
    this.#ended = true;
    this.#end.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#looking;
    this.#close();
  }

  #begin(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    const looking = this.#look()
      .then(
        () => {
          this.#failures = 0;
        },
        (error: Error) => {
          this.#close();
          this.#failures += 1;
          if (!this.#ended) this.options.trouble(error);
        },
      )
      .finally(() => {
        this.#looking = null;
        if (this.#ended) return;
        const pause = this.#failures ? after(reconnecting, this.#failures - 1) : anyway;
        this.#timer = setTimeout(() => void this.look(), pause).unref();
      });
    this.#looking = looking;
    return looking;
  }

  async #look(): Promise<void> {
    const ask = await this.#connected();
    const ends = await endsOfLog(ask);
    const { last, written } = ends;
    this.options.looked(this.#position, written);
    const isNew = last !== this.#seen;
    if (isNew) await this.#decided(ask);
    const { forgotten } = isNew ? await endsOfLog(ask) : ends;
    // Changes that this process has not read were deleted from the log: it was suspended for days, or the table was truncated.
    if (forgotten > this.#position) await this.#beginAnew(ask, last);
    if (!isNew) {
      this.#hasCaughtUp = true;
      return;
    }
    while (!this.#ended) {
      const changes = await readLog(ask, { after: this.#position, until: last, most: page });
      this.#position = changes.at(-1)?.position ?? this.#position;
      if (changes.length > 0) this.options.tell(changes);
      if (changes.length < page) break;
    }
    this.#seen = last;
    this.#hasCaughtUp = true;
  }

  /** Waits for all transactions that may have written one of the positions assigned so far. */
  async #decided(ask: AskLog): Promise<void> {
    const open = new Set(await writersOfLog(ask));
    for (let attempt = 0; open.size > 0 && !this.#ended; attempt++) {
      await sleep(after(pauses, attempt), undefined, { signal: this.#end.signal }).catch(() => undefined);
      const still = new Set(await writersOfLog(ask));
      for (const writer of open) if (!still.has(writer)) open.delete(writer);
    }
  }

  /** Returns the listening connection. Connects first if necessary, and checks which log the server has. */
  async #connected(): Promise<AskLog> {
    const client = this.#client ?? (await this.#connect());
    this.#client = client;
    return (text, values) => client.query(text, values);
  }

  async #connect(): Promise<pg.Client> {
    const { options } = await this.pools.pool();
    const { url } = this.options;
    const client = new pg.Client({
      ...options,
      ...(url ? { connectionString: url } : { password: options.password }),
      application_name: 'courtside changes',
      connectionTimeoutMillis: 5_000,
      query_timeout: 30_000,
      keepAlive: true,
    });
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', () => void this.look());
    try {
      await client.connect();
      await client.query(`set timezone = 'UTC'; listen ${channel}`);
      const ask: AskLog = (text, values) => client.query(text, values);
      const log = await logIdOf(ask);
      this.#seen = 0;
      const { last } = await endsOfLog(ask);
      // After a failover, the server may have fewer changes than this process has read.
      if (log === this.#log && last >= this.#position) return client;
      await this.#beginAnew(ask, last, log);
      return client;
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
  }

  /** Starts with the recent changes the first time. Later starts skip to the end of the log, and subscribers must reload their data. */
  async #beginAnew(ask: AskLog, last: number, log = this.#log): Promise<void> {
    await this.#decided(ask);
    const isFirst = this.#log === null;
    this.#position = await beforeRecent(ask, last, isFirst ? this.options.recent : 0);
    this.#log = log;
    this.options.begin(this.#position, isFirst);
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    if (!this.#ended) void this.look();
  }

  #close(): void {
    const client = this.#client;
    this.#client = null;
    client?.end().catch(() => undefined);
  }
}
