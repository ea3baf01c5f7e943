import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forADay, pauseBefore } from '../../src/modules/live/webhooks/retry-pauses.js';
import { mailbox } from '../support/mailbox.js';
import { settingOf } from './setting.js';

const setting = settingOf();
const { webhook, receiver, send, team, deliveries } = setting;
const graphql = (text: string, variables = {}) => setting.app.graphql(text, variables);
const stateOf = async (id: string) => (await graphql(`{ webhook(id: "${id}") { pausedAt pauseReason pauseError } }`)).webhook;

test('the schedule is that of Standard Webhooks, takes about a day, and differs a little each time', () => {
  const pauses = forADay.seconds.map((_, index) => pauseBefore(index + 1, null, forADay) ?? 0);
  expect(pauses.map((pause, index) => Math.abs(pause / (forADay.seconds[index] ?? 0) - 1) <= 0.1)).toEqual(
    pauses.map(() => true),
  );
  expect(forADay.seconds.reduce((sum, pause) => sum + pause, 0) / 3_600).toBeCloseTo(23.6, 1);
  expect(new Set(Array.from({ length: 20 }, () => pauseBefore(1, null, forADay))).size).toBeGreaterThan(10);
  expect([
    pauseBefore(forADay.seconds.length + 1, null, forADay),
    pauseBefore(1, 600, forADay),
    pauseBefore(1, 1e6, forADay),
  ]).toEqual([null, 600, 3_600]);
});

test('20 writers at once and a receiver that fails at random: none is missing, each record in its order, duplicates with the same id only', async () => {
  const there = await receiver(() => (Math.random() < 0.4 ? 503 : 200));
  await webhook(there.url, ['team.*']);
  send({ pauses: { seconds: Array.from({ length: 60 }, () => 0.02), jitter: 0.5 } });
  const names = ['a', 'b', 'c', 'd'];
  const writers = Array.from({ length: 20 }, async (_, writer) => {
    for (let nth = 1; nth <= 5; nth++) await team(`many-${names[writer % 4]}`, writer * 100 + nth);
  });
  await Promise.all(writers);
  const log = await setting.app.sql.rows<{ id: string; position: number }>(
    `select id, "position" from change where record = 'Team' and id like 'many-%' order by "position"`,
  );
  expect(log.length).toBe(100);
  const ids = () => new Set(there.taken.map(({ id }) => id));
  await expect.poll(() => ids().size, { timeout: 20_000 }).toBe(100);
  for (const name of names) {
    const expected = log.filter(({ id }) => id === `many-${name}`).map(({ position }) => position.toString(36));
    const seen = [...new Set(there.taken.filter(({ data }) => data.id === `many-${name}`).map(({ id }) => id.split('_').at(-1)))];
    expect(seen).toEqual(expected);
  }
  // What was sent more than once was the same.
  const bodies = Map.groupBy(there.arrived, ({ id }) => id);
  expect([...bodies.values()].filter((same) => new Set(same.map(({ body }) => body)).size > 1)).toEqual([]);
}, 40_000);

test('what fails holds up its record only, and is sent again as often as it should be', async () => {
  const there = await receiver(({ data }, nth) => (data.id === 'stuck' && nth < 4 ? 500 : 200));
  const { id } = await webhook(there.url, ['team.*']);
  await team('stuck', 1);
  await team('stuck', 2);
  await team('other', 1);
  send({ pauses: { seconds: [0.3, 0.3, 0.3, 0.3], jitter: 0 } });
  await expect.poll(() => there.taken.length).toBe(3);
  expect(there.taken.map(({ data }) => data.id)).toEqual(['other', 'stuck', 'stuck']);
  const [first] = await deliveries(id);
  expect([first?.status, first?.attempts, first?.error, first?.http_status]).toEqual(['DELIVERED', 3, null, 200]);
});

test('`Retry-After` makes a pause longer', async () => {
  const there = await receiver((_, nth) => (nth === 1 ? (answer) => answer.writeHead(429, { 'retry-after': '2' }).end() : 200));
  await webhook(there.url, ['team.*']);
  await team('later', 1);
  send();
  await expect.poll(() => there.arrived.length).toBe(1);
  const first = performance.now();
  await expect.poll(() => there.taken.length).toBe(1);
  expect(performance.now() - first).toBeGreaterThan(1_500);
});

