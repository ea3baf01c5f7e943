import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../../../src/modules/accounts/tokens/secrets.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';
import { secondProcess } from '../../support/servers/second-app.js';

let app: TestApp;
let admin: Person;
let otherPlatform: Tokens;
beforeAll(async () => {
  app = await startApp({ PUBLIC_URL: 'http://courtside.example:8443' });
  admin = await app.person({ isSuperAdmin: true });
  const { createPlatform } = await app.graphql(
    'mutation { createPlatform(input: { id: "other-platform", title: "Other" }) { token } }',
    {},
    { user: admin.user },
  );
  otherPlatform = { platform: createPlatform.token };
});
afterAll(() => app.close());

const create = (input: object, tokens?: Tokens) =>
  app.graphql(
    `mutation ($input: PublishableKeyInput!) { createPublishableKey(input: $input) {
      key publishableKey { id platformId label allowedOrigins hint revokedAt platform { title } } } }`,
    { input },
    tokens,
  );
const revoke = (id: string, tokens?: Tokens) =>
  app.graphql('mutation ($id: ID!) { revokePublishableKey(id: $id) { id revokedAt } }', { id }, tokens);
const update = (id: string, input: object, tokens?: Tokens) =>
  app.graphql(
    `mutation ($id: ID!, $input: PublishableKeyUpdateInput!) {
      updatePublishableKey(id: $id, input: $input) { id label allowedOrigins } }`,
    { id, input },
    tokens,
  );
/** Sends a request with the key. Returns `'accepted'` or the errors. */
const tryKey = async (key: string) =>
  (await app.graphql('{ tournaments { totalCount } }', {}, { platform: key })).errors ?? 'accepted';
const rejected = ['UNAUTHENTICATED: the token is unknown, expired or revoked'];

