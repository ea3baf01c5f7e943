import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../../../../src/modules/accounts/tokens/secrets.js';
import { recordNamesOf } from '../../../../src/modules/live/webhooks/webhook-events.js';
import { decryptSecret, encryptSecret } from '../../../../src/modules/live/webhooks/webhook-secret.js';
import { mailbox } from '../../../support/clients/mailbox.js';
import { startApp, type TestApp, type Tokens } from '../../../support/servers/app.js';

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
const newWebhook = async (): Promise<{ id: string; secret: string }> => {
  const { createWebhook } = await create('events: ["team.*"]');
  return { id: createWebhook.webhook.id, secret: createWebhook.secret };
};
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

test('a new webhook belongs to the calling platform, lists each event once and has a random secret', async () => {
  const { createWebhook } = await create('events: ["team.changed", "game.*", "team.changed"]');
  expect({
    platform: createWebhook.webhook.platform,
    events: createWebhook.webhook.events,
    secret: createWebhook.secret,
  }).toEqual({
    platform: { id: 'test-platform' },
    events: ['team.changed', 'game.*'],
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
});

test('a new webhook takes the secret that the caller provides', async () => {
  expect((await create(`events: ["team.*"], secret: "${secretOf(24)}"`)).createWebhook.secret).toBe(secretOf(24));
});

test.each([
  '',
  'secret',
  'whsec_',
  secretOf(23),
  secretOf(65),
  `${secretOf(24)}!`,
  secretOf(24).slice(6),
  'whsec_not base64 at all, and long enough',
])('rejects `%s` as a secret', async (secret) => {
  expect(await create(`events: ["team.*"], secret: "${secret}"`)).toEqual({
    errors: [expect.stringMatching(/^BAD_INPUT: secret: /)],
  });
});

test('platforms and super admins query the records that events can name', async () => {
  const { user } = await app.person({ roles: ['ADMIN'] });
  const query = (tokens: Tokens) => app.graphql('{ webhookRecords }', {}, tokens);
  const records = expect.arrayContaining(['game', 'team', 'tournament']);
  expect({ platform: await query(app.platform), superAdmin: await query(admin), admin: await query({ user }) }).toMatchObject({
    platform: { webhookRecords: records },
    superAdmin: { webhookRecords: records },
    admin: { errors: ['FORBIDDEN: Not allowed: requires a platform token, or a user token of a super admin'] },
  });
  const { webhookRecords } = await query(admin);
  const events = webhookRecords.map((record: string) => `${record}.*`);
  const created = await app.graphql(
    'mutation ($url: String!, $events: [String!]!) { createWebhook(url: $url, events: $events) { webhook { events } } }',
    { url, events },
  );
  expect(created.createWebhook.webhook.events).toEqual(events);
});

test('createWebhook reports all invalid arguments at once, and lists the available records', async () => {
  const { body } = await app.rest('POST', '/graphql', app.platform, {
    query: `mutation { createWebhook(url: "http://10.0.0.1/", events: ["team.changed", "team.renamed", "userToken.created", "publishableKey.*", "*", "Team.created", "team.CHANGED", "auditEntry.created", "webhook.changed"], secret: "x", contactEmail: "nobody") { secret } }`,
  });
  expect(body.errors[0].extensions.problems.map(({ field }: { field: string }) => field)).toEqual([
    'url',
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((index) => `events[${index}]`),
    'contactEmail',
    'secret',
  ]);
  expect(body.errors[0].message).toMatch(
    /a record followed by \.created, \.changed, \.deleted or \.\*, such as.*records are .*game, .*team, .*tournament/,
  );
  expect(body.errors[0].message).not.toMatch(/userToken, |publishableKey, |auditEntry, |oneTimeValue, |webhook, /);
});

test('rejects a webhook without events', async () => {
  expect(await create('events: []')).toEqual({
    errors: [expect.stringContaining('BAD_INPUT: events: expected 1 to 100 events')],
  });
});

test('ignores events of records that are no longer in the schema', () => {
  expect(recordNamesOf(['team.*', 'gone.created', 'team.changed', 'game.deleted'])).toEqual(['Game', 'Team']);
});

describe('access', () => {
  let id: string;
  let deliveryId: string;
  beforeAll(async () => {
    ({ id } = await newWebhook());
    const { pingWebhook } = await app.graphql(`mutation { pingWebhook(id: "${id}") { id } }`);
    deliveryId = pingWebhook.id;
  });

  test('a webhook is visible to its platform and to super admins only', async () => {
    const read = (tokens?: Tokens) =>
      app.graphql(`{ webhook(id: "${id}") { id } webhooks(filter: { id: { eq: "${id}" } }) { totalCount } }`, {}, tokens);
    expect({
      owner: await read(),
      superAdmin: await read(admin),
      otherPlatform: await read(other),
      player: await read(await app.person()),
    }).toEqual({
      owner: { webhook: { id }, webhooks: { totalCount: 1 } },
      superAdmin: { webhook: { id }, webhooks: { totalCount: 1 } },
      otherPlatform: { webhook: null, webhooks: { totalCount: 0 } },
      player: {
        errors: Array.from(
          { length: 2 },
          () => 'FORBIDDEN: Not allowed: requires a platform token, or a user token of a super admin',
        ),
      },
    });
  });

  const mutations: Record<string, () => string> = {
    updateWebhook: () => `updateWebhook(id: "${id}", events: ["game.*"])`,
    deleteWebhook: () => `deleteWebhook(id: "${id}")`,
    rotateWebhookSecret: () => `rotateWebhookSecret(id: "${id}")`,
    endPreviousWebhookSecret: () => `endPreviousWebhookSecret(id: "${id}")`,
    pauseWebhook: () => `pauseWebhook(id: "${id}")`,
    resumeWebhook: () => `resumeWebhook(id: "${id}")`,
    pingWebhook: () => `pingWebhook(id: "${id}")`,
    sendWebhookDeliveryAgain: () => `sendWebhookDeliveryAgain(id: "${deliveryId}")`,
  };
  test.each(Object.entries(mutations))('%s rejects other platforms and super admins', async (_, fieldOf) => {
    const call = (tokens: Tokens) => app.graphql(`mutation { ${fieldOf()} { __typename } }`, {}, tokens);
    expect({
      otherPlatform: await call({ ...other, ...admin }),
      superAdmin: await call(admin),
    }).toEqual({
      otherPlatform: { errors: [expect.stringMatching(/^NOT_FOUND: no webhook/)] },
      superAdmin: { errors: ['FORBIDDEN: Not allowed: requires a platform token'] },
    });
  });

  const sampleMutations = Object.entries(mutations).filter(([name]) => name !== 'deleteWebhook');
  test.each(sampleMutations)('%s permits super admins who pass the ID of the platform', async (name, fieldOf) => {
    const call = (tokens: Tokens, platformId: string) =>
      app.graphql(`mutation { ${fieldOf().replace(')', `, platformId: "${platformId}")`)} { __typename } }`, {}, tokens);
    expect({
      owner: await call(app.platform, 'test-platform'),
      superAdmin: await call(admin, 'test-platform'),
      superAdminForOther: await call(admin, 'other'),
      otherPlatform: await call(other, 'test-platform'),
      player: await call(await app.person(), 'test-platform'),
    }).toEqual({
      owner: { [name]: expect.anything() },
      superAdmin: { [name]: expect.anything() },
      superAdminForOther: { errors: [expect.stringMatching(/^NOT_FOUND: no webhook/)] },
      otherPlatform: { errors: ['FORBIDDEN: platforms can manage only their own webhooks'] },
      player: { errors: ['FORBIDDEN: Not allowed: requires a platform token, or a user token of a super admin'] },
    });
  });

  test('super admins create and delete webhooks of the platform whose ID they pass', async () => {
    const createFor = (platformId: string) => create(`events: ["team.*"], platformId: "${platformId}"`, admin);
    const { createWebhook } = await createFor('other');
    const key = `id: "${createWebhook.webhook.id}", platformId: "other"`;
    expect({
      platform: createWebhook.webhook.platform,
      secret: createWebhook.secret,
      withoutPlatform: await create('events: ["team.*"]', admin),
      unknownPlatform: await createFor('unknown'),
      deleted: await app.graphql(`mutation { deleteWebhook(${key}) { id } }`, {}, admin),
    }).toEqual({
      platform: { id: 'other' },
      secret: expect.stringMatching(/^whsec_/),
      withoutPlatform: { errors: ['FORBIDDEN: Not allowed: requires a platform token'] },
      unknownPlatform: { errors: ['BAD_INPUT: platformId: expected the ID of a platform'] },
      deleted: { deleteWebhook: { id: createWebhook.webhook.id } },
    });
  });

  test('deliveries are not visible to other platforms', async () => {
    expect((await app.graphql(`{ webhookDeliveries { totalCount } }`, {}, other)).webhookDeliveries.totalCount).toBe(0);
  });
});

test('updateWebhook changes only the provided fields, and `null` clears an optional one', async () => {
  const { id } = await newWebhook();
  const update = (args: string) =>
    app
      .graphql(`mutation { updateWebhook(id: "${id}", ${args}) { url events contactEmail } }`)
      .then(({ updateWebhook, errors }) => updateWebhook ?? errors);
  expect({
    contactSet: await update('contactEmail: "ops@club.example"'),
    eventsReplaced: await update('events: ["game.*"], url: null'),
    contactCleared: await update('contactEmail: null'),
    privateUrl: await update('url: "http://localhost/"'),
  }).toEqual({
    contactSet: { url, events: ['team.*'], contactEmail: 'ops@club.example' },
    eventsReplaced: { url, events: ['game.*'], contactEmail: 'ops@club.example' },
    contactCleared: { url, events: ['game.*'], contactEmail: null },
    privateUrl: [expect.stringMatching(/^BAD_INPUT: url/)],
  });
});

test('deleteWebhook also deletes the deliveries and the log position of the webhook', async () => {
  const { id } = await newWebhook();
  await app.graphql(`mutation { pingWebhook(id: "${id}") { id } }`);
  expect(await app.graphql(`mutation { deleteWebhook(id: "${id}") { id url } }`)).toEqual({ deleteWebhook: { id, url } });
  const remainingRows = await app.sql.rows(
    `select 1 from webhook where id = $1 union all select 2 from webhook_delivery where webhook_id = $1 union all select 3 from webhook_position where webhook_id = $1`,
    [id],
  );
  expect(remainingRows).toEqual([]);
});

test('a platform may have 50 webhooks, even when it creates several concurrently', async () => {
  await app.sql.rows(
    `insert into webhook (id, platform_id, url, secret) select 'many-' || n, 'other', 'https://93.184.215.14/', 'x' from generate_series(1, 49) n`,
  );
  const answers = await Promise.all([1, 2, 3].map(() => create('events: ["team.*"]', other)));
  expect(answers.filter(({ errors }) => errors).map(({ errors }) => errors[0])).toEqual(
    Array.from({ length: 2 }, () => 'CONFLICT: the platform already has 50 webhooks: delete one first'),
  );
});

describe('secret encryption', () => {
  const secret = secretOf(32);

  test('a stored secret is encrypted under the first key', async () => {
    const webhook = await newWebhook();
    const row = await app.sql.row<{ secret: string }>('select secret from webhook where id = $1', [webhook.id]);
    const stored = row?.secret ?? '';
    expect({ stored, unsealed: decryptSecret(stored, webhook.id, ['another', 'new key']) }).toEqual({
      stored: expect.stringMatching(/^sealed\./),
      unsealed: webhook.secret,
    });
  });

  test('a secret is readable under any configured key, and when it was stored without a key', () => {
    expect({
      oldKey: decryptSecret(encryptSecret(secret, 'webhook', ['old key']), 'webhook', ['new key', 'old key']),
      noKey: decryptSecret(encryptSecret(secret, 'webhook', []), 'webhook', ['new key']),
    }).toEqual({ oldKey: secret, noKey: secret });
  });

  test('a secret is not readable without its key', () => {
    expect(() => decryptSecret(encryptSecret(secret, 'webhook', ['old key']), 'webhook', ['new key'])).toThrow('WEBHOOK_KEY');
  });

  test('a secret is not readable for another webhook', () => {
    expect(() => decryptSecret(encryptSecret(secret, 'another', ['new key']), 'webhook', ['new key'])).toThrow('WEBHOOK_KEY');
  });
});

describe('a secret', () => {
  test('is returned by its rotation, and is neither in the change log nor in the audit trail', async () => {
    const { id } = await newWebhook();
    const { rotateWebhookSecret } = await app.graphql(
      `mutation { rotateWebhookSecret(id: "${id}", secret: "${secretOf(32)}", hours: 1) { secret webhook { id url events pausedAt previousSecretEndsAt } } }`,
    );
    expect(rotateWebhookSecret.secret).toBe(secretOf(32));
    const entries = await app.sql.rows(
      `select change::text as text from change where record = 'Webhook' union all select audit_entry::text from audit_entry where record_type = 'Webhook'`,
    );
    expect(entries.length).toBeGreaterThan(3);
    const text = JSON.stringify(entries);
    expect({
      hasSecret: text.includes(secretOf(32).slice(6)),
      hasSealedSecret: text.includes('sealed.'),
    }).toEqual({ hasSecret: false, hasSealedSecret: false });
  });

  test('is not a field of Webhook', async () => {
    const { __type } = await app.graphql(`{ __type(name: "Webhook") { fields { name } } }`);
    const names = __type.fields.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => /secret/i.test(name))).toEqual(['previousSecretEndsAt']);
  });

  test('is not filterable', async () => {
    const { errors } = await app.graphql(`{ webhooks(filter: { secret: { eq: "${secretOf(32)}" } }) { totalCount } }`);
    expect(errors[0]).toMatch(/expected a field of WebhookFilter/);
  });

  test('that is invalid is not repeated in the error', async () => {
    const { id } = await newWebhook();
    const answer = await app.graphql(`mutation { rotateWebhookSecret(id: "${id}", secret: "whsec_nearly-a-secret") { secret } }`);
    expect(JSON.stringify(answer)).not.toContain('nearly');
  });

  test('stays valid for at most 168 hours after its rotation', async () => {
    const { id } = await newWebhook();
    expect(await app.graphql(`mutation { rotateWebhookSecret(id: "${id}", hours: 169) { secret } }`)).toEqual({
      errors: ['BAD_INPUT: hours: expected 0 to 168'],
    });
  });
});

