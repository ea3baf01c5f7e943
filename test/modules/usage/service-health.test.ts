import { afterAll, beforeAll, expect, test } from 'vitest';
import packageFile from '../../../package.json' with { type: 'json' };
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';
import { startSilentServer } from '../../support/servers/counting-smtp-server.js';
import { freshDatabase } from '../../support/servers/test-database.js';

let silentServer: Awaited<ReturnType<typeof startSilentServer>>;
let app: TestApp;
let admin: Person;
beforeAll(async () => {
  silentServer = await startSilentServer();
  const database = await freshDatabase();
  const silentUrl = `postgresql://reader:the-secret@127.0.0.1:${silentServer.port}/events`;
  app = await startApp({ DATABASE_URL: database.url, DATABASE_REPLICA_URLS: `${database.url},${silentUrl}` }, database, {
    cron: '0 0 29 2 *',
    checkSeconds: 45,
  });
  admin = await app.person({ roles: ['ADMIN'] });
});
afterAll(async () => {
  await app.close();
  await silentServer.close();
});

const query = `{ serviceHealth {
  release startedAt pendingMigrations pendingWebhookDeliveries failedWebhooks changeLogLag
  database { version connections maxConnections size }
  replicas { address isUsed lag }
  queues { queue waiting active retrying failed oldestWaiting }
} }`;
const health = async () => (await app.graphql(query, {}, admin)).serviceHealth;
const isPositive = expect.toSatisfy((value: number) => value > 0);
const queueOf = async (name: string) => (await health()).queues.find(({ queue }: { queue: string }) => queue === name);

test('administrators see the state of the process, the database and the queues', async () => {
  const { replicas: _, queues, ...state } = await health();
  expect(state).toEqual({
    release: packageFile.version,
    startedAt: expect.toSatisfy(
      (instant: string) => Math.abs(Date.now() - process.uptime() * 1000 - Date.parse(instant)) < 5_000,
    ),
    pendingMigrations: 0,
    pendingWebhookDeliveries: 0,
    failedWebhooks: 0,
    changeLogLag: null,
    database: {
      version: expect.stringMatching(/^\d+\.\d+/),
      connections: isPositive,
      maxConnections: isPositive,
      size: isPositive,
    },
  });
  expect(queues.map(({ queue }: { queue: string }) => queue)).toEqual(
    expect.arrayContaining(['mail', 'text', 'chore-forget-audit', 'chore-forget-usage']),
  );
  expect(queues.map(({ queue }: { queue: string }) => queue).filter((queue: string) => /^(dead|_)/.test(queue))).toEqual([]);
});

test('a replica that never responds is excluded, does not delay the response, and its password is not revealed', async () => {
  const silentAddress = `127.0.0.1:${silentServer.port}`;
  const replicaAt = async (isSilent: boolean) =>
    (await health()).replicas.find((replica: { address: string }) => (replica.address === silentAddress) === isSilent);
  await expect.poll(() => replicaAt(true)).toEqual({ address: silentAddress, isUsed: false, lag: null });
  const start = performance.now();
  const { replicas } = await health();
  expect({ isFast: performance.now() - start < 5_000, other: await replicaAt(false) }).toEqual({
    isFast: true,
    other: { address: expect.any(String), isUsed: true, lag: expect.any(Number) },
  });
  expect(JSON.stringify(replicas)).not.toMatch(/the-secret|reader/);
});

test('a queue counts its jobs by state, and its failed jobs match the lists of failures', async () => {
  await app.sql.rows(
    `insert into jobs.job (name, state, source_name, start_after, completed_on, data) values
     ('text', 'created', null, now() + interval '1 hour', null, $1), ('text', 'retry', null, now() - interval '90 seconds', null, $1),
     ('text', 'failed', null, now(), now(), $1), ('dead', 'created', 'text', now(), null, $1),
     ('chore-forget-usage', 'failed', null, now(), now(), null)`,
    [JSON.stringify({ kind: 'text', to: '+15125550100' })],
  );
  const { failedMessages, failedJobs } = await app.graphql(
    '{ failedMessages { nodes { state } } failedJobs { totalCount } }',
    {},
    admin,
  );
  const dead = failedMessages.nodes.filter(({ state }: { state: string }) => state === 'DEAD').length;
  expect({ text: await queueOf('text'), chore: await queueOf('chore-forget-usage'), dead, failedJobs }).toEqual({
    text: {
      queue: 'text',
      waiting: 1,
      active: 0,
      retrying: 1,
      failed: dead,
      oldestWaiting: expect.toSatisfy((age: number) => age >= 90),
    },
    chore: { queue: 'chore-forget-usage', waiting: 0, active: 0, retrying: 0, failed: 1, oldestWaiting: null },
    dead: 1,
    failedJobs: { totalCount: 1 },
  });
});

test('webhooks that the service paused after failures are counted', async () => {
  await app.sql.rows(
    `insert into webhook (id, platform_id, url, events, secret, paused_at, pause_reason)
     select 'paused-' || reason, (select id from platform limit 1), 'https://receiver.test/' || reason, '{team.changed}', 'x', now(), reason
     from unnest('{REQUESTED,FAILED,GONE}'::text[]) reason`,
  );
  expect((await health()).failedWebhooks).toBe(2);
});

test('a value that takes too long to read is null, and the other values are returned', async () => {
  const blocker = app.sql.transaction(async () => {
    await app.sql.rows('lock table jobs.queue in access exclusive mode');
    const { queues, database, pendingMigrations } = await health();
    return { queues, hasDatabase: database !== null, pendingMigrations };
  });
  expect(await blocker).toEqual({ queues: null, hasDatabase: true, pendingMigrations: 0 });
});

test('only administrators see the state of the service', async () => {
  const player = await app.person();
  expect({ player: await app.graphql(query, {}, player), platform: await app.graphql(query) }).toEqual({
    player: { errors: ['FORBIDDEN: Not allowed: requires a user token with the role ADMIN'] },
    platform: {
      errors: ['UNAUTHENTICATED: Authentication required: send a user token with the role ADMIN (header PB-USER-TOKEN)'],
    },
  });
});
