import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-sse';
import { parseChangeCursor } from '../../../../src/kernel/changes/index.js';
import { sendRequest, token } from '../workload.js';

/** A received event and the time of its arrival. */
export interface Event {
  readonly position: number;
  readonly id: string;
  readonly kind: string;
  /** Version of the row in the event. Null if the row was deleted. */
  readonly version: number | null;
  readonly receivedAt: number;
}

/** Target of a subscription: one tournament, or all. */
export type SubscriptionTarget = { readonly id: string } | 'all';

/** A subscriber that reconnects with the last cursor when the stream ends. */
export interface Follower {
  readonly subject: SubscriptionTarget;
  /** Returns the position after which all events are expected. */
  start(): number;
  readonly events: readonly Event[];
  /** Returns the number of events that were received more than once. */
  duplicateCount(): number;
  reconnectCount(): number;
  /** Returns the number of CHANGES_MISSED events. Each of them discards the earlier events. */
  missedEvents(): number;
  /** Violations of the guarantees. */
  readonly violations: readonly string[];
  stop(): Promise<void>;
}

interface Answer {
  data?: Record<string, Record<string, unknown> | null> | null;
  errors?: readonly { message: string; extensions?: { code?: string } }[];
}

const textOf = (subject: SubscriptionTarget): string =>
  subject === 'all'
    ? 'subscription ($after: String) { heard: changes(records: ["Tournament"], after: $after) { kind id cursor row: node { ... on Tournament { version } } } }'
    : `subscription ($after: String) { heard: tournament(id: "${subject.id}", after: $after) { kind id cursor row: tournament { version } } }`;

/** Returns the current cursor. Clients read it before they read the data that they display. */
async function cursorOf(origin: string): Promise<string | null> {
  const response = await sendRequest(origin, { path: '/graphql', method: 'POST', body: { query: '{ liveCursor }' } }).catch(
    () => null,
  );
  return response?.body?.data?.liveCursor ?? null;
}

/** Subscribes to changes. Each connection uses the next origin. */
export async function follow(subject: SubscriptionTarget, origins: () => readonly string[], first = 0): Promise<Follower> {
  const events: Event[] = [];
  const violations: string[] = [];
  const seenPositions = new Set<string>();
  const stopController = new AbortController();
  let [turn, reconnectCount, duplicateCount, missedEvents] = [first, 0, 0, 0];
  const next = () => {
    const all = origins();
    return all[turn++ % all.length] ?? '';
  };
  let cursor: string | null = null;
  while (!cursor) cursor = (await cursorOf(next())) ?? (await sleep(100, null));
  let start = parseChangeCursor(cursor).position;
  let end = () => {};
  const handleEvent = ({ data, errors }: Answer) => {
    const event = data?.heard;
    // The errors state why the stream ended. After UNAVAILABLE, the follower reconnects.
    for (const { message, extensions } of errors ?? [])
      if (extensions?.code !== 'UNAVAILABLE') violations.push(`a subscriber received an error: ${extensions?.code} ${message}`);
    if (!event) return;
    if (errors) violations.push('an event contained an error');
    cursor = String(event.cursor);
    const { position } = parseChangeCursor(cursor);
    if (event.kind === 'CHANGES_MISSED') {
      missedEvents++;
      events.length = 0;
      start = position;
      return;
    }
    const key = `${position} ${event.id}`;
    if (seenPositions.has(key)) {
      duplicateCount++;
      return;
    }
    seenPositions.add(key);
    const row = event.row as { version?: number } | null;
    events.push({
      position,
      id: String(event.id),
      kind: String(event.kind),
      version: row?.version ?? null,
      receivedAt: Date.now(),
    });
  };
  const once = (origin: string) =>
    new Promise<void>((resolve) => {
      const client = createClient({ url: `${origin}/graphql`, retryAttempts: 0, headers: { 'PB-API-TOKEN': token } });
      const done = () => {
        client.dispose();
        resolve();
      };
      const close = client.subscribe(
        { query: textOf(subject), variables: { after: cursor } },
        { next: (answer) => handleEvent(answer as Answer), error: done, complete: done },
      );
      end = () => {
        close();
        done();
      };
    });
  const following = (async () => {
    for (; !stopController.signal.aborted; reconnectCount++) {
      await once(next());
      if (!stopController.signal.aborted) await sleep(100, undefined, { signal: stopController.signal }).catch(() => undefined);
    }
  })();
  return {
    subject,
    start: () => start,
    events,
    violations,
    duplicateCount: () => duplicateCount,
    reconnectCount: () => reconnectCount - Number(stopController.signal.aborted),
    missedEvents: () => missedEvents,
    async stop() {
      stopController.abort();
      end();
      await following;
    },
  };
}
