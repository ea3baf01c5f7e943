import { setTimeout as sleep } from 'node:timers/promises';
import { describeCache, validForever } from '../caches.js';
import { toClientError } from '../database-errors.js';
import { createUnavailableError } from '../monitoring/unavailable.js';
import type { DirectConnection, Pools } from '../pools.js';
import { type Change, type ChangePosition, type Topic, topicsOf } from './change.js';
import { ChangeLogReader } from './change-log-reader.js';
import { Freshness } from './freshness.js';
import { notificationChannel, type RunQuery, readLog, readLogBounds } from './log-sql.js';
import { checksumOf, checksumRange, RecentChanges } from './recent-changes.js';
import { Watch } from './watch.js';

export {
  type Change,
  type ChangePosition,
  changeCursor,
  columnTopic,
  parseChangeCursor,
  rowTopic,
  type Topic,
} from './change.js';
export type { Freshness, LogMoment } from './freshness.js';
export { renewLog } from './log-sql.js';
export type { Watch, WatchEvent } from './watch.js';

describeCache({
  name: 'recent changes, for resumed subscriptions',
  limit: '10,000',
  validity: validForever,
});

/** Maximum number of changes per query when a client resumes from an older position. */
const pageSize = 1_000;
/**
 * Maximum number of missed changes in the last batch for a resuming client. This is half of the client's queue: the other half stays free
 * for live changes.
 */
const maxMissedChanges = 500;
/** Minimum time between two notifications to other processes, in milliseconds. */
const notifyInterval = 25;

/** Maximum time that `recentPosition()` waits for the current position, in milliseconds. */
const recentPositionTimeout = 500;

const matchesTopics = (topics: ReadonlySet<Topic>, change: Change): boolean =>
  topicsOf(change).some((topic) => topics.has(topic));

/** Listener that is called when the first client subscribes to matching topics, and when the last such client unsubscribes. */
interface SubscriptionListener {
  matches(topics: readonly Topic[]): boolean;
  notify(hasSubscribers: boolean): void;
  subscribers: number;
}

/** Reads the change log, which contains the writes of all processes, and sends committed changes to the subscribers of this process. */
export class ChangeLog {
  readonly #tail: ChangeLogReader;
  /** Checks whether rows have changed since they were read. */
  readonly freshness: Freshness;
  readonly #watchesByTopic = new Map<Topic, Set<Watch>>();
  readonly #topicsByWatch = new Map<Watch, readonly Topic[]>();
  readonly #listeners: SubscriptionListener[] = [];
  readonly #recent = new RecentChanges();
  /** Earlier logs that the current log continues after failovers. The value is the position up to which both logs have the same changes. */
  readonly #continuedLogs = new Map<string, number>();
  #notifyTimer: NodeJS.Timeout | null = null;
  #isNotifyPending = false;
  #isStopped = false;

