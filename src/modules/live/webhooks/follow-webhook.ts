import { createHash } from 'node:crypto';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Change, ChangeLog, ChangePlace, Told, Watch } from '../../../kernel/changes/index.js';
import { seenStates } from '../../../kernel/read/seen-states-sql.js';
import { type Pools, Session } from '../../../kernel/session.js';
import { anyPlatform, missedEvent, offeredRecords, recordsOf, type ToSend, toSend, wants } from './webhook-events.js';
import { addDeliveries, countWaiting, placeOfWebhook, putFirst } from './webhook-sql.js';

/** Most changes taken at a time, and most deliveries that wait for a webhook: what is more stays in the log. */
const most = { atATime: 200, waiting: 10_000 };

/** Of one event for one webhook always the same. */
const idOf = (webhookId: string, eventKey: string): string =>
  createHash('sha256').update(`${webhookId} ${eventKey}`).digest('base64url').slice(0, 27);

export interface Following {
  readonly pools: Pools;
  readonly changes: ChangeLog;
  readonly trouble: (error: Error) => void;
  /** Hears that there is something to send. */
  readonly added: () => void;
  /** How often the place is noted of what nothing happens to, in milliseconds. */
  readonly noted: number;
}

/** Takes from the log what a webhook hears of and puts it into its queue, in the order of the log, each change once and none left out. */
export class FollowedWebhook {
  readonly #end = new AbortController();
  readonly #work: Promise<void>;
  readonly #timer: NodeJS.Timeout;
  readonly #sql: Session;
  #watch: Watch | null = null;
  #isIdle = false;
  #log = '';

  constructor(
    readonly id: string,
    readonly events: readonly string[],
    readonly following: Following,
  ) {
    this.#sql = new Session(following.pools, 'write');
    this.#work = this.#follow();
    this.#timer = setInterval(() => void this.#note().catch(following.trouble), following.noted).unref();
  }

  async stop(): Promise<void> {
    this.#end.abort();
    clearInterval(this.#timer);
    await this.#watch?.return();
    await this.#work;
  }

  async #follow(): Promise<void> {
    while (!this.#end.signal.aborted) {
      try {
        await this.#read();
      } catch (error) {
        if (error instanceof Error) this.following.trouble(error);
      }
      this.#isIdle = false;
      await this.#pause(1_000);
    }
  }

  async #read(): Promise<void> {
    const place = await placeOfWebhook(this.#sql, this.id);
    const records = recordsOf(this.events);
    if (!place || records.length === 0 || this.#end.signal.aborted) return;
    const watch = await this.following.changes.watch(records, place);
    this.#watch = watch;
    this.#log = watch.start.log;
    try {
      if (!this.#end.signal.aborted) await this.#readFrom(watch);
    } finally {
      // What was told and not kept is read again, from the place that is noted.
      await watch.return();
    }
  }

  async #readFrom(watch: Watch): Promise<void> {
    for (;;) {
      this.#isIdle = true;
      const { done, value } = await watch.next();
      this.#isIdle = false;
      if (done) return;
      const told: Told[] = [value];
      while (watch.size > 0 && told.length < most.atATime) told.push((await watch.next()).value);
      while ((await countWaiting(this.#sql, this.id)) > most.waiting && !this.#end.signal.aborted) await this.#pause(2_000);
      if (this.#end.signal.aborted) return;
      await this.#take(told);
      this.following.added();
    }
  }

  /** Puts what was told into the queue, and notes in the same statement that it is there. */
  async #take(told: readonly Told[]): Promise<void> {
    const anew = told.findLastIndex(({ kind }) => kind === 'CHANGES_MISSED');
    const [first] = told.slice(Math.max(anew, 0));
    const last = told.at(-1);
    if (!first || !last) return;
    if (first.kind === 'CHANGES_MISSED') this.#log = first.log;
    const changes = told.slice(anew + 1).flatMap((each) => (each.kind === 'CHANGES_MISSED' ? [] : [each]));
    const events = (await this.#seen(changes.filter((change) => wants(this.events, change)))).map((each) =>
      toSend(each, this.#log),
    );
    if (first.kind === 'CHANGES_MISSED') {
      await putFirst(this.#sql, this.id);
      events.unshift(this.#forgotten({ log: this.#log, position: first.position }));
    }
    const rows = events.map((event) => ({ ...event, id: idOf(this.id, event.eventKey) }));
    await addDeliveries(this.#sql, this.id, rows, { log: this.#log, position: last.position });
  }

  #forgotten({ log, position }: ChangePlace): ToSend {
    const about: Change = {
      position,
      at: new Date().toISOString(),
      record: 'Webhook',
      id: this.id,
      kind: 'CHANGED',
      fields: [],
      refs: [],
      by: { userId: null, platformId: null },
    };
    const event = toSend(about, log);
    return { ...event, event: missedEvent, eventKey: `${event.eventKey}_anew` };
  }

  /** The changes of rows that platforms saw before, or see since; what a row was like then stands with the change. */
  async #seen(changes: readonly Change[]): Promise<readonly Change[]> {
    const seen = new Set<Change>();
    for (const [record, those] of Map.groupBy(changes, (change) => change.record)) {
      const cls = offeredRecords().get(record);
      for (const change of cls ? await seenStates(this.#sql, cls, anyPlatform, those) : []) seen.add(change);
    }
    return changes.filter((change) => seen.has(change));
  }

  /** Where nothing has happened for long, its place moves on all the same: the log forgets, and nothing of it was missed. */
  async #note(): Promise<void> {
    if (!this.#watch?.isUpToDate) return;
    const here = await this.following.changes.here();
    // What was told before that has been taken from the watch by then.
    await turn();
    if (!this.#end.signal.aborted && this.#isIdle && this.#watch?.isUpToDate && this.#watch.size === 0 && here.log === this.#log)
      await addDeliveries(this.#sql, this.id, [], here);
  }

  #pause(time: number): Promise<unknown> {
    return sleep(time, undefined, { signal: this.#end.signal }).catch(() => undefined);
  }
}
