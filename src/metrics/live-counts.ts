import { Counter, Gauge, type Registry } from 'prom-client';
import { liveCounts } from '../gateway/live/counts.js';

/** Metrics of subscriptions and WebSockets. */
export function addLiveCounts(registers: Registry[]): void {
  new Gauge({
    name: 'courtside_subscriptions',
    help: 'Subscriptions that are open, by how they are told of events: `sse` or `websocket`.',
    labelNames: ['transport'],
    registers,
    collect() {
      for (const [transport, count] of Object.entries(liveCounts.open)) this.set({ transport }, count);
    },
  });
  new Gauge({
    name: 'courtside_sockets',
    help: 'WebSockets that are open, with subscriptions or without.',
    registers,
    collect() {
      this.set(liveCounts.sockets);
    },
  });
  new Counter({
    name: 'courtside_subscription_events_total',
    help: 'Events that subscribers were told of.',
    labelNames: ['transport'],
    registers,
    collect() {
      this.reset();
      for (const [transport, count] of Object.entries(liveCounts.delivered)) this.inc({ transport }, count);
    },
  });
  new Counter({
    name: 'courtside_subscriptions_ended_total',
    help: 'Subscriptions that the service ended: their client did not read (`slow`), its token lets it in no more (`token`), or the process goes (`stop`).',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(liveCounts.ended)) this.inc({ reason }, count);
    },
  });
}