test('codes to one mailbox are limited, whatever the letter case of its address', async () => {
  const errors: string[] = [];
  for (const letter of 'victim') {
    const contactEmail = `victim@case.example`.replace(letter, letter.toUpperCase());
    const { createWebhook, errors: refusals } = await create(`events: ["team.*"], contactEmail: "${contactEmail}"`);
    errors.push(...(refusals ?? []));
    if (createWebhook) await app.graphql(`mutation { deleteWebhook(id: "${createWebhook.webhook.id}") { id } }`);
  }
  expect(errors).toEqual([expect.stringMatching(/^RATE_LIMITED/)]);
});

test('a contact is confirmed with the code of the latest email, and a changed address must be confirmed again', async () => {
  const { id } = await newWebhook();
  const codes = async (to: string) => (await mailbox(app, to)).map(({ text }) => /(?<=: )[\w-]{22}/.exec(text ?? '')?.[0] ?? '');
  const setContact = async (to: string) => {
    // Resets the rate limit, as if a day had passed since the last code.
    await app.sql.rows(`delete from rate_limit where key like 'webhook.codes:%'`);
    const update = `mutation { updateWebhook(id: "${id}", contactEmail: "${to}") { contactVerifiedAt } }`;
    return (await app.graphql(update)).updateWebhook;
  };
  const confirm = async (code = '', tokens?: Tokens) => {
    const answer = await app.graphql(
      `mutation { confirmWebhookContact(id: "${id}", code: "${code}") { contactVerifiedAt } }`,
      {},
      tokens,
    );
    return answer.confirmWebhookContact ?? answer.errors;
  };
  const wrongCode = ['BAD_INPUT: code: expected the code from the latest email to the contact'];
  const confirmed = { contactVerifiedAt: expect.any(String) };
  const withoutContact = await confirm('x');
  await setContact('earlier@club.example');
  await setContact('first@club.example');
  const [oldCode] = await codes('earlier@club.example');
  const [newCode] = await codes('first@club.example');
  expect({
    withoutContact,
    wrong: await confirm('wrong'),
    old: await confirm(oldCode),
    otherPlatform: await confirm(newCode, other),
    right: await confirm(newCode),
    again: await confirm(newCode),
    sameAddress: await setContact('first@club.example'),
    otherAddress: await setContact('second@club.example'),
    codes: { first: (await codes('first@club.example')).length, second: (await codes('second@club.example')).length },
  }).toEqual({
    withoutContact: ['CONFLICT: the webhook has no unconfirmed contact'],
    wrong: wrongCode,
    old: wrongCode,
    otherPlatform: [`NOT_FOUND: no webhook with the id ${id}`],
    right: confirmed,
    again: ['CONFLICT: the webhook has no unconfirmed contact'],
    sameAddress: confirmed,
    otherAddress: { contactVerifiedAt: null },
    codes: { first: 1, second: 1 },
  });
});

