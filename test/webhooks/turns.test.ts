import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { hashOf } from '../../src/modules/accounts/secrets.js';
import { settingOf } from './setting.js';

const setting = settingOf();
const { webhook, receiver, send, team } = setting;
const onceAnHour = { seconds: [3_600, 3_600], jitter: 0 };

test('a platform whose receivers hang does not take the turns of others', async () => {
  const { app } = setting;
  const hanging = await receiver(() => () => undefined);
  const there = await receiver();
  await app.sql.rows(`insert into platform (id, title, token_hash) values ('slow', 'Slow', $1)`, [hashOf('token-of-slow')]);
  for (let n = 0; n < 12; n++)
    await app.graphql(
      'mutation ($url: String!) { createWebhook(url: $url, events: ["league.*"]) { secret } }',
      { url: hanging.url },
      { platform: 'token-of-slow' },
    );
  await webhook(there.url, ['team.*']);
  send({ posting: { patience: 1_000 }, pauses: onceAnHour });
  for (let n = 0; n < 30; n++)
    await app.graphql('mutation ($id: ID!) { upsertLeague(input: { id: $id }) { id } }', { id: `l${n}` });
  // All turns are taken by then.
  await expect.poll(() => hanging.arrived.length).toBeGreaterThanOrEqual(50);
  await team('in-time', 1);
  await expect.poll(() => there.taken.length).toBe(1);
  // One of the next turns is its own, and not that behind the 360 of the other platform.
  expect(hanging.arrived.length).toBeLessThan(200);
});

test('a webhook hears of what was written before it was made and is committed since', async () => {
  const there = await receiver();
  await team('open', 1);
  await setting.app.resources.services.changes.here();
  const other = new Client({ connectionString: setting.app.databaseUrl });
  await other.connect();
  await other.query(`begin; update team set seed = 51 where id = 'open'`);
  await webhook(there.url, ['team.*']);
  await other.query('commit');
  await other.end();
  send();
  await team('open', 52);
  await expect
    .poll(() => there.taken.map(({ type, data }) => `${type} ${data.id}`))
    .toEqual(['team.changed open', 'team.changed open']);
});

test('a ping is sent at once behind one that failed', async () => {
  let isMended = false;
  const there = await receiver(() => (isMended ? 200 : 500));
  const { id } = await webhook(there.url, ['team.*']);
  send({ pauses: onceAnHour });
  const ping = () => setting.app.graphql('mutation ($id: ID!) { pingWebhook(id: $id) { id } }', { id });
  await ping();
  await expect.poll(async () => (await setting.deliveries(id)).map(({ attempts }) => attempts)).toEqual([1]);
  await sleep(100);
  isMended = true;
  await ping();
  await expect.poll(() => there.taken.map(({ type }) => type)).toEqual(['webhook.ping', 'webhook.ping']);
});
