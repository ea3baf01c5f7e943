import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOf } from '../../src/modules/accounts/secrets.js';
import { recordsOf } from '../../src/modules/live/webhooks/webhook-events.js';
import { seal, unseal } from '../../src/modules/live/webhooks/webhook-secret.js';
import { startApp, type TestApp, type Tokens } from '../support/app.js';

let app: TestApp;
let other: Tokens;
let admin: Tokens;
beforeAll(async () => {
  app = await startApp({ WEBHOOK_KEY: 'new key,old key' }, undefined, undefined, false);
  await app.sql.rows(`insert into platform (id, title, token_hash) values ('other', 'Other', $1)`, [hashOf('token-of-other')]);
  other = { platform: 'token-of-other' };
  admin = { user: (await app.person({ isSuperAdmin: true })).user };
});
afterAll(() => app.close());

const url = 'https://93.184.215.14/hooks';
const create = (args: string, tokens?: Tokens) =>
  app.graphql(
    `mutation { createWebhook(url: "${url}", ${args}) { secret webhook { id platform { id } events pausedAt } } }`,
    {},
    tokens,
  );
const made = async (): Promise<{ id: string; secret: string }> => {
  const { createWebhook } = await create('events: ["team.*"]');
  return { id: createWebhook.webhook.id, secret: createWebhook.secret };
};
const given = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

test('a webhook is made with a secret of its own, or with the one that is given', async () => {
  const { createWebhook } = await create('events: ["team.changed", "game.*", "team.changed"]');
  expect([createWebhook.webhook.platform, createWebhook.webhook.events, createWebhook.secret]).toEqual([
    { id: 'test-platform' },
    ['team.changed', 'game.*'],
    expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  ]);
  expect((await create(`events: ["team.*"], secret: "${given(24)}"`)).createWebhook.secret).toBe(given(24));
});

test.each([
  '',
  'secret',
  'whsec_',
  given(23),
  given(65),
  `${given(24)}!`,
  given(24).slice(6),
  'whsec_not base64 at all, and long enough',
])('`%s` is no secret', async (secret) => {
  expect(await create(`events: ["team.*"], secret: "${secret}"`)).toEqual({
    errors: [expect.stringMatching(/^BAD_INPUT: secret: /)],
  });
});

test('unknown events are named by their places, with what there is, together with all else that is wrong', async () => {
  const { body } = await app.rest('POST', '/graphql', app.platform, {
    query: `mutation { createWebhook(url: "http://10.0.0.1/", events: ["team.changed", "team.renamed", "userToken.created", "publishableKey.*", "*", "Team.created", "team.CHANGED", "auditEntry.created", "webhook.changed"], secret: "x", contactEmail: "nobody") { secret } }`,
  });
  expect(body.errors[0].extensions.problems.map(({ field }: { field: string }) => field)).toEqual([
    'url',
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((place) => `events[${place}]`),
    'contactEmail',
    'secret',
  ]);
  expect(body.errors[0].message).toMatch(
    /a record with \.created, \.changed, \.deleted or \.\* behind it.*records are .*game, .*team, .*tournament/,
  );
  expect(body.errors[0].message).not.toMatch(/userToken, |publishableKey, |auditEntry, |oneTimeValue, |webhook, /);
  expect(await create('events: []')).toEqual({
    errors: [expect.stringContaining('BAD_INPUT: events: expected 1 to 100 events')],
  });
});

test('events of a record that the graph has no more are passed over', () => {
  expect(recordsOf(['team.*', 'gone.created', 'team.changed', 'game.deleted'])).toEqual(['Game', 'Team']);
});

test('platforms see and change their own, super admins see all, and nobody else anything', async () => {
  const { id } = await made();
  const one = (tokens?: Tokens) =>
    app.graphql(`{ webhook(id: "${id}") { id } webhooks(filter: { id: { eq: "${id}" } }) { totalCount } }`, {}, tokens);
  const player = await app.person();
  expect([await one(), await one(admin), await one(other), await one(player)]).toEqual([
    { webhook: { id }, webhooks: { totalCount: 1 } },
    { webhook: { id }, webhooks: { totalCount: 1 } },
    { webhook: null, webhooks: { totalCount: 0 } },
    { errors: Array.from({ length: 2 }, () => 'FORBIDDEN: only for: platform or super admin') },
  ]);
  const { pingWebhook } = await app.graphql(`mutation { pingWebhook(id: "${id}") { id } }`);
  for (const call of [
    `updateWebhook(id: "${id}", events: ["game.*"])`,
    `deleteWebhook(id: "${id}")`,
    `rotateWebhookSecret(id: "${id}")`,
    `endPreviousWebhookSecret(id: "${id}")`,
    `pauseWebhook(id: "${id}")`,
    `resumeWebhook(id: "${id}")`,
    `pingWebhook(id: "${id}")`,
    `sendWebhookDeliveryAgain(id: "${pingWebhook.id}")`,
  ]) {
    const asOther = await app.graphql(`mutation { ${call} { __typename } }`, {}, { ...other, ...admin });
    expect([call, asOther]).toEqual([call, { errors: [expect.stringMatching(/^NOT_FOUND: no webhook/)] }]);
    const asAdmin = await app.graphql(`mutation { ${call} { __typename } }`, {}, admin);
    expect(asAdmin).toEqual({ errors: ['FORBIDDEN: only for: platform'] });
  }
  expect((await app.graphql(`{ webhookDeliveries { totalCount } }`, {}, other)).webhookDeliveries.totalCount).toBe(0);
});

