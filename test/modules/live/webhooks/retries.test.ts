import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { defaultRetryPauses, retryPause } from '../../../../src/modules/live/webhooks/retry-pauses.js';
import { mailbox } from '../../../support/clients/mailbox.js';
import { useWebhookContext } from './context.js';

const context = useWebhookContext();
const { createWebhook, startReceiver, startSending, saveTeam, deliveriesOf } = context;
const graphql = (text: string, variables = {}) => context.app.graphql(text, variables);
/** Confirms the contact address of a webhook with the code from the last email to it. */
async function confirmContact(id: string, to: string) {
  const [code = ''] = /(?<=: )[\w-]{22}/.exec((await mailbox(context.app, to)).at(-1)?.text ?? '') ?? [];
  return graphql(`mutation { confirmWebhookContact(id: "${id}", code: "${code}") { contactVerifiedAt } }`);
}
const stateOf = async (id: string) => (await graphql(`{ webhook(id: "${id}") { pausedAt pauseReason pauseError } }`)).webhook;

describe('the retry schedule', () => {
  test('takes about a day, and each pause differs from its base by at most 10%', () => {
    const pauses = defaultRetryPauses.seconds.map((_, index) => retryPause(index + 1, null, defaultRetryPauses) ?? 0);
    const isWithinJitter = pauses.map((pause, index) => Math.abs(pause / (defaultRetryPauses.seconds[index] ?? 0) - 1) <= 0.1);
    expect(isWithinJitter).toEqual(pauses.map(() => true));
    expect(defaultRetryPauses.seconds.reduce((sum, pause) => sum + pause, 0) / 3_600).toBeCloseTo(23.6, 1);
  });

  test('varies the same pause at random', () => {
    expect(new Set(Array.from({ length: 20 }, () => retryPause(1, null, defaultRetryPauses))).size).toBeGreaterThan(10);
  });

  test('ends after the last pause', () => {
    expect(retryPause(defaultRetryPauses.seconds.length + 1, null, defaultRetryPauses)).toBeNull();
  });

  test('waits for `Retry-After`, but at most an hour', () => {
    expect({
      tenMinutes: retryPause(1, 600, defaultRetryPauses),
      elevenDays: retryPause(1, 1e6, defaultRetryPauses),
    }).toEqual({ tenMinutes: 600, elevenDays: 3_600 });
  });
});

test('20 concurrent writers and a receiver that fails at random: all changes arrive in order per record, and duplicates are identical', async () => {
  const receiver = await startReceiver(() => (Math.random() < 0.4 ? 503 : 200));
  await createWebhook(receiver.url, ['team.*']);
  startSending({ pauses: { seconds: Array.from({ length: 60 }, () => 0.02), jitter: 0.5 } });
  const names = ['a', 'b', 'c', 'd'];
  const writers = Array.from({ length: 20 }, async (_, writer) => {
    for (let nth = 1; nth <= 5; nth++) await saveTeam(`many-${names[writer % 4]}`, writer * 100 + nth);
  });
  await Promise.all(writers);
  const log = await context.app.sql.rows<{ id: string; position: number }>(
    `select id, "position" from change where record = 'Team' and id like 'many-%' order by "position"`,
  );
  expect(log.length).toBe(100);
  const deliveryIds = () => new Set(receiver.deliveries.map(({ id }) => id));
  await expect.poll(() => deliveryIds().size, { timeout: 20_000 }).toBe(100);
  for (const name of names) {
    const id = `many-${name}`;
    const logged = log.filter((change) => change.id === id).map(({ position }) => position.toString(36));
    const deliveries = receiver.deliveries.filter(({ data }) => data.id === id);
    const delivered = [...new Set(deliveries.map((delivery) => delivery.id.split('_').at(-1)))];
    expect({ id, positions: delivered }).toEqual({ id, positions: logged });
  }
  const attemptsByDelivery = Map.groupBy(receiver.arrived, ({ id }) => id);
  const changedBetweenAttempts = [...attemptsByDelivery.values()].filter(
    (attempts) => new Set(attempts.map(({ body }) => body)).size > 1,
  );
  expect(changedBetweenAttempts).toEqual([]);
}, 40_000);

test('a failed delivery is retried and delays only deliveries of the same record', async () => {
  const receiver = await startReceiver(({ data }, nth) => (data.id === 'stuck' && nth < 4 ? 500 : 200));
  const { id } = await createWebhook(receiver.url, ['team.*']);
  await saveTeam('stuck', 1);
  await saveTeam('stuck', 2);
  await saveTeam('other', 1);
  startSending({ pauses: { seconds: [0.3, 0.3, 0.3, 0.3], jitter: 0 } });
  await expect.poll(() => receiver.deliveries.length).toBe(3);
  expect(receiver.deliveries.map(({ data }) => data.id)).toEqual(['other', 'stuck', 'stuck']);
  const [{ status, attempts, error, http_status: httpStatus } = {}] = await deliveriesOf(id);
  expect({ status, attempts, error, httpStatus }).toEqual({ status: 'DELIVERED', attempts: 3, error: null, httpStatus: 200 });
});

