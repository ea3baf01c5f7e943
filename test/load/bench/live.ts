import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { disposableSettings, startEmbedded } from '../../../src/database/embedded.js';
import { hashOf } from '../../../src/modules/accounts/tokens/secrets.js';
import { type Contender, prepareDatabase, startService } from './contenders.js';

/** Message to the subscriber process: the subscription to open, once for each set of headers. */
export interface SubscribeMessage {
  readonly transport: 'sse' | 'websocket';
  readonly url: string;
  /** Subscription. `$n` is the number of the subscriber modulo 50. */
  readonly query: string;
  readonly headers: Record<string, string>[];
}

/** Messages from the subscriber process: ready, the times at which the subscribers received a change, or the delays of all changes in ms. */
export type SubscriberMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'heard'; readonly at: readonly number[] }
  | { readonly kind: 'delays'; readonly delays: readonly number[] };

const subscribers = 2_000;
const changes = 10;
const query = 'subscription { tournament(id: "live") { kind cursor tournament { id title } } }';

export const nextMessage = async (clients: ChildProcess): Promise<SubscriberMessage> => (await once(clients, 'message'))[0];

/** Resident memory of a process, in MB. */
const memory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;

export async function save({ url, headers }: Contender, title: string, id = 'live'): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: `mutation { upsertTournament(input: { id: "${id}", title: "${title}" }) { id } }` }),
  });
  const { errors } = (await response.json()) as { errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
}

/** Creates one user with a token for each subscriber. Returns the token headers. */
async function addUsers(url: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const tokens = Array.from({ length: subscribers }, (_, index) => `live-token-of-user-${index}`);
  await client.query(
    `insert into app_user (id, email, verified_at) select 'live-' || n, 'live-' || n || '@example.com', now() from generate_series(1, $1) n`,
    [subscribers],
  );
  await client.query(
    `insert into user_token (id, token_hash, user_id, expires_at)
     select 'live-' || n, hash, 'live-' || n, now() + interval '1 day' from unnest($1::text[]) with ordinality as t (hash, n)`,
    [tokens.map(hashOf)],
  );
  await client.end();
  return tokens.map((token) => ({ 'PB-USER-TOKEN': token }));
}

/** Node.js flags that make the service collect garbage on SIGCONT, so that measurements exclude uncollected garbage. */
const collecting = [
  '--expose-gc',
  '--import',
  `data:text/javascript,process.on('SIGCONT',()=>gc({type:'major',execution:'sync',flavor:'last-resort'}))`,
];

async function collected(pid: number): Promise<number> {
  process.kill(pid, 'SIGCONT');
  await sleep(3_000);
  return memory(pid);
}

interface Figures {
  /** Memory that the subscribers add, before and after garbage collection. */
  readonly megabytes: readonly [number, number];
  readonly times: readonly number[];
}

/** Starts a service, warms it up, and measures the memory that subscribers add and the delays of their events. */
async function measure(
  url: string,
  token: string,
  transport: SubscribeMessage['transport'],
  headers: Record<string, string>[],
): Promise<Figures> {
  const service = await startService(url, token, { flags: collecting });
  const clients = fork(new URL('./live-clients.js', import.meta.url));
  try {
    for (let number = 0; number < 50; number++) await save(service, `Warm ${number}`);
    await sleep(3_000);
    const before = memory(service.pid);
    const base = await collected(service.pid);
    const message: SubscribeMessage = { transport, url: service.url, query, headers };
    clients.send(message);
    await nextMessage(clients);
    // Over WebSockets, the service does not report when a subscription is open.
    await sleep(3_000);
    const times: number[] = [];
    for (let number = 0; number < changes; number++) {
      const title = `Change ${number} `;
      clients.send({ expect: title });
      await nextMessage(clients);
      const nextReport = nextMessage(clients);
      const startedAt = Date.now();
      await save(service, title);
      const result = await nextReport;
      if (result.kind === 'heard') times.push(...result.at.map((at) => at - startedAt));
    }
    const after = memory(service.pid);
    return { megabytes: [after - before, (await collected(service.pid)) - base], times };
  } finally {
    clients.kill();
    await service.stop();
  }
}

/** Returns a quantile of times as text. `share` is from 0 to 1. */
export const quantileText = (times: readonly number[], share: number): string =>
  times.toSorted((a, b) => a - b)[Math.min(Math.floor(times.length * share), times.length - 1)]?.toFixed(0) ?? '–';

/** Prints the memory that 2,000 subscribers of one tournament use, and the delay until they receive its changes. */
export async function measureLive(directory: string, only?: string): Promise<void> {
  const postgres = await startEmbedded(directory, { settings: { ...disposableSettings, shared_buffers: '256MB' } });
  try {
    const token = await prepareDatabase(postgres.url);
    const users = await addUsers(postgres.url);
    const same = Array.from({ length: subscribers }, () => ({ 'PB-API-TOKEN': token }));
    const cases: [string, SubscribeMessage['transport'], Record<string, string>[]][] = [
      ['server-sent events, one token', 'sse', same],
      ['server-sent events, one user each', 'sse', users],
      ['WebSocket, one token', 'websocket', same],
      ['WebSocket, one user each', 'websocket', users],
    ];
    console.log(`${subscribers.toLocaleString('en')} subscribers of one process, ${changes} changes of a tournament.\n`);
    console.log('| transport | memory, MB | without garbage | median, ms | 95%, ms | all, ms |');
    console.log('|---|--:|--:|--:|--:|--:|');
    for (const [title, transport, headers] of cases) {
      if (only && !title.includes(only)) continue;
      const { megabytes, times } = await measure(postgres.url, token, transport, headers);
      const cells = [
        ...megabytes.map((each) => each.toFixed(0)),
        quantileText(times, 0.5),
        quantileText(times, 0.95),
        quantileText(times, 1),
      ];
      console.log(`| ${title} | ${cells.join(' | ')} |`);
    }
  } finally {
    await postgres.stop();
  }
}