test('emails at most one code a day for a webhook, for any address', async () => {
  const [webhook, otherWebhook] = [await newWebhook(), await newWebhook()];
  const setContact = async (id: string, to: string | null) => {
    const update = 'mutation ($id: ID!, $to: String) { updateWebhook(id: $id, contactEmail: $to) { contactVerifiedAt } }';
    const { updateWebhook, errors } = await app.graphql(update, { id, to });
    return updateWebhook ?? errors;
  };
  const unconfirmed = { contactVerifiedAt: null };
  expect({
    first: await setContact(webhook.id, 'daily@club.example'),
    again: await setContact(webhook.id, 'daily@club.example'),
    otherAddress: await setContact(webhook.id, 'other-daily@club.example'),
    removed: await setContact(webhook.id, null),
    restored: await setContact(webhook.id, 'daily@club.example'),
    ofOtherWebhook: await setContact(otherWebhook.id, 'daily@club.example'),
    codes: (await mailbox(app, 'daily@club.example')).length,
    otherCodes: (await mailbox(app, 'other-daily@club.example')).length,
  }).toEqual({
    first: unconfirmed,
    again: ['RATE_LIMITED: too many messages: at most 1 until the limit is reset'],
    otherAddress: ['RATE_LIMITED: too many messages: at most 1 until the limit is reset'],
    removed: unconfirmed,
    restored: ['RATE_LIMITED: too many messages: at most 1 until the limit is reset'],
    ofOtherWebhook: unconfirmed,
    codes: 2,
    otherCodes: 0,
  });
});