test('`Retry-After` extends a pause', async () => {
  const receiver = await startReceiver((_, nth) =>
    nth === 1 ? (response) => response.writeHead(429, { 'retry-after': '2' }).end() : 200,
  );
  await createWebhook(receiver.url, ['team.*']);
  await saveTeam('later', 1);
  startSending();
  await expect.poll(() => receiver.arrived.length).toBe(1);
  const firstAttemptAt = performance.now();
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  expect(performance.now() - firstAttemptAt).toBeGreaterThan(1_500);
});

test('the last failed attempt pauses the webhook and sends an email to its confirmed contact, and the webhook resumes where it paused', async () => {
  let isFixed = false;
  const receiver = await startReceiver(() => (isFixed ? 200 : 500));
  const { id } = await createWebhook(receiver.url, ['team.*'], ', contactEmail: "ops@club.example"');
  await confirmContact(id, 'ops@club.example');
  startSending();
  await saveTeam('paused', 1);
  await expect.poll(async () => (await stateOf(id)).pauseReason).toBe('FAILED');
  expect({
    attempts: receiver.arrived.length,
    pauseError: (await stateOf(id)).pauseError,
  }).toEqual({ attempts: 4, pauseError: 'responded with 500: not now' });
  const mails = await mailbox(context.app, 'ops@club.example');
  expect({ subjects: mails.map(({ subject }) => subject), quotesReceiver: mails[1]?.text?.includes('not now') }).toEqual({
    subjects: ['Confirm that you are the contact of a webhook', 'A webhook is paused'],
    quotesReceiver: false,
  });
  await saveTeam('paused', 2);
  await sleep(300);
  expect(receiver.arrived.length).toBe(4);
  isFixed = true;
  await graphql(`mutation { resumeWebhook(id: "${id}") { pausedAt } }`);
  await expect.poll(() => receiver.deliveries.map(({ type }) => type)).toEqual(['team.created', 'team.changed']);
  expect(await stateOf(id)).toEqual({ pausedAt: null, pauseReason: null, pauseError: null });
});

test('an unconfirmed contact gets only the code, and a confirmed contact gets at most one notice a day', async () => {
  const receiver = await startReceiver(() => 410);
  const subjectsOf = async (to: string) => (await mailbox(context.app, to)).map(({ subject }) => subject);
  const code = 'Confirm that you are the contact of a webhook';
  const unconfirmed = await createWebhook(receiver.url, ['team.*'], ', contactEmail: "stranger@club.example"');
  const confirmed = await createWebhook(receiver.url, ['team.*'], ', contactEmail: "daily@club.example"');
  await confirmContact(confirmed.id, 'daily@club.example');
  startSending();
  for (let seed = 1; seed <= 2; seed++) {
    await saveTeam('gone', seed);
    for (const { id } of [unconfirmed, confirmed]) {
      await expect.poll(async () => (await stateOf(id)).pauseReason).toBe('GONE');
      await graphql(`mutation { resumeWebhook(id: "${id}", skipFailed: true) { id } }`);
    }
  }
  expect({
    unconfirmed: await subjectsOf('stranger@club.example'),
    confirmed: await subjectsOf('daily@club.example'),
  }).toEqual({ unconfirmed: [code], confirmed: [code, 'A webhook is paused'] });
});

test('`skipFailed` resumes a webhook after the failed delivery', async () => {
  const receiver = await startReceiver(({ type }) => (type === 'team.created' ? 400 : 200));
  const { id } = await createWebhook(receiver.url, ['team.*']);
  startSending({ pauses: { seconds: [], jitter: 0 } });
  await saveTeam('poison', 1);
  await expect.poll(async () => (await stateOf(id)).pauseReason).toBe('FAILED');
  await saveTeam('poison', 2);
  await graphql(`mutation { resumeWebhook(id: "${id}", skipFailed: true) { id } }`);
  await expect.poll(() => receiver.deliveries.map(({ type }) => type)).toEqual(['team.changed']);
  const query = `{ webhookDeliveries(filter: { status: { eq: GIVEN_UP }, webhookId: { eq: "${id}" } }) { nodes { event error httpStatus } } }`;
  expect((await graphql(query)).webhookDeliveries.nodes).toEqual([
    { event: 'team.created', error: 'responded with 400: not now', httpStatus: 400 },
  ]);
});

