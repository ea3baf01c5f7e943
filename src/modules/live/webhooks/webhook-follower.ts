import { createHash } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Change, ChangeLog, ChangePosition, Watch, WatchEvent } from '../../../kernel/changes/index.js';
import { visibleChanges } from '../../../kernel/read/conditions/visible-changes-sql.js';
import { type Pools, Session } from '../../../kernel/session.js';
import {
  anyPlatform,
  includesChange,
  missedEvent,
  type QueuedEvent,
  recordNamesOf,
  toQueuedEvent,
  webhookRecords,
} from './webhook-events.js';
import { addDeliveries, countPending, moveToFront, positionOfWebhook } from './webhook-sql.js';

/** Maximum number of changes per batch, and of pending deliveries per webhook. Further changes stay in the log. */
const limits = { batch: 200, pending: 10_000 };

/** Derives the ID of a delivery from the webhook and the event. */
const deliveryIdOf = (webhookId: string, eventKey: string): string =>
  createHash('sha256').update(`${webhookId} ${eventKey}`).digest('base64url').slice(0, 27);

export interface FollowerOptions {
  readonly pools: Pools;
  readonly changes: ChangeLog;
  readonly onError: (error: Error) => void;
  /** Called after deliveries have been added. */
  readonly onAdded: () => void;
  /** Interval in milliseconds at which the log position of an idle webhook is stored. */
  readonly positionInterval: number;
}

/** Copies the events for a webhook from the change log to its queue, in order and exactly once. */
export class WebhookFollower {
  readonly #abort = new AbortController();
  readonly #work: Promise<void>;
  readonly #timer: NodeJS.Timeout;
  readonly #sql: Session;
  #watch: Watch | null = null;
  #isIdle = false;

  constructor(
    readonly id: string,
    readonly events: readonly string[],
    readonly options: FollowerOptions,
  ) {
    this.#sql = new Session(options.pools, 'write');
    this.#work = this.#follow();
    this.#timer = setInterval(() => void this.#storePosition().catch(options.onError), options.positionInterval).unref();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    clearInterval(this.#timer);
    await this.#watch?.return();
    await this.#work;
  }

  async #follow(): Promise<void> {
    while (!this.#abort.signal.aborted) {
      try {
        await this.#read();
      } catch (error) {
        if (error instanceof Error) this.options.onError(error);
      }
      this.#isIdle = false;
      await this.#pause(1_000);
    }
  }

  async #read(): Promise<void> {
    const position = await positionOfWebhook(this.#sql, this.id);
    const records = recordNamesOf(this.events);
    if (!position || records.length === 0 || this.#abort.signal.aborted) return;
    const watch = await this.options.changes.watch(records, position);
    this.#watch = watch;
    try {
      if (!this.#abort.signal.aborted) await this.#readFrom(watch);
    } finally {
      // Changes that were received but not stored are read again, starting from the stored position.
      await watch.return();
    }
  }

  async #readFrom(watch: Watch): Promise<void> {
    for (;;) {
      this.#isIdle = true;
      const { done, value } = await watch.next();
      this.#isIdle = false;
      if (done) return;
      const batch: WatchEvent[] = [value];
      while (watch.size > 0 && batch.length < limits.batch) batch.push((await watch.next()).value);
      while ((await countPending(this.#sql, this.id)) > limits.pending && !this.#abort.signal.aborted) await this.#pause(2_000);
      if (this.#abort.signal.aborted) return;
      await this.#enqueue(batch, watch.log);
      this.options.onAdded();
    }
  }

  /** Adds changes to the queue and stores the log position in the same statement. */
  async #enqueue(batch: readonly WatchEvent[], log: string): Promise<void> {
    const missedIndex = batch.findLastIndex(({ kind }) => kind === 'CHANGES_MISSED');
    const [firstEvent] = batch.slice(Math.max(missedIndex, 0));
    const lastEvent = batch.at(-1);
    if (!firstEvent || !lastEvent) return;
    const changes = batch.slice(missedIndex + 1).flatMap((entry) => (entry.kind === 'CHANGES_MISSED' ? [] : [entry]));
    const events = (await this.#visibleChanges(changes.filter((change) => includesChange(this.events, change)))).map((change) =>
      this.#toQueuedEvent(change, log),
    );
    if (firstEvent.kind === 'CHANGES_MISSED') {
      await moveToFront(this.#sql, this.id);
      events.unshift(this.#missedChanges({ log, position: firstEvent.position }));
    }
    const rows = events.map((event) => ({ ...event, id: deliveryIdOf(this.id, event.eventKey) }));
    await addDeliveries(this.#sql, this.id, rows, { log, position: lastEvent.position });
  }

  #toQueuedEvent(change: Change, log: string): QueuedEvent {
    const { changes } = this.options;
    return toQueuedEvent(change, changes.positionOf(log, change.position), changes.lineage);
  }

  #missedChanges({ log, position }: ChangePosition): QueuedEvent {
    const change: Change = {
      position,
      at: new Date().toISOString(),
      record: 'Webhook',
      id: this.id,
      kind: 'CHANGED',
      fields: [],
      refs: [],
      author: { userId: null, platformId: null },
    };
    const event = this.#toQueuedEvent(change, log);
    return { ...event, event: missedEvent, eventKey: `evt_${log}_${position.toString(36)}_anew` };
  }

  /** Returns the changes to rows that platforms could see before or after the change. */
  async #visibleChanges(changes: readonly Change[]): Promise<readonly Change[]> {
    const visibleSet = new Set<Change>();
    for (const [record, group] of Map.groupBy(changes, (change) => change.record)) {
      const cls = webhookRecords().get(record);
      for (const change of cls ? await visibleChanges(this.#sql, cls, anyPlatform, group) : []) visibleSet.add(change);
    }
    return changes.filter((change) => visibleSet.has(change));
  }

  /** Advances the stored position of an idle webhook. Otherwise, deleted old log entries would be mistaken for missed changes. */
  async #storePosition(): Promise<void> {
    if (!this.#watch?.isUpToDate) return;
    const position = await this.options.changes.currentPosition();
    // Waits until the watch has received all earlier changes. The following conditions depend on them.
    await nextTurn();
    if (
      !this.#abort.signal.aborted &&
      this.#isIdle &&
      this.#watch?.isUpToDate &&
      this.#watch.size === 0 &&
      position.log === this.#watch.log
    )
      await addDeliveries(this.#sql, this.id, [], position);
  }

  #pause(time: number): Promise<unknown> {
    return sleep(time, undefined, { signal: this.#abort.signal }).catch(() => undefined);
  }
}
