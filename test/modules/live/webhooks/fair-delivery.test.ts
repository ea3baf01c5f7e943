import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { hashOf } from '../../../../src/modules/accounts/tokens/secrets.js';
import { useWebhookContext } from './context.js';

const context = useWebhookContext();
const { createWebhook, startReceiver, startSending, saveTeam } = context;
const hourly = { seconds: [3_600, 3_600], jitter: 0 };

test('a platform whose receivers hang does not delay deliveries of other platforms', async () => {
  const { app } = context;
  const hanging = await startReceiver(() => () => undefined);
  const responsive = await startReceiver();
  await app.sql.rows(`insert into platform (id, title, token_hash) values ('slow', 'Slow', $1)`, [hashOf('token-of-slow')]);
  for (let count = 0; count < 12; count++)
    await app.graphql(
      'mutation ($url: String!) { createWebhook(url: $url, events: ["league.*"]) { secret } }',
      { url: hanging.url },
      { platform: 'token-of-slow' },
    );
  await createWebhook(responsive.url, ['team.*']);
  startSending({ postOptions: { timeout: 1_000 }, pauses: hourly });
  for (let number = 0; number < 30; number++)
    await app.graphql('mutation ($id: ID!) { upsertLeague(input: { id: $id }) { id } }', { id: `l${number}` });
  // After 50 requests, all senders are busy with the hanging receivers.
  await expect.poll(() => hanging.arrived.length).toBeGreaterThanOrEqual(50);
  await saveTeam('in-time', 1);
  await expect.poll(() => responsive.deliveries.length).toBe(1);
  // The delivery did not wait for the 360 deliveries of the slow platform.
  expect(hanging.arrived.length).toBeLessThan(200);
});

test('a webhook receives a change that was written before its creation and committed after it', async () => {
  const receiver = await startReceiver();
  await saveTeam('open', 1);
  await context.app.resources.services.changes.currentPosition();
  const transaction = new Client({ connectionString: context.app.databaseUrl });
  await transaction.connect();
  await transaction.query(`begin; update team set seed = 51 where id = 'open'`);
  await createWebhook(receiver.url, ['team.*']);
  await transaction.query('commit');
  await transaction.end();
  startSending();
  await saveTeam('open', 52);
  await expect
    .poll(() => receiver.deliveries.map(({ type, data }) => `${type} ${data.id}`))
    .toEqual(['team.changed open', 'team.changed open']);
});

test('a new ping is sent immediately, together with an earlier one that failed', async () => {
  let isFixed = false;
  const receiver = await startReceiver(() => (isFixed ? 200 : 500));
  const { id } = await createWebhook(receiver.url, ['team.*']);
  startSending({ pauses: hourly });
  const ping = () => context.app.graphql('mutation ($id: ID!) { pingWebhook(id: $id) { id } }', { id });
  await ping();
  await expect.poll(async () => (await context.deliveriesOf(id)).map(({ attempts }) => attempts)).toEqual([1]);
  await sleep(100);
  isFixed = true;
  await ping();
  await expect.poll(() => receiver.deliveries.map(({ type }) => type)).toEqual(['webhook.ping', 'webhook.ping']);
});