describe('a publishable key', () => {
  test('reports an unknown platform and a wrong origin together', async () => {
    const answer = await create({ platformId: 'nowhere', allowedOrigins: ['*'] }, { user: admin.user });
    expect(answer).toEqual({
      errors: [
        'BAD_INPUT: input.platformId: expected the id of a platform; input.allowedOrigins[0]: expected an origin such as https://www.example.com or http://localhost:3000, without a path, or http://localhost:*',
      ],
    });
  });

  test('is created by a platform for itself, shown once, and stored as a hash', async () => {
    const { createPublishableKey } = await create({ label: 'Our site', allowedOrigins: ['https://play.example'] });
    const { key, publishableKey } = createPublishableKey;
    const [row] = await app.sql.rows('select key_hash from publishable_key where id = $1', [publishableKey.id]);
    expect({ key, publishableKey, row }).toEqual({
      key: expect.stringMatching(/^pk_[\w-]{43}$/),
      publishableKey: {
        id: expect.any(String),
        platformId: 'test-platform',
        label: 'Our site',
        allowedOrigins: ['https://play.example'],
        hint: key.slice(0, 7),
        revokedAt: null,
        platform: { title: 'Test Platform' },
      },
      row: { key_hash: hashOf(key) },
    });
  });

  test('is created by a super admin for any platform', async () => {
    const { createPublishableKey } = await create({ platformId: 'other-platform' }, { user: admin.user });
    const { key, publishableKey } = createPublishableKey;
    expect({ platformId: publishableKey.platformId, use: await tryKey(key) }).toEqual({
      platformId: 'other-platform',
      use: 'accepted',
    });
  });

  test('is not created by other callers, by a key, or for another platform', async () => {
    const someone = await app.person({ roles: ['ADMIN'] });
    const { key } = await newKey(app);
    const errorOf = async (input: object, tokens?: Tokens) => (await create(input, tokens)).errors[0];
    expect({
      withoutToken: await errorOf({}, {}),
      asUser: await errorOf({}, { user: someone.user }),
      withKey: await errorOf({}, { platform: key }),
      forAnotherPlatform: await errorOf({ platformId: 'other-platform' }),
      asSuperAdminForNoPlatform: await errorOf({}, { user: admin.user }),
      asSuperAdminForUnknownPlatform: await errorOf({ platformId: 'no-platform' }, { user: admin.user }),
    }).toEqual({
      withoutToken:
        'UNAUTHENTICATED: Authentication required: send a platform token (header PB-API-TOKEN), or a user token of a super admin (header PB-USER-TOKEN)',
      asUser: 'FORBIDDEN: Not allowed: requires a platform token, or a user token of a super admin',
      withKey:
        'UNAUTHENTICATED: Authentication required: send a platform token (header PB-API-TOKEN), or a user token of a super admin (header PB-USER-TOKEN)',
      forAnotherPlatform: 'FORBIDDEN: platforms can create keys only for themselves',
      asSuperAdminForNoPlatform: 'BAD_INPUT: input.platformId: expected the id of a platform',
      asSuperAdminForUnknownPlatform: 'BAD_INPUT: input.platformId: expected the id of a platform',
    });
  });

  test('is rejected once it is revoked: at once, and after 0.5 s by the other process', async () => {
    const { id, key } = await newKey(app);
    const secondApp = await secondProcess(app);
    const trySecondApp = async () =>
      (await secondApp.graphql('{ tournaments { totalCount } }', {}, { platform: key })).errors?.[0].extensions.code ??
      'accepted';
    const before = { here: await tryKey(key), there: await trySecondApp() };
    await revoke(id);
    const firstProcess = await tryKey(key);
    // Slightly longer than the 0.5 s for which the second process caches keys. The test checks this limit, so it cannot poll.
    await sleep(600);
    const after = { here: firstProcess, there: await trySecondApp() };
    await secondApp.close();
    expect({ before, after }).toEqual({
      before: { here: 'accepted', there: 'accepted' },
      after: { here: rejected, there: 'UNAUTHENTICATED' },
    });
  });

  test('keeps the time of its first revocation', async () => {
    const { id } = await newKey(app);
    const first = await revoke(id);
    expect(first).toEqual({ revokePublishableKey: { id, revokedAt: expect.any(String) } });
    expect(await revoke(id)).toEqual(first);
  });

  test('is rejected while its platform is disabled', async () => {
    const { createPublishableKey } = await create({}, otherPlatform);
    const setEnabled = (isEnabled: boolean) =>
      app.graphql(
        'mutation ($isEnabled: Boolean!) { updatePlatform(id: "other-platform", input: { isEnabled: $isEnabled }) { id } }',
        { isEnabled },
        { user: admin.user },
      );
    await setEnabled(false);
    const whileDisabled = await tryKey(createPublishableKey.key);
    await setEnabled(true);
    const whileEnabled = await tryKey(createPublishableKey.key);
    expect({ whileDisabled, whileEnabled }).toEqual({ whileDisabled: rejected, whileEnabled: 'accepted' });
  });
});

