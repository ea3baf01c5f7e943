import { parseChangeCursor } from '../../../../src/kernel/changes/index.js';
import { type Arrived, isSigned, receiver } from '../../../webhooks/receiver.js';
import { ask } from '../workload.js';
import type { Event } from './follower.js';

/** A webhook, and who takes its deliveries: a server that fails at random. */
export interface Hook {
  /** Behind which position all is delivered. */
  readonly start: number;
  /** What was taken, each once, as its first delivery came. */
  events(): Event[];
  /** Deliveries that came again, with the same id, after they had been taken. */
  doubled(): number;
  /** Deliveries that were refused. */
  failed(): number;
  /** What nobody has promised. */
  odd(): string[];
  close(): Promise<void>;
}

/** One in so many is refused the first time that it comes: it comes again after five seconds, and those of its record wait for it. */
const unlucky = 250;

async function graph(origin: string, query: string) {
  const asked = await ask(origin, { path: '/graphql', method: 'POST', body: { query } });
  if (!asked?.body?.data) throw new Error(`${query}: ${JSON.stringify(asked?.body)}`);
  return asked.body.data;
}

/** Has the changes of tournaments delivered to a server of its own. */
export async function beginHook(origin: string): Promise<Hook> {
  const refused = new Set<string>();
  const there = await receiver(({ id }) => {
    if (refused.has(id) || Math.random() * unlucky > 1) return 200;
    refused.add(id);
    return Math.random() < 0.5 ? 503 : (response) => response.destroy();
  });
  const { createWebhook } = await graph(
    origin,
    `mutation { createWebhook(url: "${there.url}", events: ["tournament.*"]) { secret webhook { id } } }`,
  );
  const { liveCursor } = await graph(origin, '{ liveCursor }');
  const seen = new Map<string, Event>();
  let looked = 0;
  let doubled = 0;
  const odd: string[] = [];
  const look = () => {
    for (; looked < there.taken.length; looked++) {
      const arrived = there.taken[looked] as Arrived;
      if (!isSigned(createWebhook.secret, arrived)) odd.push('a delivery was not signed as it should be');
      const { cursor = '', id } = arrived.data;
      if (seen.has(arrived.id)) doubled++;
      else {
        const { position } = parseChangeCursor(cursor);
        seen.set(arrived.id, { position, id, kind: arrived.type, version: null, heardAt: Date.now() });
      }
    }
  };
  const looking = setInterval(look, 20);
  return {
    start: parseChangeCursor(liveCursor).position,
    events: () => {
      look();
      return [...seen.values()].filter(({ position }) => position > parseChangeCursor(liveCursor).position);
    },
    doubled: () => doubled,
    failed: () => refused.size,
    odd: () => [...new Set(odd)],
    async close() {
      clearInterval(looking);
      await there.close();
    },
  };
}
