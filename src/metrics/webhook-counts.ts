import { Counter, Gauge, type Registry } from 'prom-client';
import { type Pools, Session } from '../kernel/session.js';
import { deliveryCounts } from '../modules/live/webhooks/delivery-counts.js';
import { countPendingDeliveries } from '../modules/live/webhooks/pending-count-sql.js';

/** Adds metrics of webhook deliveries. */
export function addWebhookCounts(registers: Registry[], pools: Pools): void {
  new Counter({
    name: 'courtside_webhook_deliveries_total',
    help: 'Webhook deliveries attempted by this process, by outcome: delivered, failed, or paused after the last attempt.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(deliveryCounts())) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: 'courtside_webhook_deliveries_waiting',
    help: 'Pending webhook deliveries in the database, including retries and those of paused webhooks.',
    registers,
    async collect() {
      // An unavailable database does not affect the other metrics.
      const count = await countPendingDeliveries(new Session(pools, 'write')).catch(() => null);
      this.reset();
      if (count !== null) this.set(count);
    },
  });
}