describe('the allowed origins of a key', () => {
  test('always include the pages of the service at localhost, an IP address or the host of PUBLIC_URL', async () => {
    const { key } = await newKey(app, ['https://play.example']);
    const statusFor = async (host: string) => {
      const body = JSON.stringify({ query: '{ tournaments { totalCount } }' });
      const headers = { host, origin: `http://${host}`, 'pb-api-token': key, 'content-type': 'application/json' };
      const sent = request(`${app.origin}/graphql`, { method: 'POST', headers }).end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect({
      localhost: await statusFor('localhost:4000'),
      address: await statusFor('127.0.0.1:4000'),
      publicUrl: await statusFor('courtside.example:8443'),
      other: await statusFor('evil.example'),
    }).toEqual({ localhost: 200, address: 200, publicUrl: 200, other: 403 });
  });

  test('are stored as browsers send them, with any port for localhost', async () => {
    const allowedOrigins = [
      'https://play.example',
      'http://play.example:8080',
      'http://localhost:*',
      'https://localhost:*',
      'http://[::1]:3000',
    ];
    const { createPublishableKey } = await create({ allowedOrigins });
    expect(createPublishableKey.publishableKey.allowedOrigins).toEqual(allowedOrigins);
  });

  test.each([
    'play.example',
    'https://play.example/',
    'https://play.example/page',
    'https://Play.example',
    'https://play.example:443',
    'https://*.play.example',
    'https://play.example:*',
    'http://127.0.0.1:*',
    'http://localhost:*/',
    'ftp://play.example',
    'null',
    '*',
    '',
  ])('cannot be "%s"', async (origin) => {
    const { errors } = await create({ allowedOrigins: ['https://ok.example', origin] });
    expect(errors[0]).toBe(
      'BAD_INPUT: input.allowedOrigins[1]: expected an origin such as https://www.example.com or http://localhost:3000, without a path, or http://localhost:*',
    );
  });

  test('are limited to 100', async () => {
    const { errors } = await create({ allowedOrigins: Array.from({ length: 101 }, (_, n) => `https://site-${n}.example`) });
    expect(errors).toEqual(['BAD_INPUT: input.allowedOrigins: expected at most 100 origins']);
  });
});

describe('an update of a key', () => {
  test('changes the label and the origins, and keeps omitted fields', async () => {
    const { id } = await newKey(app, ['https://play.example']);
    const labelled = await update(id, { label: 'Our site' });
    const moved = await update(id, { allowedOrigins: ['https://new.example'] }, { user: admin.user });
    const cleared = await update(id, { label: null, allowedOrigins: null });
    const values = ({ updatePublishableKey: { label, allowedOrigins } }: typeof labelled) => ({ label, allowedOrigins });
    expect({ labelled: values(labelled), moved: values(moved), cleared: values(cleared) }).toEqual({
      labelled: { label: 'Our site', allowedOrigins: ['https://play.example'] },
      moved: { label: 'Our site', allowedOrigins: ['https://new.example'] },
      cleared: { label: null, allowedOrigins: [] },
    });
  });

  test('applies new origins at once, and after 0.5 s in the other process', async () => {
    const { id, key } = await newKey(app, ['https://old.example']);
    const secondApp = await secondProcess(app);
    const statusesAt = async (origin: string) =>
      Promise.all(
        ['https://old.example', 'https://new.example'].map(async (page) => {
          const headers = { origin: page, 'pb-api-token': key, 'content-type': 'application/json' };
          const body = JSON.stringify({ query: '{ tournaments { totalCount } }' });
          return (await fetch(`${origin}/graphql`, { method: 'POST', headers, body })).status;
        }),
      );
    const before = { here: await statusesAt(app.origin), there: await statusesAt(secondApp.origin) };
    await update(id, { allowedOrigins: ['https://new.example'] });
    const here = await statusesAt(app.origin);
    // Slightly longer than the 0.5 s for which the second process caches keys. The test checks this limit, so it cannot poll.
    await sleep(600);
    const after = { here, there: await statusesAt(secondApp.origin) };
    await secondApp.close();
    expect({ before, after }).toEqual({
      before: { here: [200, 403], there: [200, 403] },
      after: { here: [403, 200], there: [403, 200] },
    });
  });

  test('rejects wrong values, and keys that are revoked or unknown, or belong to another platform', async () => {
    const { id } = await newKey(app);
    const revokedKey = await newKey(app);
    await revoke(revokedKey.id);
    const { user } = await app.person({ roles: ['ADMIN'] });
    const errorOf = async (...call: Parameters<typeof update>) => (await update(...call)).errors[0];
    expect({
      wrongValues: await errorOf(id, { label: 'x'.repeat(201), allowedOrigins: ['https://ok.example', '*'] }),
      otherPlatform: await errorOf(id, { platformId: 'other-platform' }),
      revokedKey: await errorOf(revokedKey.id, { label: 'Old' }),
      unknownKey: await errorOf('no-key', {}),
      asAnotherPlatform: await errorOf(id, {}, otherPlatform),
      asUser: await errorOf(id, {}, { user }),
    }).toEqual({
      wrongValues:
        'BAD_INPUT: input.label: expected at most 200 characters; input.allowedOrigins[1]: expected an origin such as https://www.example.com or http://localhost:3000, without a path, or http://localhost:*',
      otherPlatform: expect.stringContaining('input.platformId'),
      revokedKey: 'CONFLICT: the publishable key is revoked and cannot be changed: create a new key',
      unknownKey: 'NOT_FOUND: no publishable key with the id no-key',
      asAnotherPlatform: `NOT_FOUND: no publishable key with the id ${id}`,
      asUser: 'FORBIDDEN: Not allowed: requires a platform token, or a user token of a super admin',
    });
  });
});

describe('the keys of a platform', () => {
  /** Returns the distinct platforms of the keys that a caller sees, or else the error. */
  const platformsOfKeys = (tokens?: Tokens) =>
    app
      .graphql('{ publishableKeys(first: 100) { nodes { platformId } } }', {}, tokens)
      .then(({ publishableKeys, errors }) =>
        errors
          ? errors[0]
          : [...new Set(publishableKeys.nodes.map(({ platformId }: { platformId: string }) => platformId))].sort(),
      );

  test('are visible to the platform itself and to super admins', async () => {
    const { user } = await app.person();
    const { key } = await newKey(app);
    expect({
      asPlatform: await platformsOfKeys(),
      asAnotherPlatform: await platformsOfKeys(otherPlatform),
      asSuperAdmin: await platformsOfKeys({ user: admin.user }),
      asUser: await platformsOfKeys({ user }),
      withKey: await platformsOfKeys({ platform: key }),
    }).toEqual({
      asPlatform: ['test-platform'],
      asAnotherPlatform: ['other-platform'],
      asSuperAdmin: ['other-platform', 'test-platform'],
      asUser: 'FORBIDDEN: Not allowed: requires a platform token, or a user token of a super admin',
      withKey:
        'UNAUTHENTICATED: Authentication required: send a platform token (header PB-API-TOKEN), or a user token of a super admin (header PB-USER-TOKEN)',
    });
  });

  test('include revoked ones', async () => {
    const { id } = await newKey(app);
    const { revokePublishableKey } = await revoke(id);
    const { platform } = await app.graphql(
      '{ platform(id: "test-platform") { publishableKeys(first: 1) { nodes { id revokedAt } } } }',
    );
    expect(platform.publishableKeys.nodes).toEqual([revokePublishableKey]);
  });

  test('can be revoked only by their platform and by super admins', async () => {
    const { id, key } = await newKey(app);
    const { user } = await app.person({ roles: ['ADMIN'] });
    expect({
      asAnotherPlatform: (await revoke(id, otherPlatform)).errors[0],
      unknownKey: (await revoke('no-key')).errors[0],
      asUser: (await revoke(id, { user })).errors[0],
      withKey: (await revoke(id, { platform: key })).errors[0],
      useAfterRefusals: await tryKey(key),
      asSuperAdmin: (await revoke(id, { user: admin.user })).errors,
    }).toEqual({
      asAnotherPlatform: `NOT_FOUND: no publishable key with the id ${id}`,
      unknownKey: 'NOT_FOUND: no publishable key with the id no-key',
      asUser: 'FORBIDDEN: Not allowed: requires a platform token, or a user token of a super admin',
      withKey:
        'UNAUTHENTICATED: Authentication required: send a platform token (header PB-API-TOKEN), or a user token of a super admin (header PB-USER-TOKEN)',
      useAfterRefusals: 'accepted',
      asSuperAdmin: undefined,
    });
  });
});