test('what is given of a webhook is changed, the rest stays', async () => {
  const { id } = await made();
  const update = (args: string) =>
    app
      .graphql(`mutation { updateWebhook(id: "${id}", ${args}) { url events contactEmail } }`)
      .then(({ updateWebhook, errors }) => updateWebhook ?? errors);
  expect([
    await update('contactEmail: "ops@club.example"'),
    await update('events: ["game.*"], url: null'),
    await update('contactEmail: null'),
    await update('url: "http://localhost/"'),
  ]).toEqual([
    { url, events: ['team.*'], contactEmail: 'ops@club.example' },
    { url, events: ['game.*'], contactEmail: 'ops@club.example' },
    { url, events: ['game.*'], contactEmail: null },
    [expect.stringMatching(/^BAD_INPUT: url/)],
  ]);
});

test('what is deleted leaves nothing behind', async () => {
  const { id } = await made();
  await app.graphql(`mutation { pingWebhook(id: "${id}") { id } }`);
  expect(await app.graphql(`mutation { deleteWebhook(id: "${id}") { id url } }`)).toEqual({ deleteWebhook: { id, url } });
  const left = await app.sql.rows(
    `select 1 from webhook where id = $1 union all select 2 from webhook_delivery where webhook_id = $1 union all select 3 from webhook_place where webhook_id = $1`,
    [id],
  );
  expect(left).toEqual([]);
});

test('there are at most fifty of a platform', async () => {
  await app.sql.rows(
    `insert into webhook (id, platform_id, url, secret) select 'many-' || n, 'other', 'https://93.184.215.14/', 'x' from generate_series(1, 49) n`,
  );
  const answers = await Promise.all([1, 2, 3].map(() => create('events: ["team.*"]', other)));
  expect(answers.filter(({ errors }) => errors).map(({ errors }) => errors[0])).toEqual(
    Array.from({ length: 2 }, () => 'CONFLICT: there are 50 webhooks already: delete one first'),
  );
});

test('secrets are kept encrypted under the first key, each for its webhook, and every key opens them', async () => {
  const { id, secret } = await made();
  const kept = async () =>
    (await app.sql.row<{ secret: string }>('select secret from webhook where id = $1', [id]))?.secret ?? '';
  expect([await kept(), unseal(await kept(), id, ['another', 'new key'])]).toEqual([expect.stringMatching(/^sealed\./), secret]);
  expect(unseal(seal(secret, id, ['old key']), id, ['new key', 'old key'])).toBe(secret);
  expect(unseal(seal(secret, id, []), id, ['new key'])).toBe(secret);
  expect(() => unseal(seal(secret, id, ['old key']), id, ['new key'])).toThrow('WEBHOOK_KEY');
  expect(() => unseal(seal(secret, 'another', ['new key']), id, ['new key'])).toThrow('WEBHOOK_KEY');
});

test('secrets stand in no answer but that of their making, in no log, no audit, no change and no error', async () => {
  const { id } = await made();
  const { rotateWebhookSecret } = await app.graphql(
    `mutation { rotateWebhookSecret(id: "${id}", secret: "${given(32)}", hours: 1) { secret webhook { id url events pausedAt previousSecretEndsAt } } }`,
  );
  expect(rotateWebhookSecret.secret).toBe(given(32));
  const { __type } = await app.graphql(`{ __type(name: "Webhook") { fields { name } } }`);
  const names = __type.fields.map(({ name }: { name: string }) => name);
  expect(names.filter((name: string) => /secret/i.test(name))).toEqual(['previousSecretEndsAt']);
  const told = await app.sql.rows(
    `select change::text as text from change where record = 'Webhook' union all select audit_entry::text from audit_entry where record_type = 'Webhook'`,
  );
  expect(told.length).toBeGreaterThan(3);
  const [texts, part] = [JSON.stringify(told), given(32).slice(6)];
  expect([texts.includes(part), texts.includes('sealed.')]).toEqual([false, false]);
  const filtered = await app.graphql(`{ webhooks(filter: { secret: { eq: "${given(32)}" } }) { totalCount } }`);
  expect(filtered.errors[0]).toMatch(/expected a field of WebhookFilter/);
  const wrong = await app.graphql(`mutation { rotateWebhookSecret(id: "${id}", secret: "whsec_nearly-a-secret") { secret } }`);
  expect(JSON.stringify(wrong)).not.toContain('nearly');
  expect(await app.graphql(`mutation { rotateWebhookSecret(id: "${id}", hours: 169) { secret } }`)).toEqual({
    errors: ['BAD_INPUT: hours: expected 0 to 168'],
  });
});
