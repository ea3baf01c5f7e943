import type { DirectConnection } from '../../../kernel/pools.js';
import { Session } from '../../../kernel/session.js';
import type { DeliverOptions } from './deliver-next.js';
import { DueSender } from './due-sender.js';
import { type LeaderLock, openLeaderLock } from './leader-lock.js';
import type { FollowerOptions } from './webhook-follower.js';
import { WebhookFollower } from './webhook-follower.js';
import { readActiveWebhooks } from './webhook-sql.js';

interface DispatchOptions extends Omit<FollowerOptions, 'onAdded'> {
  readonly deliverOptions: DeliverOptions;
  /** Connection string for the leader lock. If null, the lock uses the database server of the connection pools. */
  readonly connection: DirectConnection | null;
}

/** Work of the process that holds the leader lock: follows the change log for each webhook and sends due deliveries. */
class Leader {
  readonly #followers = new Map<string, WebhookFollower>();
  readonly #sender: DueSender;

  constructor(readonly options: DispatchOptions) {
    this.#sender = new DueSender(options.pools, options.deliverOptions, options.onError);
  }

  /** Starts and stops followers to match the active webhooks. */
  async update(activeWebhooks: readonly { id: string; events: readonly string[] }[]): Promise<void> {
    const webhooks = new Map(activeWebhooks.map((webhook) => [webhook.id, webhook]));
    for (const [id, follower] of this.#followers) {
      if (webhooks.get(id)?.events.join() === follower.events.join()) continue;
      this.#followers.delete(id);
      await follower.stop();
    }
    for (const { id, events } of webhooks.values()) {
      if (this.#followers.has(id)) continue;
      this.#followers.set(id, new WebhookFollower(id, events, { ...this.options, onAdded: () => this.#sender.check() }));
    }
    this.#sender.check();
  }

  async stop(): Promise<void> {
    await Promise.all([...[...this.#followers.values()].map((follower) => follower.stop()), this.#sender.stop()]);
  }
}

/** Competes with other processes for the leader lock while there are active webhooks. The process with the lock sends deliveries. */
export class Dispatcher {
  #lock: LeaderLock | null = null;
  #leader: Leader | null = null;

  constructor(readonly options: DispatchOptions) {}

  /**
   * Reads the active webhooks and checks the leader lock. Then starts, updates or stops the delivery of events. Returns whether there are
   * active webhooks.
   */
  async check(): Promise<boolean> {
    const { pools, connection } = this.options;
    const activeWebhooks = await readActiveWebhooks(new Session(pools, 'write'));
    if (activeWebhooks.length === 0) {
      await this.stop();
      return false;
    }
    if (this.#lock && !(await this.#lock.check())) await this.stop();
    if (!this.#lock) {
      this.#lock = await openLeaderLock(pools, connection);
      await this.#lock.check();
    }
    if (!this.#lock.isHeld) {
      // Reads the log even without the lock, so that this process misses no changes if it acquires the lock after a failover.
      this.options.changes.follow();
      return true;
    }
    this.#leader ??= new Leader(this.options);
    await this.#leader.update(activeWebhooks);
    return true;
  }

  /** Waits for the attempts in progress and releases the leader lock. */
  async stop(): Promise<void> {
    await this.#leader?.stop();
    this.#leader = null;
    await this.#lock?.close();
    this.#lock = null;
  }
}
