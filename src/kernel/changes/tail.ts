import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Pools } from '../pools.js';
import type { Change } from './change.js';
import { type AskLog, beforeRecent, channel, endsOfLog, logIdOf, readLog, writersOfLog } from './log-sql.js';

/** How often one looks without having been told that there is something, in milliseconds: what was told may be lost on its way. */
const anyway = 1_000;
/** How long one waits before another look at transactions that are open, and before another connection, in milliseconds. */
const pauses = [2, 4, 8, 16, 32, 64];
const reconnecting = [50, 100, 200, 400, 800, 1_500];
/** Most changes read at a time. */
const page = 1_000;

const after = (list: readonly number[], attempt: number): number => list[Math.min(attempt, list.length - 1)] ?? 0;

export interface TailOptions {
  /** Where one listens; the primary of the pools unless that is behind a pooler that knows no LISTEN. */
  readonly url?: string | null;
  /** So many of the last changes are told when it begins for the first time. */
  readonly recent: number;
  /** Hears of every change, once each and in the order of the log. */
  tell(changes: readonly Change[]): void;
  /** Hears behind which position it begins to tell; but for the first time, that of another log, of which the positions before say nothing. */
  begin(position: number, isFirst: boolean): void;
  /** Hears at each look that everything up to a position was committed when the server had written so many bytes to its own log. */
  looked(position: number, written: number): void;
  /** Hears why a look failed; the next one is made soon. */
  trouble(error: Error): void;
}

/**
 * The end of the log, as this process reads it: over one connection of its own, when it hears that something was written, after every
 * reconnect, and once a second. Changes are told when all before them are decided, so that none comes later that stands before them.
 */
export class Tail {
  #client: pg.Client | null = null;
  #log: string | null = null;
  /** Of the last change told: what lies behind it and is no change is given out anew after a crash. */
  #position = 0;
  /** Up to where there was nothing more at the last look. */
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

  /** Which log it reads, and up to where it has; null before the first look. */
  get place(): { log: string; position: number } | null {
    return this.#log === null ? null : { log: this.#log, position: this.#position };
  }

  /** Whether this process has read the log to its end once. Until then, `place` can be thousands of changes behind. */
  get hasCaughtUp(): boolean {
    return this.#hasCaughtUp;
  }

  /** Looks whether there is something new; done once a look is that began after it was called. Failed looks are made again later. */
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
    // Who stood still for days has missed what nobody knows any more; rows that were truncated are told by nothing else.
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

  /** Waits until those have come to their end who may have written one of the positions given out so far. */
  async #decided(ask: AskLog): Promise<void> {
    const open = new Set(await writersOfLog(ask));
    for (let attempt = 0; open.size > 0 && !this.#ended; attempt++) {
      await sleep(after(pauses, attempt), undefined, { signal: this.#end.signal }).catch(() => undefined);
      const still = new Set(await writersOfLog(ask));
      for (const writer of open) if (!still.has(writer)) open.delete(writer);
    }
  }

  /** A connection that listens; on a new one it is looked up first which log there is. */
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
      // What was read before a failover may be more than what is there now.
      if (log === this.#log && last >= this.#position) return client;
      await this.#beginAnew(ask, last, log);
      return client;
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
  }

  /** Begins with the recent changes for the first time; later those who wait are told to read anew, and nothing again that they read then. */
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
