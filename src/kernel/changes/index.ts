import { setTimeout as sleep } from 'node:timers/promises';
import { describeCache, validForever } from '../caches.js';
import { toClientError } from '../database-errors.js';
import { problem } from '../declare/errors.js';
import type { Pools } from '../pools.js';
import { type Change, type Topic, topicsOf } from './change.js';
import type { ChangePlace } from './cursor.js';
import { Freshness } from './freshness.js';
import { type AskLog, channel, endsOfLog, readLog } from './log-sql.js';
import { Tail } from './tail.js';
import { Watch } from './watch.js';

export { type Change, ofRow, ofRowsWith, type Topic } from './change.js';
export { type ChangePlace, changeCursor, placeOfCursor } from './cursor.js';
export type { Freshness, Moment } from './freshness.js';
export type { Told, Watch } from './watch.js';

/** Number of recent changes in memory, for clients that resume soon. */
const recent = 5_000;
describeCache({
  name: 'the last changes, for those who come back for what they missed',
  limit: '10,000',
  validity: validForever,
});

/** Maximum number of changes per query when a client resumes from an older position. */
const page = 1_000;
/** Maximum number of missed changes before a resuming client switches to live changes. Half of the queue of a watch stays free for these. */
const few = 500;
/** Minimum time between two notifications of other processes, in milliseconds. */
const pause = 25;

/** Maximum time that `soon()` waits for the current position, in milliseconds. */
const patience = 500;

const serves = (topics: ReadonlySet<Topic>, change: Change): boolean => topicsOf(change).some((topic) => topics.has(topic));

/** Listener that is notified when the first subscriber to matching topics arrives, and when the last one leaves. */
interface Lookout {
  isSuch(topics: readonly Topic[]): boolean;
  tell(isWaited: boolean): void;
  waiting: number;
}

/** Reads the change log, with the writes of all processes, and sends committed changes to the subscribers of this process. */
export class ChangeLog {
  readonly #tail: Tail;
  /** Checks whether rows have changed since they were read. */
  readonly freshness: Freshness;
  readonly #watches = new Map<Topic, Set<Watch>>();
  readonly #topics = new Map<Watch, readonly Topic[]>();
  readonly #lookouts: Lookout[] = [];
  #recent: Change[] = [];
  /** `#recent` contains all changes after this position. */
  #recentAfter = 0;
  #telling: NodeJS.Timeout | null = null;
  #isAgain = false;
  #ended = false;

