import type { Pools } from '../../../kernel/session.js';
import { Session } from '../../../kernel/session.js';
import { type DeliverOptions, deliverNext } from './deliver-next.js';
import { type DeliveryLane, dueLanes } from './webhook-sql.js';

/** Maximum number of concurrent lanes, per webhook and in total. A lane sends the deliveries of one record in order. */
const maxLanes = { perWebhook: 5, total: 50 };

const laneKey = ({ webhookId, recordType, recordKey }: DeliveryLane): string =>
  JSON.stringify([webhookId, recordType, recordKey]);

/** Sends due deliveries, concurrently for different records but in order for each record. */
export class DueSender {
  readonly #busyLanes = new Map<string, { lane: DeliveryLane; work: Promise<void> }>();
  #isStopped = false;
  #isChecking = false;
  #isCheckRequested = false;

  constructor(
    readonly pools: Pools,
    readonly options: DeliverOptions,
    readonly onError: (error: Error) => void,
  ) {}

  /** Looks up due deliveries and starts to send them. If a lookup is running, schedules another one. */
  check(): void {
    if (this.#isStopped || this.options.postOptions.signal?.aborted) return;
    if (this.#isChecking) {
      this.#isCheckRequested = true;
      return;
    }
    this.#isChecking = true;
    this.#isCheckRequested = false;
    this.#startDueLanes()
      .catch(this.onError)
      .finally(() => {
        this.#isChecking = false;
        if (this.#isCheckRequested) this.check();
      });
  }

  /** Starts no further deliveries and waits for those in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#busyLanes.values()].map(({ work }) => work));
  }

  async #startDueLanes(): Promise<void> {
    if (this.#busyLanes.size >= maxLanes.total) return;
    const sql = new Session(this.pools, 'write');
    const lanes = await dueLanes(sql, this.#lanes(), maxLanes.perWebhook);
    const countBusy = (field: keyof DeliveryLane, { [field]: name }: DeliveryLane) =>
      this.#lanes().filter((lane) => lane[field] === name).length;
    // The next lane belongs to the platform with the fewest busy lanes, so that slow receivers do not delay other platforms.
    while (!this.#isStopped && this.#busyLanes.size < maxLanes.total) {
      const availableLanes = lanes.filter(
        (lane) => !this.#busyLanes.has(laneKey(lane)) && countBusy('webhookId', lane) < maxLanes.perWebhook,
      );
      const [firstLane, ...otherLanes] = availableLanes;
      if (!firstLane) return;
      this.#start(
        otherLanes.reduce(
          (best, lane) => (countBusy('platformId', lane) < countBusy('platformId', best) ? lane : best),
          firstLane,
        ),
      );
    }
  }

  #lanes(): DeliveryLane[] {
    return [...this.#busyLanes.values()].map(({ lane }) => lane);
  }

  #start(lane: DeliveryLane): void {
    const key = laneKey(lane);
    if (this.#busyLanes.has(key)) return;
    const work = this.#sendLane(lane).then(
      () => {
        this.#busyLanes.delete(key);
        this.check();
      },
      (error: Error) => {
        // The next lookup retries the lane. An immediate retry could loop forever.
        this.#busyLanes.delete(key);
        this.onError(error);
      },
    );
    this.#busyLanes.set(key, { lane, work });
  }

  async #sendLane(lane: DeliveryLane): Promise<void> {
    const sql = new Session(this.pools, 'write');
    // Limits the deliveries per turn, because a lane that is never empty must not block others.
    for (let sentCount = 0; sentCount < 20 && !this.#isStopped; sentCount++)
      if (!(await deliverNext(sql, lane, this.options))) return;
  }
}
