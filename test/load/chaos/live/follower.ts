import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-sse';
import { parseChangeCursor } from '../../../../src/kernel/changes/index.js';
import { ask, token } from '../workload.js';

/** A received event with its time. */
export interface Event {
  readonly position: number;
  readonly id: string;
  readonly kind: string;
  /** The row in the event. Null if it was deleted. */
  readonly version: number | null;
  readonly heardAt: number;
}

/** Target of a subscription: one tournament, or all. */
export type Subject = { readonly id: string } | 'all';

/** A subscriber that reconnects with the last cursor when the stream ends. */
export interface Follower {
  readonly subject: Subject;
  /** Position after which all events are expected. */
  start(): number;
  readonly events: readonly Event[];
  /** Events that were received again with the same cursor. */
  doubled(): number;
  comebacks(): number;
  /** Number of CHANGES_MISSED events. Each of them discards the earlier events. */
  anew(): number;
  /** Violations of the guarantees. */
  readonly odd: readonly string[];
  stop(): Promise<void>;
}

interface Answer {
  data?: Record<string, Record<string, unknown> | null> | null;
  errors?: readonly { message: string; extensions?: { code?: string } }[];
}

const textOf = (subject: Subject): string =>
  subject === 'all'
    ? 'subscription ($after: String) { heard: changes(records: ["Tournament"], after: $after) { kind id cursor row: node { ... on Tournament { version } } } }'
    : `subscription ($after: String) { heard: tournament(id: "${subject.id}", after: $after) { kind id cursor row: tournament { version } } }`;

/** The current cursor, read before the displayed data as a client does. */
async function cursorOf(origin: string): Promise<string | null> {
  const asked = await ask(origin, { path: '/graphql', method: 'POST', body: { query: '{ liveCursor }' } }).catch(() => null);
  return asked?.body?.data?.liveCursor ?? null;
}

/** Subscribes to changes at these origins, each time at the next one. */
export async function follow(subject: Subject, origins: () => readonly string[], first = 0): Promise<Follower> {
  const events: Event[] = [];
  const odd: string[] = [];
  const seen = new Set<string>();
  const over = new AbortController();
  let [turn, comebacks, doubled, anew] = [first, 0, 0, 0];
  const next = () => {
    const all = origins();
    return all[turn++ % all.length] ?? '';
  };
  let cursor: string | null = null;
  while (!cursor) cursor = (await cursorOf(next())) ?? (await sleep(100, null));
  let start = parseChangeCursor(cursor).position;
  let end = () => {};
  const hear = ({ data, errors }: Answer) => {
    const told = data?.heard;
    // The reason of the end. After a temporary error, the follower reconnects.
    for (const { message, extensions } of errors ?? [])
      if (extensions?.code !== 'UNAVAILABLE') odd.push(`a subscriber was told: ${extensions?.code} ${message}`);
    if (!told) return;
    if (errors) odd.push('an event was told with an error');
    cursor = String(told.cursor);
    const { position } = parseChangeCursor(cursor);
    if (told.kind === 'CHANGES_MISSED') {
      anew++;
      events.length = 0;
      start = position;
      return;
    }
    if (seen.has(cursor)) {
      doubled++;
      return;
    }
    seen.add(cursor);
    const row = told.row as { version?: number } | null;
    events.push({
      position,
      id: String(told.id),
      kind: String(told.kind),
      version: row?.version ?? null,
      heardAt: Date.now(),
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
        { next: (answer) => hear(answer as Answer), error: done, complete: done },
      );
      end = () => {
        close();
        done();
      };
    });
  const following = (async () => {
    for (; !over.signal.aborted; comebacks++) {
      await once(next());
      if (!over.signal.aborted) await sleep(100, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  return {
    subject,
    start: () => start,
    events,
    odd,
    doubled: () => doubled,
    comebacks: () => comebacks - Number(over.signal.aborted),
    anew: () => anew,
    async stop() {
      over.abort();
      end();
      await following;
    },
  };
}