test('`skipFailed` also skips a failed delivery of an active webhook, and the next delivery of the record is sent immediately', async () => {
  const receiver = await startReceiver(({ type }) => (type === 'team.created' ? 400 : 200));
  const { id } = await createWebhook(receiver.url, ['team.*']);
  startSending({ pauses: { seconds: [3_600], jitter: 0 } });
  await saveTeam('delayed', 1);
  await expect.poll(async () => (await deliveriesOf(id)).map(({ attempts }) => attempts)).toEqual([1]);
  await saveTeam('delayed', 2);
  await expect.poll(async () => (await deliveriesOf(id)).length).toBe(2);
  const { pausedAt } = await stateOf(id);
  await graphql(`mutation { resumeWebhook(id: "${id}", skipFailed: true) { id } }`);
  await expect.poll(() => receiver.deliveries.map(({ type }) => type)).toEqual(['team.changed']);
  await expect.poll(async () => (await deliveriesOf(id)).map(({ status }) => status)).toEqual(['GIVEN_UP', 'DELIVERED']);
  expect(pausedAt).toBeNull();
});

test('a 410 response pauses the webhook without another attempt', async () => {
  const receiver = await startReceiver(() => 410);
  const { id } = await createWebhook(receiver.url, ['team.*']);
  startSending();
  await saveTeam('gone', 1);
  await expect.poll(async () => (await stateOf(id)).pauseReason).toBe('GONE');
  await sleep(300);
  expect(receiver.arrived.length).toBe(1);
});

test('a webhook that resumes after its changes were pruned receives `changes.missed`, then new changes', async () => {
  const receiver = await startReceiver();
  const { id } = await createWebhook(receiver.url, ['team.*']);
  await graphql(`mutation { pauseWebhook(id: "${id}") { pauseReason } }`);
  await saveTeam('forgotten', 1);
  await context.app.sql.rows(`update change_log set last_removed_position = (select max("position") from change)`);
  startSending();
  await graphql(`mutation { resumeWebhook(id: "${id}") { id } }`);
  await expect.poll(() => receiver.deliveries.map(({ type }) => type)).toEqual(['changes.missed']);
  await saveTeam('forgotten', 2);
  await expect.poll(() => receiver.deliveries.map(({ type }) => type)).toEqual(['changes.missed', 'team.changed']);
});

test('the position of a webhook advances with changes that it does not list', async () => {
  const { id } = await createWebhook((await startReceiver()).url, ['league.*']);
  startSending({ positionInterval: 100 });
  await saveTeam('noted', 1);
  const { sql } = context.app;
  const { position } = (await sql.row<{ position: number }>(`select max("position") as position from change`)) ?? {};
  const webhookPosition = async () =>
    (await sql.row<{ position: number }>('select "position" from webhook_position where webhook_id = $1', [id]))?.position;
  await expect.poll(webhookPosition, { timeout: 15_000 }).toBeGreaterThanOrEqual(position ?? 0);
});

test('an unreadable secret pauses its webhook with an error, and other webhooks continue', async () => {
  const receiver = await startReceiver();
  const { id } = await createWebhook(receiver.url, ['team.*']);
  const other = await createWebhook(`${receiver.url}/other`, ['team.*']);
  await context.app.sql.rows(`update webhook set secret = 'sealed.nothing-that-opens' where id = $1`, [id]);
  startSending();
  await saveTeam('unsigned', 1);
  await expect
    .poll(async () => (await stateOf(id)).pauseError)
    .toMatch(/^not sent: the secret cannot be decrypted: WEBHOOK_KEY must contain /);
  await expect.poll(() => receiver.arrived.map(({ path }) => path)).toEqual(['/hooks/other']);
  expect((await stateOf(other.id)).pausedAt).toBeNull();
});

test('pruning replaces undelivered deliveries with one `changes.missed`', async () => {
  const receiver = await startReceiver(() => 500);
  const { id } = await createWebhook(receiver.url, ['team.*']);
  const sending = startSending({ pauses: { seconds: [], jitter: 0 } });
  await saveTeam('old', 1);
  await expect.poll(async () => (await stateOf(id)).pauseReason).toBe('FAILED');
  await sending.stop();
  await context.app.sql.rows(`update webhook_delivery set created_at = now() - interval '8 days'`);
  const { modules } = await import('../../../../src/modules/index.js');
  const chore = modules.flatMap(({ dailyJobs = [] }) => dailyJobs).find(({ name }) => name === 'forget-deliveries');
  await chore?.run(context.app.sql, context.app.resources.services);
  expect((await deliveriesOf(id)).map(({ event, status }) => ({ event, status }))).toEqual([
    { event: 'changes.missed', status: 'PENDING' },
  ]);
});
