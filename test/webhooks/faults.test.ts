import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hashOf } from '../../src/modules/accounts/secrets.js';
import { startService } from '../support/service.js';
import { isSigned, type Receiver } from './receiver.js';
import { settingOf } from './setting.js';

const setting = settingOf();
const { webhook, receiver, send, team } = setting;

const connections = async (name: string): Promise<number> =>
  (
    await setting.app.sql.rows(`select 1 from pg_stat_activity where datname = current_database() and application_name = $1`, [
      name,
    ])
  ).length;

/** The positions of the log at which a team was written, and those that a receiver took, each once. */
async function compared(there: Receiver, id: string): Promise<{ log: unknown[]; taken: unknown[] }> {
  const log = await setting.app.sql.rows<{ position: number }>(
    `select "position" from change where record = 'Team' and id = $1 order by 1`,
    [id],
  );
  const taken = there.taken.filter(({ data }) => data.id === id).map((each) => each.id.split('_').at(-1));
  return { log: log.map(({ position }) => position.toString(36)), taken: [...new Set(taken)] };
}

test('while there is no webhook nothing is opened, and what was opened is closed with the last one', async () => {
  send();
  await sleep(500);
  expect([await connections('courtside webhooks'), await connections('courtside changes')]).toEqual([0, 0]);
  const { id } = await webhook((await receiver()).url, ['team.*']);
  await expect.poll(() => connections('courtside webhooks')).toBe(1);
  await setting.app.graphql(`mutation { pauseWebhook(id: "${id}") { id } }`);
  await expect.poll(() => connections('courtside webhooks')).toBe(0);
});

test('of two processes one sends, and the other takes over when that stops', async () => {
  const there = await receiver();
  await webhook(there.url, ['team.*']);
  const first = send();
  await team('both', 1);
  await expect.poll(() => there.taken.length).toBe(1);
  send();
  for (let seed = 2; seed <= 10; seed++) await team('both', seed);
  await expect.poll(() => there.arrived.length).toBe(10);
  await sleep(300);
  expect(there.arrived.length).toBe(10);
  await first.stop();
  await team('both', 11);
  await expect.poll(() => there.arrived.length).toBe(11);
});

test('what is on its way when a process stops comes to its end, and is not sent twice', async () => {
  let goOn = () => {};
  const there = await receiver(async (_, nth) => {
    if (nth === 1) await new Promise<void>((done) => (goOn = done));
    return 200;
  });
  await webhook(there.url, ['team.*']);
  const sending = send({ grace: 3_000 });
  await team('on-its-way', 1);
  await expect.poll(() => there.arrived.length).toBe(1);
  const stopped = sending.stop();
  setTimeout(goOn, 300);
  await stopped;
  send();
  await team('on-its-way', 2);
  await expect.poll(() => there.taken.map(({ type }) => type)).toEqual(['team.created', 'team.changed']);
  expect(there.arrived.length).toBe(2);
});

test('when all connections to the database are cut, nothing is lost', async () => {
  const there = await receiver();
  await webhook(there.url, ['team.*']);
  send();
  const write = async (seed: number) => {
    while (((await team('cut', seed)) as { errors?: string[] }).errors) await sleep(50);
  };
  for (let seed = 1; seed <= 30; seed++) {
    await write(seed);
    if (seed % 10 === 5)
      await setting.app.sql
        .rows(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
        )
        .catch(() => undefined);
  }
  const { log } = await compared(there, 'cut');
  expect(log.length).toBeGreaterThanOrEqual(30);
  await expect.poll(async () => (await compared(there, 'cut')).taken, { timeout: 15_000 }).toEqual(log);
}, 40_000);

test('a process that is killed in the midst of sending: another one goes on, in order, none missing, and twice with the same id only', async () => {
  await setting.app.sql.rows(`insert into platform (id, title, token_hash) values ('killed', 'Killed', $1)`, [
    hashOf('token-of-killed'),
  ]);
  const there = await receiver(async (_, nth) => {
    // Those that the first process waits for when it is killed.
    if (nth > 4 && nth <= 6) await sleep(2_000);
    return 200;
  });
  const variables = {
    DATABASE_URL: setting.app.databaseUrl,
    WEBHOOK_NETWORKS: '127.0.0.1',
    WEBHOOK_KEY: 'a key of both',
    LOG_LEVEL: 'debug',
    SUBGRAPHS: 'none',
  };
  const first = await startService(variables);
  const ask = async (origin: string, query: string) => {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'pb-api-token': 'token-of-killed' },
      body: JSON.stringify({ query }),
    });
    return (await response.json()).data;
  };
  const { createWebhook } = await ask(
    first.origin,
    `mutation { createWebhook(url: "${there.url}", events: ["team.*"]) { secret } }`,
  );
  await ask(first.origin, 'mutation { upsertTeam(input: { id: "killed", seed: 0 }) { id } }');
  await expect.poll(() => there.taken.length, { timeout: 40_000 }).toBe(1);
  const second = await startService(variables);
  for (let seed = 1; seed <= 20; seed++)
    await ask(second.origin, `mutation { upsertTeam(input: { id: "${seed % 2 ? 'killed' : 'spared'}", seed: ${seed} }) { id } }`);
  await expect.poll(() => there.arrived.length, { timeout: 40_000 }).toBeGreaterThanOrEqual(5);
  first.signal('SIGKILL');
  await first.ended;
  for (const id of ['killed', 'spared']) {
    const { log } = await compared(there, id);
    await expect.poll(async () => (await compared(there, id)).taken, { timeout: 60_000 }).toEqual(log);
  }
  expect(there.taken.every((each) => isSigned(createWebhook.secret, each))).toBe(true);
  second.signal('SIGTERM');
  await second.ended;
  const logs = first.output() + second.output();
  expect([logs.includes(createWebhook.secret.slice(6)), logs.includes('whsec_'), logs.includes('sealed.')]).toEqual([
    false,
    false,
    false,
  ]);
}, 180_000);
