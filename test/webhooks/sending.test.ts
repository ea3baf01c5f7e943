import { expect, test } from 'vitest';
import { placeOfCursor } from '../../src/kernel/changes/index.js';
import { isSigned } from './receiver.js';
import { settingOf } from './setting.js';

const setting = settingOf();
const { webhook, receiver, send, team } = setting;
const graphql = (text: string, variables = {}) => setting.app.graphql(text, variables);

test('a change reaches a webhook that wants it, signed, with what happened and where it stands in the log', async () => {
  const there = await receiver();
  const { secret } = await webhook(there.url, ['team.*']);
  send();
  await team('a', 1);
  await team('a', 2);
  await graphql('mutation { upsertLeague(input: { id: "no-team" }) { id } }');
  await graphql('mutation { deleteTeam(id: "a") { id } }');
  await expect.poll(() => there.taken.length).toBe(3);
  expect(there.taken.map(({ type, data: { cursor: _, ...data } }) => ({ type, data }))).toEqual([
    { type: 'team.created', data: { record: 'Team', id: 'a', changedFields: [] } },
    { type: 'team.changed', data: { record: 'Team', id: 'a', changedFields: ['seed'] } },
    { type: 'team.deleted', data: { record: 'Team', id: 'a', changedFields: [] } },
  ]);
  expect(there.taken.every((each) => isSigned(secret, each))).toBe(true);
  const places = there.taken.map(({ data }) => placeOfCursor(data.cursor ?? '').position);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const [first] = there.taken;
  expect([JSON.parse(first?.body ?? '').timestamp, first?.headers['content-type'], first?.headers.cookie]).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\dT\S+Z$/),
    'application/json; charset=utf-8',
    undefined,
  ]);
});

test('only the events are sent that it wants', async () => {
  const there = await receiver();
  await webhook(there.url, ['team.deleted', 'league.created']);
  send();
  await team('b', 1);
  await graphql('mutation { upsertLeague(input: { id: "l" }) { id } }');
  await graphql('mutation { deleteTeam(id: "b") { id } }');
  await expect.poll(() => there.taken.map(({ type }) => type).sort()).toEqual(['league.created', 'team.deleted']);
});

test('while a secret is replaced both sign, until the one before is ended', async () => {
  const there = await receiver();
  const { id, secret } = await webhook(there.url, ['team.*']);
  send();
  const { rotateWebhookSecret } = await graphql(
    `mutation { rotateWebhookSecret(id: "${id}") { secret webhook { previousSecretEndsAt } } }`,
  );
  await team('r', 1);
  await expect.poll(() => there.taken.length).toBe(1);
  await graphql(`mutation { endPreviousWebhookSecret(id: "${id}") { id } }`);
  await team('r', 2);
  await expect.poll(() => there.taken.length).toBe(2);
  expect(there.taken.map((each) => [isSigned(secret, each), isSigned(rotateWebhookSecret.secret, each)])).toEqual([
    [true, true],
    [false, true],
  ]);
  expect(Date.parse(rotateWebhookSecret.webhook.previousSecretEndsAt) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
});

test('a ping arrives, and a delivery is sent again with the same id', async () => {
  const there = await receiver();
  const { id } = await webhook(there.url, ['league.*']);
  send();
  const { pingWebhook } = await graphql(`mutation { pingWebhook(id: "${id}") { id eventKey status event } }`);
  await expect.poll(() => there.taken.length).toBe(1);
  expect([pingWebhook.event, pingWebhook.status, there.taken[0]?.id]).toEqual(['webhook.ping', 'PENDING', pingWebhook.eventKey]);
  const again = () => graphql(`mutation { sendWebhookDeliveryAgain(id: "${pingWebhook.id}") { status attempts deliveredAt } }`);
  await expect
    .poll(async () => (await graphql(`{ webhookDelivery(id: "${pingWebhook.id}") { status } }`)).webhookDelivery.status)
    .toBe('DELIVERED');
  expect(await again()).toEqual({ sendWebhookDeliveryAgain: { status: 'PENDING', attempts: 0, deliveredAt: null } });
  await expect.poll(() => there.taken.map((each) => each.id)).toEqual([pingWebhook.eventKey, pingWebhook.eventKey]);
});

test('of invite-only games nothing is told, also when they go, but that one is not to be seen any more', async () => {
  const there = await receiver();
  await webhook(there.url, ['game.*']);
  send();
  const { sql } = setting.app;
  await sql.rows(`insert into game (id, is_invite_only) values ('hidden', true), ('open', false), ('closed', false)`);
  await sql.rows(`update game set title = 'Still hidden' where id = 'hidden'`);
  await sql.rows(`update game set is_invite_only = true where id = 'closed'`);
  await sql.rows(`update game set title = 'Hidden now' where id = 'closed'`);
  await sql.rows(`delete from game where id in ('hidden', 'open', 'closed')`);
  const told = () => there.taken.map(({ type, data }) => `${data.id} ${type} ${data.changedFields}`.trim()).sort();
  await expect
    .poll(told)
    .toEqual(['closed game.changed isInviteOnly', 'closed game.created', 'open game.created', 'open game.deleted']);
});

test('what a platform that may not call any more wanted is not sent', async () => {
  const there = await receiver();
  await webhook(there.url, ['team.*']);
  await setting.app.sql.rows(`update platform set is_enabled = false where id = 'test-platform'`);
  send();
  await setting.app.sql.rows(`insert into team (id) values ('while-away')`);
  await new Promise((later) => setTimeout(later, 500));
  expect(there.arrived).toEqual([]);
  await setting.app.sql.rows(`update platform set is_enabled = true where id = 'test-platform'`);
  await expect.poll(() => there.taken.map(({ data }) => data.id)).toEqual(['while-away']);
});
