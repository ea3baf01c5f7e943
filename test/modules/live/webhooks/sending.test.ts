import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ChangeLog, parseChangeCursor } from '../../../../src/kernel/changes/index.js';
import { Dispatcher } from '../../../../src/modules/live/webhooks/dispatcher.js';
import { openLeaderLock } from '../../../../src/modules/live/webhooks/leader-lock.js';
import { useWebhookContext } from './context.js';
import { isSigned } from './receiver.js';

const context = useWebhookContext();
const { createWebhook, startReceiver, startSending, saveTeam } = context;
const graphql = (text: string, variables = {}) => context.app.graphql(text, variables);

test('deliveries are signed, name their event and arrive in the order of the change log', async () => {
  const receiver = await startReceiver();
  const { secret } = await createWebhook(receiver.url, ['team.*']);
  startSending();
  await saveTeam('a', 1);
  await saveTeam('a', 2);
  await graphql('mutation { upsertLeague(input: { id: "no-team" }) { id } }');
  await graphql('mutation { deleteTeam(id: "a") { id } }');
  await expect.poll(() => receiver.deliveries.length).toBe(3);
  expect(receiver.deliveries.map(({ type, data: { cursor: _, ...data } }) => ({ type, data }))).toEqual([
    { type: 'team.created', data: { record: 'Team', id: 'a', changedFields: [] } },
    { type: 'team.changed', data: { record: 'Team', id: 'a', changedFields: ['seed'] } },
    { type: 'team.deleted', data: { record: 'Team', id: 'a', changedFields: [] } },
  ]);
  expect(receiver.deliveries.every((delivery) => isSigned(secret, delivery))).toBe(true);
  const positions = receiver.deliveries.map(({ data }) => parseChangeCursor(data.cursor ?? '').position);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
});

test('a delivery is JSON with a timestamp, and carries no cookie', async () => {
  const receiver = await startReceiver();
  await createWebhook(receiver.url, ['team.*']);
  startSending();
  await saveTeam('json', 1);
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  const [delivery] = receiver.deliveries;
  expect({
    timestamp: JSON.parse(delivery?.body ?? '').timestamp,
    contentType: delivery?.headers['content-type'],
    cookie: delivery?.headers.cookie,
  }).toEqual({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\S+Z$/),
    contentType: 'application/json; charset=utf-8',
    cookie: undefined,
  });
});

test('a webhook receives only the events that it lists', async () => {
  const receiver = await startReceiver();
  await createWebhook(receiver.url, ['team.deleted', 'league.created']);
  startSending();
  await saveTeam('b', 1);
  await graphql('mutation { upsertLeague(input: { id: "l" }) { id } }');
  await graphql('mutation { deleteTeam(id: "b") { id } }');
  await expect.poll(() => receiver.deliveries.map(({ type }) => type).sort()).toEqual(['league.created', 'team.deleted']);
});

test('deliveries are signed with both secrets until the previous one ends', async () => {
  const receiver = await startReceiver();
  const { id, secret } = await createWebhook(receiver.url, ['team.*']);
  startSending();
  const { rotateWebhookSecret } = await graphql(
    `mutation { rotateWebhookSecret(id: "${id}") { secret webhook { previousSecretEndsAt } } }`,
  );
  await saveTeam('r', 1);
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  await graphql(`mutation { endPreviousWebhookSecret(id: "${id}") { id } }`);
  await saveTeam('r', 2);
  await expect.poll(() => receiver.deliveries.length).toBe(2);
  const signatures = receiver.deliveries.map((delivery) => ({
    previousSecret: isSigned(secret, delivery),
    newSecret: isSigned(rotateWebhookSecret.secret, delivery),
  }));
  expect(signatures).toEqual([
    { previousSecret: true, newSecret: true },
    { previousSecret: false, newSecret: true },
  ]);
  expect(Date.parse(rotateWebhookSecret.webhook.previousSecretEndsAt) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
});

test('a ping is delivered, and a repeated delivery has the same ID', async () => {
  const receiver = await startReceiver();
  const { id } = await createWebhook(receiver.url, ['league.*']);
  startSending();
  const { pingWebhook } = await graphql(`mutation { pingWebhook(id: "${id}") { id eventKey status event } }`);
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  expect({
    event: pingWebhook.event,
    status: pingWebhook.status,
    deliveredId: receiver.deliveries[0]?.id,
  }).toEqual({ event: 'webhook.ping', status: 'PENDING', deliveredId: pingWebhook.eventKey });
  await expect
    .poll(async () => (await graphql(`{ webhookDelivery(id: "${pingWebhook.id}") { status } }`)).webhookDelivery.status)
    .toBe('DELIVERED');
  expect(await graphql(`mutation { sendWebhookDeliveryAgain(id: "${pingWebhook.id}") { status attempts deliveredAt } }`)).toEqual(
    { sendWebhookDeliveryAgain: { status: 'PENDING', attempts: 0, deliveredAt: null } },
  );
  await expect
    .poll(() => receiver.deliveries.map((delivery) => delivery.id))
    .toEqual([pingWebhook.eventKey, pingWebhook.eventKey]);
});

test('an invite-only game sends no events, except the one by which it becomes invite-only', async () => {
  const receiver = await startReceiver();
  await createWebhook(receiver.url, ['game.*']);
  startSending();
  const { sql } = context.app;
  await sql.rows(`insert into game (id, is_invite_only) values ('hidden', true), ('open', false), ('closed', false)`);
  await sql.rows(`update game set title = 'Still hidden' where id = 'hidden'`);
  await sql.rows(`update game set is_invite_only = true where id = 'closed'`);
  await sql.rows(`update game set title = 'Hidden now' where id = 'closed'`);
  await sql.rows(`delete from game where id in ('hidden', 'open', 'closed')`);
  const delivered = () => receiver.deliveries.map(({ type, data }) => `${data.id} ${type} ${data.changedFields}`.trim()).sort();
  await expect
    .poll(delivered)
    .toEqual(['closed game.changed isInviteOnly', 'closed game.created', 'open game.created', 'open game.deleted']);
});

test('deliveries of a disabled platform wait until it is enabled again', async () => {
  const receiver = await startReceiver();
  await createWebhook(receiver.url, ['team.*']);
  await context.app.sql.rows(`update platform set is_enabled = false where id = 'test-platform'`);
  startSending();
  await context.app.sql.rows(`insert into team (id) values ('while-away')`);
  await sleep(500);
  expect(receiver.arrived).toEqual([]);
  await context.app.sql.rows(`update platform set is_enabled = true where id = 'test-platform'`);
  await expect.poll(() => receiver.deliveries.map(({ data }) => data.id)).toEqual(['while-away']);
});

test('a process that does not send webhooks follows the change log, so that it can continue after a failover', async () => {
  const receiver = await startReceiver();
  await createWebhook(receiver.url, ['team.*']);
  const { pools, services } = context.app.resources;
  const lock = await openLeaderLock(pools, null);
  await lock.check();
  const changes = new ChangeLog(pools);
  const postOptions = { policy: { networks: [], isProduction: false } };
  const deliverOptions = {
    pauses: { seconds: [1], jitter: 0 },
    keys: [],
    postOptions,
    outbox: services.outbox,
    log: services.log,
  };
  const onError = () => undefined;
  const dispatcher = new Dispatcher({ pools, changes, onError, positionInterval: 60_000, deliverOptions, connection: null });
  await dispatcher.check();
  await expect.poll(() => changes.lineage).not.toBe('');
  expect(lock.isHeld).toBe(true);
  await dispatcher.stop();
  await changes.stop();
  await lock.close();
});