  constructor(
    readonly pools: Pools,
    { url = null, trouble = () => undefined }: { url?: string | null; trouble?: (error: Error) => void } = {},
  ) {
    this.#tail = new Tail(pools, {
      url,
      trouble,
      tell: (changes) => this.#hear(changes),
      looked: (position, written) => this.freshness.mark(position, written),
      begin: (position, isFirst) => this.#begin(position, isFirst),
      recent,
    });
    this.freshness = new Freshness(pools, this.#tail);
    pools.onCommit = () => this.#tellOthers();
  }

  /** Number of subscribers. */
  get size(): number {
    return this.#topics.size;
  }

  /** Total number of changes in the queues of all subscribers. */
  get waiting(): number {
    return [...this.#topics.keys()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns the position up to which all changes are committed and read. Statements that start later see all of them. */
  async here(): Promise<ChangePlace> {
    await this.#tail.look();
    const { place } = this.#tail;
    if (!place) throw problem('UNAVAILABLE', 'the log of changes cannot be read', { retryAfter: 5 });
    return place;
  }

  /**
   * Returns the same position as `here()`, or an earlier one if open transactions delay it by more than half a second. Waits like `here()`
   * until this process has read the log for the first time, because the initial position can be thousands of changes behind.
   */
  async soon(): Promise<ChangePlace> {
    if (!this.#tail.hasCaughtUp) return this.here();
    await Promise.race([this.#tail.look(), sleep(patience, undefined, { ref: false })]);
    return this.#tail.place ?? this.here();
  }

  /**
   * Subscribes to the changes of topics, from now on or after a position. With a position, missed changes come first. If the log no longer has
   * them, a `CHANGES_MISSED` event comes instead. Each change is sent once, in the order of the log.
   */
  async watch(topics: readonly Topic[], after: ChangePlace | null = null): Promise<Watch> {
    const here = await this.here();
    const end = (watch: Watch) => this.#leave(watch);
    if (!after) return this.#join(new Watch(here, end), topics, here.position);
    const { last, forgotten } = await endsOfLog(await this.#ask());
    if (after.log !== here.log || after.position < forgotten || after.position > last) {
      const watch = new Watch(here, end);
      watch.tell({ kind: 'CHANGES_MISSED', ...here });
      return this.#join(watch, topics, here.position);
    }
    let { position } = after;
    const wanted = new Set(topics);
    const anew = (place: ChangePlace) => {
      this.#join(watch, topics, place.position);
      return { told: [{ kind: 'CHANGES_MISSED' as const, ...place }], isLast: true };
    };
    const watch: Watch = new Watch(after, end, async () => {
      const place = this.#tail.place ?? here;
      if (place.log !== after.log) return anew(place);
      if (this.#ended || position >= this.#recentAfter) {
        const told = this.#ended ? [] : this.#missed(wanted, position);
        if (told.length > few) {
          told.length = few;
          position = told.at(-1)?.position ?? position;
          return { told, isLast: false };
        }
        this.#join(watch, topics, position);
        return { told: [], isLast: true };
      }
      const from = position;
      const ask = await this.#ask();
      const changes = await readLog(ask, { after: from, until: place.position, most: page, topics });
      // Changes that were deleted from the log during the read may be missing.
      if ((await endsOfLog(ask)).forgotten > from) return anew(place);
      position = changes.length < page ? place.position : (changes.at(-1)?.position ?? place.position);
      return { told: changes.filter((change) => serves(wanted, change)), isLast: false };
    });
    return watch;
  }

  /** Calls the listener with true when the first subscriber to matching topics arrives, and with false when the last one leaves. */
  whenAwaited(isSuch: (topics: readonly Topic[]) => boolean, tell: (isWaited: boolean) => void): void {
    this.#lookouts.push({ isSuch, tell, waiting: 0 });
  }

  async stop(): Promise<void> {
    this.#ended = true;
    if (this.#telling) clearTimeout(this.#telling);
    for (const watch of [...this.#topics.keys()]) watch.end();
    await this.#tail.stop();
  }

  async #ask(): Promise<AskLog> {
    const pool = await this.pools.pool();
    return (text, values) =>
      pool.query(text, values).catch((error: unknown) => {
        throw toClientError(error);
      });
  }

  /** Registers a subscriber. It immediately receives the recent changes after a position. */
  #join(watch: Watch, topics: readonly Topic[], position: number): Watch {
    if (this.#ended) {
      watch.end();
      return watch;
    }
    this.#topics.set(watch, topics);
    for (const lookout of this.#lookouts) if (lookout.isSuch(topics) && lookout.waiting++ === 0) lookout.tell(true);
    for (const topic of topics) this.#watches.set(topic, (this.#watches.get(topic) ?? new Set()).add(watch));
    watch.missed(this.#missed(new Set(topics), position), position);
    return watch;
  }

  /** Recent changes of topics after a position. */
  #missed(wanted: ReadonlySet<Topic>, position: number): Change[] {
    return this.#recent.filter((change) => change.position > position && serves(wanted, change));
  }

  #leave(watch: Watch): void {
    const topics = this.#topics.get(watch) ?? [];
    for (const lookout of this.#lookouts) if (lookout.isSuch(topics) && --lookout.waiting === 0) lookout.tell(false);
    for (const topic of topics) {
      const others = this.#watches.get(topic);
      others?.delete(watch);
      if (others?.size === 0) this.#watches.delete(topic);
    }
    this.#topics.delete(watch);
  }

  #hear(changes: readonly Change[]): void {
    this.freshness.hear(changes);
    this.#recent.push(...changes);
    if (this.#recent.length > 2 * recent) this.#shorten();
    for (const change of changes) {
      // A subscriber to several topics of the change receives it once.
      const told = new Set<Watch>();
      for (const topic of topicsOf(change)) for (const watch of this.#watches.get(topic) ?? []) told.add(watch);
      for (const watch of told) watch.tell(change);
    }
  }

  #shorten(): void {
    const gone = this.#recent.splice(0, this.#recent.length - recent);
    this.#recentAfter = gone.at(-1)?.position ?? this.#recentAfter;
  }

  #begin(position: number, isFirst: boolean): void {
    this.freshness.begin();
    this.#recent = [];
    this.#recentAfter = position;
    const log = this.#tail.place?.log;
    if (isFirst || !log) return;
    for (const watch of [...this.#topics.keys()]) watch.tell({ kind: 'CHANGES_MISSED', position, log });
  }

  /** Notifies all processes of new changes: immediately, then at most once per `pause`. */
  #tellOthers(): void {
    if (this.#ended) return;
    if (this.#telling) {
      this.#isAgain = true;
      return;
    }
    this.#isAgain = false;
    this.#telling = setTimeout(() => {
      this.#telling = null;
      if (this.#isAgain) this.#tellOthers();
    }, pause).unref();
    // Missed notifications are picked up by polling once a second.
    this.#ask()
      .then((ask) => ask(`notify ${channel}`))
      .catch(() => undefined);
  }
}
