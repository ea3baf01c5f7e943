import { parseChangeCursor } from '../../../../src/kernel/changes/index.js';
import { isSigned, type ReceivedDelivery, startWebhookReceiver } from '../../../modules/live/webhooks/receiver.js';
import { sendRequest } from '../workload.js';
import type { Event } from './follower.js';

/** A webhook with a receiver that fails at random. */
export interface WebhookReceiver {
  /** Position after which all deliveries are expected. */
  readonly start: number;
  /** Returns the accepted deliveries without duplicates, in the order of their first arrival. */
  events(): Event[];
  /** Returns the number of deliveries that arrived again with the same ID after they were accepted. */
  duplicateCount(): number;
  /** Returns the number of rejected deliveries. */
  failed(): number;
  /** Returns the violations of the guarantees. */
  violations(): string[];
  close(): Promise<void>;
}

/**
 * On average, one in this many deliveries is rejected on its first attempt. The delivery is retried after five seconds, and later
 * deliveries of its record wait for it.
 */
const failureInterval = 250;

async function graph(origin: string, query: string) {
  const response = await sendRequest(origin, { path: '/graphql', method: 'POST', body: { query } });
  if (!response?.body?.data) throw new Error(`${query}: ${JSON.stringify(response?.body)}`);
  return response.body.data;
}

/** Creates a webhook for a tournament event, and starts its receiver. */
export async function createWebhookReceiver(origin: string, event = 'tournament.*'): Promise<WebhookReceiver> {
  const refused = new Set<string>();
  const hookReceiver = await startWebhookReceiver(({ id }) => {
    if (refused.has(id) || Math.random() * failureInterval > 1) return 200;
    refused.add(id);
    return Math.random() < 0.5 ? 503 : (response) => response.destroy();
  });
  const { createWebhook } = await graph(
    origin,
    `mutation { createWebhook(url: "${hookReceiver.url}", events: ["${event}"]) { secret webhook { id } } }`,
  );
  const { liveCursor } = await graph(origin, '{ liveCursor }');
  const eventById = new Map<string, Event>();
  let checkedCount = 0;
  let duplicateCount = 0;
  const odd: string[] = [];
  const readDeliveries = () => {
    for (; checkedCount < hookReceiver.deliveries.length; checkedCount++) {
      const arrived = hookReceiver.deliveries[checkedCount] as ReceivedDelivery;
      if (!isSigned(createWebhook.secret, arrived)) odd.push('a delivery had no valid signature');
      const { cursor = '', id } = arrived.data;
      if (eventById.has(arrived.id)) duplicateCount++;
      else {
        const { position } = parseChangeCursor(cursor);
        eventById.set(arrived.id, { position, id, kind: arrived.type, version: null, receivedAt: Date.now() });
      }
    }
  };
  const looking = setInterval(readDeliveries, 20);
  return {
    start: parseChangeCursor(liveCursor).position,
    events: () => {
      readDeliveries();
      return [...eventById.values()].filter(({ position }) => position > parseChangeCursor(liveCursor).position);
    },
    duplicateCount: () => duplicateCount,
    failed: () => refused.size,
    violations: () => [...new Set(odd)],
    async close() {
      clearInterval(looking);
      await hookReceiver.close();
    },
  };
}
