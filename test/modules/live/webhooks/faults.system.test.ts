import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hashOf } from '../../../../src/modules/accounts/tokens/secrets.js';
import { startService } from '../../../support/servers/service-process.js';
import { useWebhookContext } from './context.js';
import { isSigned, type Receiver } from './receiver.js';

const context = useWebhookContext();
const { createWebhook, startReceiver, startSending, saveTeam } = context;

const openConnections = async (applicationName: string): Promise<number> =>
  (
    await context.app.sql.rows(`select 1 from pg_stat_activity where datname = current_database() and application_name = $1`, [
      applicationName,
    ])
  ).length;

/** Returns the change log positions of a team's changes, and the positions that the receiver accepted, without duplicates. */
async function positionsOf(receiver: Receiver, teamId: string): Promise<{ logged: unknown[]; delivered: unknown[] }> {
  const rows = await context.app.sql.rows<{ position: number }>(
    `select "position" from change where record = 'Team' and id = $1 order by 1`,
    [teamId],
  );
  const delivered = receiver.deliveries.filter(({ data }) => data.id === teamId).map(({ id }) => id.split('_').at(-1));
  return { logged: rows.map(({ position }) => position.toString(36)), delivered: [...new Set(delivered)] };
}

test('the sender is connected to the database only while a webhook is active', async () => {
  startSending();
  await sleep(500);
  expect({
    webhooks: await openConnections('courtside webhooks'),
    changes: await openConnections('courtside changes'),
  }).toEqual({ webhooks: 0, changes: 0 });
  const { id } = await createWebhook((await startReceiver()).url, ['team.*']);
  await expect.poll(() => openConnections('courtside webhooks')).toBe(1);
  await context.app.graphql(`mutation { pauseWebhook(id: "${id}") { id } }`);
  await expect.poll(() => openConnections('courtside webhooks')).toBe(0);
});

test('one of two processes sends, and the other takes over when it stops', async () => {
  const receiver = await startReceiver();
  await createWebhook(receiver.url, ['team.*']);
  const first = startSending();
  await saveTeam('both', 1);
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  startSending();
  for (let seed = 2; seed <= 10; seed++) await saveTeam('both', seed);
  await expect.poll(() => receiver.arrived.length).toBe(10);
  await sleep(300);
  expect(receiver.arrived.length).toBe(10);
  await first.stop();
  await saveTeam('both', 11);
  await expect.poll(() => receiver.arrived.length).toBe(11);
});

test('a process that stops completes the delivery in progress, and no process repeats it', async () => {
  let releaseResponse = () => {};
  const receiver = await startReceiver(async (_, nth) => {
    if (nth === 1) await new Promise<void>((resolve) => (releaseResponse = resolve));
    return 200;
  });
  await createWebhook(receiver.url, ['team.*']);
  const sending = startSending({ grace: 3_000 });
  await saveTeam('in-progress', 1);
  await expect.poll(() => receiver.arrived.length).toBe(1);
  const stopped = sending.stop();
  setTimeout(releaseResponse, 300);
  await stopped;
  startSending();
  await saveTeam('in-progress', 2);
  await expect.poll(() => receiver.deliveries.map(({ type }) => type)).toEqual(['team.created', 'team.changed']);
  expect(receiver.arrived.length).toBe(2);
});

test('no delivery is lost when all database connections are cut', async () => {
  const receiver = await startReceiver();
  await createWebhook(receiver.url, ['team.*']);
  startSending();
  const saveUntilAccepted = async (seed: number) => {
    while (((await saveTeam('cut', seed)) as { errors?: string[] }).errors) await sleep(50);
  };
  for (let seed = 1; seed <= 30; seed++) {
    await saveUntilAccepted(seed);
    if (seed % 10 === 5)
      await context.app.sql
        .rows(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
        )
        .catch(() => undefined);
  }
  const { logged } = await positionsOf(receiver, 'cut');
  expect(logged.length).toBeGreaterThanOrEqual(30);
  await expect.poll(async () => (await positionsOf(receiver, 'cut')).delivered, { timeout: 15_000 }).toEqual(logged);
}, 40_000);

test('another process continues for a killed one: deliveries are complete, in order and signed, and no secret is logged', async () => {
  await context.app.sql.rows(`insert into platform (id, title, token_hash) values ('killed', 'Killed', $1)`, [
    hashOf('token-of-killed'),
  ]);
  const receiver = await startReceiver(async (_, nth) => {
    // The first process is killed while it waits for these responses.
    if (nth > 4 && nth <= 6) await sleep(2_000);
    return 200;
  });
  const variables = {
    DATABASE_URL: context.app.databaseUrl,
    WEBHOOK_NETWORKS: '127.0.0.1',
    WEBHOOK_KEY: 'a key of both',
    LOG_LEVEL: 'debug',
    SUBGRAPHS: 'none',
  };
  const first = await startService(variables);
  const execute = async (origin: string, query: string) => {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'pb-api-token': 'token-of-killed' },
      body: JSON.stringify({ query }),
    });
    return (await response.json()).data;
  };
  const created = await execute(
    first.origin,
    `mutation { createWebhook(url: "${receiver.url}", events: ["team.*"]) { secret } }`,
  );
  const { secret } = created.createWebhook;
  await execute(first.origin, 'mutation { upsertTeam(input: { id: "killed", seed: 0 }) { id } }');
  await expect.poll(() => receiver.deliveries.length, { timeout: 40_000 }).toBe(1);
  const second = await startService(variables);
  for (let seed = 1; seed <= 20; seed++) {
    const id = seed % 2 ? 'killed' : 'spared';
    await execute(second.origin, `mutation { upsertTeam(input: { id: "${id}", seed: ${seed} }) { id } }`);
  }
  await expect.poll(() => receiver.arrived.length, { timeout: 40_000 }).toBeGreaterThanOrEqual(5);
  first.signal('SIGKILL');
  await first.exit;
  for (const id of ['killed', 'spared']) {
    const { logged } = await positionsOf(receiver, id);
    await expect.poll(async () => (await positionsOf(receiver, id)).delivered, { timeout: 60_000 }).toEqual(logged);
  }
  expect(receiver.deliveries.every((delivery) => isSigned(secret, delivery))).toBe(true);
  second.signal('SIGTERM');
  await second.exit;
  const logs = first.output() + second.output();
  expect({
    hasSecret: logs.includes(secret.slice(6)),
    hasSecretPrefix: logs.includes('whsec_'),
    hasSealedSecret: logs.includes('sealed.'),
  }).toEqual({ hasSecret: false, hasSecretPrefix: false, hasSealedSecret: false });
}, 180_000);
