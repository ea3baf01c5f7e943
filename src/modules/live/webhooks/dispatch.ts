import { Session } from '../../../kernel/session.js';
import type { Delivering } from './deliver-next.js';
import type { Following } from './follow-webhook.js';
import { FollowedWebhook } from './follow-webhook.js';
import { type Leadership, openLeadership } from './lead.js';
import { DueSender } from './send-due.js';
import { webhooksAtWork } from './webhook-sql.js';

export interface DispatchOptions extends Omit<Following, 'added'> {
  readonly delivering: Delivering;
  /** Where the connection of the lead goes; null for that of the pools. */
  readonly url: string | null;
}

/** The work of the one process that leads: it follows the log for each webhook, and sends what is due. */
class Led {
  readonly #followed = new Map<string, FollowedWebhook>();
  readonly #sender: DueSender;

  constructor(readonly options: DispatchOptions) {
    this.#sender = new DueSender(options.pools, options.delivering, options.trouble);
  }

  /** Follows those that are at work now. */
  async look(atWork: readonly { id: string; events: readonly string[] }[]): Promise<void> {
    const wanted = new Map(atWork.map((webhook) => [webhook.id, webhook]));
    for (const [id, followed] of this.#followed) {
      if (wanted.get(id)?.events.join() === followed.events.join()) continue;
      this.#followed.delete(id);
      await followed.stop();
    }
    for (const { id, events } of wanted.values()) {
      if (this.#followed.has(id)) continue;
      this.#followed.set(id, new FollowedWebhook(id, events, { ...this.options, added: () => this.#sender.look() }));
    }
    this.#sender.look();
  }

  async stop(): Promise<void> {
    await Promise.all([...[...this.#followed.values()].map((followed) => followed.stop()), this.#sender.stop()]);
  }
}

/** Takes part in sending what webhooks hear of, as long as there are some. */
export class Dispatcher {
  #lead: Leadership | null = null;
  #led: Led | null = null;

  constructor(readonly options: DispatchOptions) {}

  /** Looks what there is to do; whether there are webhooks at work. */
  async look(): Promise<boolean> {
    const { pools, url } = this.options;
    const atWork = await webhooksAtWork(new Session(pools, 'write'));
    if (atWork.length === 0) {
      await this.stop();
      return false;
    }
    if (this.#lead && !(await this.#lead.look())) await this.stop();
    if (!this.#lead) {
      this.#lead = await openLeadership(pools, url);
      await this.#lead.look();
    }
    if (!this.#lead.isTaken) return true;
    this.#led ??= new Led(this.options);
    await this.#led.look(atWork);
    return true;
  }

  /** Lets attempts in progress come to their end, and the lead go. */
  async stop(): Promise<void> {
    await this.#led?.stop();
    this.#led = null;
    await this.#lead?.end();
    this.#lead = null;
  }
}
