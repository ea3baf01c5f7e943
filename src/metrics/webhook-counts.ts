import { Counter, Gauge, type Registry } from 'prom-client';
import { type Pools, Session } from '../kernel/session.js';
import { deliveryOutcomes } from '../modules/live/webhooks/delivery-counts.js';
import { waitingDeliveries } from '../modules/live/webhooks/waiting-sql.js';

/** What was sent to webhooks, and what waits. */
export function addWebhookCounts(registers: Registry[], pools: Pools): void {
  new Counter({
    name: 'courtside_webhook_deliveries_total',
    help: 'Attempts of this process to deliver to webhooks: delivered or failed; and webhooks that it paused after the last one.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(deliveryOutcomes())) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: 'courtside_webhook_deliveries_waiting',
    help: 'Deliveries of the whole database that are to be sent, for the first time or again; those of paused webhooks among them.',
    registers,
    async collect() {
      // A database that is away does not keep the rest from being told.
      const count = await waitingDeliveries(new Session(pools, 'write')).catch(() => null);
      this.reset();
      if (count !== null) this.set(count);
    },
  });
}