  constructor(
    readonly pools: Pools,
    {
      connection = null,
      onError = () => undefined,
    }: { connection?: DirectConnection | null; onError?: (error: Error) => void } = {},
  ) {
    this.#tail = new ChangeLogReader(pools, {
      connection,
      onError,
      onChanges: (changes) => this.#onChanges(changes),
      onPoll: (position, walPosition) => this.freshness.mark(position, walPosition),
      onStart: (position, isFirst) => this.#onStart(position, isFirst),
      onContinue: (position, previousLog) => this.#onContinue(position, previousLog),
      recent: this.#recent,
    });
    this.freshness = new Freshness(pools, this.#tail);
    pools.onCommit = () => this.#notifyProcesses();
  }

  get subscriberCount(): number {
    return this.#topicsByWatch.size;
  }

  /**
   * Milliseconds since the start of the last poll that read the log to its end. If no poll has done so yet, since the start of the first
   * poll. Null before the first poll.
   */
  get lagMs(): number | null {
    return this.#tail.lagMs;
  }

  /** Total number of changes in the queues of all subscribers. */
  get queuedCount(): number {
    return [...this.#topicsByWatch.keys()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Starts to read the log, so that this process can continue it after a failover. Repeated calls have no effect. */
  follow(): void {
    if (!this.#tail.identity) void this.#tail.poll();
  }

  /** ID of the log. A failover changes this ID only if changes were lost. Empty before the log has been read. */
  get lineage(): string {
    return this.#tail.identity?.lineage ?? '';
  }

  /** Returns a position for a cursor. The position includes a checksum if the changes before it are in memory. */
  positionOf(log: string, position: number): ChangePosition {
    const identity = this.#tail.identity;
    const checksum = identity?.log === log ? this.#recent.checksumAt(position, identity.lineage) : undefined;
    return { log, position, checksum };
  }

  /** Returns the position up to which all changes are committed and read. All statements that start later see them. */
  async currentPosition(): Promise<ChangePosition> {
    await this.#tail.poll();
    const { position } = this.#tail;
    if (!position)
      throw createUnavailableError({ reason: 'database', cause: 'change log not read' }, 'the change log cannot be read', 5);
    return position;
  }

  /**
   * Returns the same position as `currentPosition()`, or an earlier one if open transactions delay the poll by more than half a second. If
   * this process has not read the log to its end yet, waits like `currentPosition()`, because the position can be thousands of changes
   * behind.
   */
  async recentPosition(): Promise<ChangePosition> {
    if (!this.#tail.hasCaughtUp) return this.currentPosition();
    await Promise.race([this.#tail.poll(), sleep(recentPositionTimeout, undefined, { ref: false })]);
    return this.#tail.position ?? this.currentPosition();
  }

  /**
   * Subscribes to topics. Without `after`, only new changes are sent. With `after`, missed changes are sent first. If the log no longer
   * contains them, a `CHANGES_MISSED` event is sent instead. Each change is sent once, in the order of the log.
   */
  async watch(topics: readonly Topic[], after: ChangePosition | null = null): Promise<Watch> {
    const current = await this.currentPosition();
    const end = (watch: Watch) => this.#removeWatch(watch);
    if (!after) return this.#addWatch(new Watch(current, end), topics, current.position);
    const { last, lastRemoved } = await readLogBounds(await this.#primaryQuery());
    if (after.position < lastRemoved || after.position > last || !(await this.#isContinued(after))) {
      const watch = new Watch(current, end);
      watch.push({ kind: 'CHANGES_MISSED', ...current });
      return this.#addWatch(watch, topics, current.position);
    }
    let { position } = after;
    const topicSet = new Set(topics);
    const restart = (newStart: ChangePosition) => {
      this.#addWatch(watch, topics, newStart.position);
      return { events: [{ kind: 'CHANGES_MISSED' as const, ...newStart }], isLast: true };
    };
    const watch: Watch = new Watch({ ...after, log: current.log }, end, async () => {
      const tailPosition = this.#tail.position ?? current;
      const { log, checksum } = position === after.position ? after : { log: watch.log, checksum: undefined };
      const isContinued = await this.#isContinued({ log, position, checksum });
      // If another failover has happened during the check, the next call checks the position again.
      if (this.#tail.position && this.#tail.position.log !== tailPosition.log) return { events: [], isLast: false };
      if (!isContinued) return restart(tailPosition);
      watch.log = tailPosition.log;
      if (this.#isStopped || position >= this.#recent.start) {
        const events = this.#isStopped ? [] : this.#recentChanges(topicSet, position);
        if (events.length > maxMissedChanges) {
          events.length = maxMissedChanges;
          position = events.at(-1)?.position ?? position;
          return { events, isLast: false };
        }
        this.#addWatch(watch, topics, position);
        return { events: [], isLast: true };
      }
      const start = position;
      const query = await this.#primaryQuery();
      const changes = await readLog(query, { after: start, until: tailPosition.position, limit: pageSize, topics });
      // Changes that were deleted from the log during the read may be missing.
      if ((await readLogBounds(query)).lastRemoved > start) return restart(tailPosition);
      position = changes.length < pageSize ? tailPosition.position : (changes.at(-1)?.position ?? tailPosition.position);
      return { events: changes.filter((change) => matchesTopics(topicSet, change)), isLast: false };
    });
    return watch;
  }

  /**
   * Calls `notify` with true when the first client subscribes to matching topics, and with false when the last such client unsubscribes.
   */
  onSubscription(matches: (topics: readonly Topic[]) => boolean, notify: (hasSubscribers: boolean) => void): void {
    this.#listeners.push({ matches, notify, subscribers: 0 });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#notifyTimer) clearTimeout(this.#notifyTimer);
    for (const watch of [...this.#topicsByWatch.keys()]) watch.end();
    await this.#tail.stop();
  }

  async #primaryQuery(): Promise<RunQuery> {
    const pool = await this.pools.pool();
    return (text, values) =>
      pool.query(text, values).catch((error: unknown) => {
        throw toClientError(error);
      });
  }

  /** Whether the current log has all changes up to a position in the given log. For a position in an earlier log, verifies its checksum. */
  async #isContinued({ log, position, checksum }: ChangePosition): Promise<boolean> {
    const identity = this.#tail.identity;
    if (log === identity?.log || position <= (this.#continuedLogs.get(log) ?? -1)) return true;
    if (!identity || checksum === undefined) return false;
    const { lineage } = identity;
    const cachedChecksum =
      position <= (this.#tail.position?.position ?? -1) ? this.#recent.checksumAt(position, lineage) : undefined;
    if (cachedChecksum !== undefined) return cachedChecksum === checksum;
    const after = this.#recent.checksumStart(position);
    const changes = await readLog(await this.#primaryQuery(), { after, until: position, limit: checksumRange });
    return checksumOf(lineage, changes) === checksum;
  }

  /**
   * Registers a subscriber and adds the recent changes after a position to its queue. Has no effect if the watch has ended, for example while
   * its missed events were read: an ended watch would stay registered forever.
   */
  #addWatch(watch: Watch, topics: readonly Topic[], position: number): Watch {
    if (watch.isEnded) return watch;
    if (this.#isStopped) {
      watch.end();
      return watch;
    }
    this.#topicsByWatch.set(watch, topics);
    for (const listener of this.#listeners) if (listener.matches(topics) && listener.subscribers++ === 0) listener.notify(true);
    for (const topic of topics) this.#watchesByTopic.set(topic, (this.#watchesByTopic.get(topic) ?? new Set()).add(watch));
    watch.pushMissed(this.#recentChanges(new Set(topics), position), position);
    return watch;
  }

  /** Returns the recent changes after a position that match the topics. */
  #recentChanges(topics: ReadonlySet<Topic>, position: number): Change[] {
    return this.#recent.after(position, (change) => matchesTopics(topics, change));
  }

  #removeWatch(watch: Watch): void {
    const topics = this.#topicsByWatch.get(watch) ?? [];
    for (const listener of this.#listeners) if (listener.matches(topics) && --listener.subscribers === 0) listener.notify(false);
    for (const topic of topics) {
      const watches = this.#watchesByTopic.get(topic);
      watches?.delete(watch);
      if (watches?.size === 0) this.#watchesByTopic.delete(topic);
    }
    this.#topicsByWatch.delete(watch);
  }

  #onChanges(changes: readonly Change[]): void {
    this.freshness.recordChanges(changes);
    this.#recent.add(changes);
    for (const change of changes) {
      // A subscriber receives a change only once, even if the change matches several of its topics.
      const watches = new Set<Watch>();
      for (const topic of topicsOf(change)) for (const watch of this.#watchesByTopic.get(topic) ?? []) watches.add(watch);
      for (const watch of watches) watch.push(change);
    }
  }

  #onStart(position: number, isFirst: boolean): void {
    this.freshness.startEpoch();
    this.#continuedLogs.clear();
    const log = this.#tail.position?.log;
    if (isFirst || !log) return;
    for (const watch of [...this.#topicsByWatch.keys()]) watch.push({ kind: 'CHANGES_MISSED', position, log });
  }

  /** After a failover without lost changes, open subscriptions continue with cursors of the new log. */
  #onContinue(position: number, previousLog: string): void {
    // The write-ahead log positions of the former primary do not apply to the new one.
    this.freshness.startEpoch();
    this.#continuedLogs.set(previousLog, position);
    const log = this.#tail.identity?.log;
    for (const watch of [...this.#topicsByWatch.keys()]) {
      if (log && watch.start.position <= position) watch.log = log;
      // The subscription started at a position that this process had not reached. When the client resumes, the checksum of its cursor is
      // verified.
      else
        watch.fail(
          createUnavailableError(
            { reason: 'database', cause: 'failover' },
            'the database failed over: resume from the last cursor',
          ),
        );
    }
  }

  /** Notifies all processes of new changes, at most once per `notifyInterval`. */
  #notifyProcesses(): void {
    if (this.#isStopped) return;
    if (this.#notifyTimer) {
      this.#isNotifyPending = true;
      return;
    }
    this.#isNotifyPending = false;
    this.#notifyTimer = setTimeout(() => {
      this.#notifyTimer = null;
      if (this.#isNotifyPending) this.#notifyProcesses();
    }, notifyInterval).unref();
    // Errors are ignored, because processes that miss the notification poll the log once a second.
    this.#primaryQuery()
      .then((query) => query(`notify ${notificationChannel}`))
      .catch(() => undefined);
  }
}