test('after the last attempt it is paused, says why, tells its contact, and goes on where it paused', async () => {
  let isWell = false;
  const there = await receiver(() => (isWell ? 200 : 500));
  const { id } = await webhook(there.url, ['team.*'], ', contactEmail: "ops@club.example"');
  send();
  await team('paused', 1);
  await expect.poll(async () => (await stateOf(id)).pauseReason).toBe('FAILED');
  expect([there.arrived.length, (await stateOf(id)).pauseError]).toEqual([4, 'answered 500: not now']);
  const mails = await mailbox(setting.app, 'ops@club.example');
  expect(mails.map(({ subject }) => subject)).toEqual([`Webhook to 127.0.0.1:${there.port} is paused`]);
  await team('paused', 2);
  await sleep(300);
  expect(there.arrived.length).toBe(4);
  isWell = true;
  await graphql(`mutation { resumeWebhook(id: "${id}") { pausedAt } }`);
  await expect.poll(() => there.taken.map(({ type }) => type)).toEqual(['team.created', 'team.changed']);
  expect(await stateOf(id)).toEqual({ pausedAt: null, pauseReason: null, pauseError: null });
});

test('who resumes it may pass over what failed', async () => {
  const there = await receiver(({ type }) => (type === 'team.created' ? 400 : 200));
  const { id } = await webhook(there.url, ['team.*']);
  send({ pauses: { seconds: [], jitter: 0 } });
  await team('poison', 1);
  await expect.poll(async () => (await stateOf(id)).pauseReason).toBe('FAILED');
  await team('poison', 2);
  await graphql(`mutation { resumeWebhook(id: "${id}", skipFailed: true) { id } }`);
  await expect.poll(() => there.taken.map(({ type }) => type)).toEqual(['team.changed']);
  const query = `{ webhookDeliveries(filter: { status: { eq: GIVEN_UP }, webhookId: { eq: "${id}" } }) { nodes { event error httpStatus } } }`;
  expect((await graphql(query)).webhookDeliveries.nodes).toEqual([
    { event: 'team.created', error: 'answered 400: not now', httpStatus: 400 },
  ]);
});

test('a receiver that answers 410 is not sent to any more', async () => {
  const there = await receiver(() => 410);
  const { id } = await webhook(there.url, ['team.*']);
  send();
  await team('gone', 1);
  await expect.poll(async () => (await stateOf(id)).pauseReason).toBe('GONE');
  await sleep(300);
  expect(there.arrived.length).toBe(1);
});

test('whoever comes back after the log has forgotten is told to read anew, and hears of what comes', async () => {
  const there = await receiver();
  const { id } = await webhook(there.url, ['team.*']);
  await graphql(`mutation { pauseWebhook(id: "${id}") { pauseReason } }`);
  await team('forgotten', 1);
  await setting.app.sql.rows(`update change_log set forgotten = (select max("position") from change)`);
  send();
  await graphql(`mutation { resumeWebhook(id: "${id}") { id } }`);
  await expect.poll(() => there.taken.map(({ type }) => type)).toEqual(['changes.forgotten']);
  await team('forgotten', 2);
  await expect.poll(() => there.taken.map(({ type }) => type)).toEqual(['changes.forgotten', 'team.changed']);
});

test('a webhook to which nothing happens keeps up with the log', async () => {
  const { id } = await webhook((await receiver()).url, ['league.*']);
  send({ noted: 100 });
  await team('noted', 1);
  const { position } = (await setting.app.sql.row<{ position: number }>(`select max("position") as position from change`)) ?? {};
  await expect
    .poll(
      async () =>
        (await setting.app.sql.row<{ position: number }>('select "position" from webhook_place where webhook_id = $1', [id]))
          ?.position,
      {
        timeout: 15_000,
      },
    )
    .toBeGreaterThanOrEqual(position ?? 0);
});

test('a secret that cannot be read is a failure in words, and is no trouble for others', async () => {
  const there = await receiver();
  const { id } = await webhook(there.url, ['team.*']);
  const other = await webhook(`${there.url}/other`, ['team.*']);
  await setting.app.sql.rows(`update webhook set secret = 'sealed.nothing-that-opens' where id = $1`, [id]);
  send();
  await team('unsigned', 1);
  await expect.poll(async () => (await stateOf(id)).pauseError).toMatch(/^not sent: its secret cannot be read: WEBHOOK_KEY/);
  expect([there.arrived.map(({ path }) => path), (await stateOf(other.id)).pausedAt]).toEqual([['/hooks/other'], null]);
});

test('deliveries go with the log; of those that were not sent it is told that they are missing', async () => {
  const there = await receiver(() => 500);
  const { id } = await webhook(there.url, ['team.*']);
  const sending = send({ pauses: { seconds: [], jitter: 0 } });
  await team('old', 1);
  await expect.poll(async () => (await stateOf(id)).pauseReason).toBe('FAILED');
  await sending.stop();
  await setting.app.sql.rows(`update webhook_delivery set created_at = now() - interval '8 days'`);
  const { modules } = await import('../../src/modules/index.js');
  const chore = modules.flatMap(({ daily = [] }) => daily).find(({ name }) => name === 'forget-deliveries');
  await chore?.run(setting.app.sql, setting.app.resources.services);
  expect((await deliveries(id)).map(({ event, status }) => [event, status])).toEqual([['changes.forgotten', 'PENDING']]);
});
