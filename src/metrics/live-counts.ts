import { Counter, Gauge, type Registry } from 'prom-client';
import { liveCounts } from '../graphql/subscriptions/counts.js';

/** Adds metrics of subscriptions and WebSockets. */
export function addLiveCounts(registers: Registry[]): void {
  new Gauge({
    name: 'courtside_subscriptions',
    help: 'Open subscriptions by transport: `sse` or `websocket`.',
    labelNames: ['transport'],
    registers,
    collect() {
      for (const [transport, count] of Object.entries(liveCounts.open)) this.set({ transport }, count);
    },
  });
  new Gauge({
    name: 'courtside_sockets',
    help: 'Open WebSockets, with or without subscriptions.',
    registers,
    collect() {
      this.set(liveCounts.sockets);
    },
  });
  new Counter({
    name: 'courtside_subscription_events_total',
    help: 'Events delivered to subscribers.',
    labelNames: ['transport'],
    registers,
    collect() {
      this.reset();
      for (const [transport, count] of Object.entries(liveCounts.delivered)) this.inc({ transport }, count);
    },
  });
  new Counter({
    name: 'courtside_subscriptions_ended_total',
    help: 'Subscriptions ended by the service: the client did not read (`slow`), its token became invalid (`token`), or the process stopped (`stop`).',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(liveCounts.ended)) this.inc({ reason }, count);
    },
  });
}
