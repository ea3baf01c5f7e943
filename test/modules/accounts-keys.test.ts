import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../../src/modules/accounts/secrets.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { newKey } from '../support/keys.js';
import { secondProcess } from '../support/second-process.js';

let app: TestApp;
let admin: Person;
let other: Tokens;
beforeAll(async () => {
  app = await startApp();
  admin = await app.person({ isSuperAdmin: true });
  const { createPlatform } = await app.graphql(
    'mutation { createPlatform(input: { id: "other-platform", title: "Other" }) { token } }',
    {},
    { user: admin.user },
  );
  other = { platform: createPlatform.token };
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
const opens = async (key: string) =>
  (await app.graphql('{ tournaments { totalCount } }', {}, { platform: key })).errors ?? 'opens';
const dead = ['UNAUTHENTICATED: the token is unknown, expired or revoked'];

describe('a publishable key', () => {
  test('of an unknown platform with wrong origins is refused for both', async () => {
    const both = await create({ platformId: 'nowhere', allowedOrigins: ['*'] }, { user: admin.user });
    expect(both).toEqual({
      errors: [
        'BAD_INPUT: input.platformId: expected the id of a platform; input.allowedOrigins[0]: expected an origin such as https://www.example.com or http://localhost:3000, without a path, or http://localhost:*',
      ],
    });
  });

  test('is made by a platform for itself, shown once, and kept as a hash', async () => {
    const { createPublishableKey } = await create({ label: 'Our site', allowedOrigins: ['https://play.example'] });
    const { key, publishableKey } = createPublishableKey;
    const [row] = await app.sql.rows('select key_hash from publishable_key where id = $1', [publishableKey.id]);
    expect([key, publishableKey, row]).toEqual([
      expect.stringMatching(/^pk_[\w-]{43}$/),
      {
        id: expect.any(String),
        platformId: 'test-platform',
        label: 'Our site',
        allowedOrigins: ['https://play.example'],
        hint: key.slice(0, 7),
        revokedAt: null,
        platform: { title: 'Test Platform' },
      },
      { key_hash: hashOf(key) },
    ]);
  });

  test('is made by a super admin for the platform named', async () => {
    const made = await create({ platformId: 'other-platform' }, { user: admin.user });
    expect([made.createPublishableKey.publishableKey.platformId, await opens(made.createPublishableKey.key)]).toEqual([
      'other-platform',
      'opens',
    ]);
  });

  test('is made by nobody else, for no other platform, and not with a key', async () => {
    const someone = await app.person({ roles: ['ADMIN'] });
    const { key } = await newKey(app);
    const answers = [
      await create({}, {}),
      await create({}, { user: someone.user }),
      await create({}, { platform: key }),
      await create({ platformId: 'other-platform' }),
      await create({}, { user: admin.user }),
      await create({ platformId: 'no-platform' }, { user: admin.user }),
    ];
    expect(answers.map(({ errors }) => errors[0])).toEqual([
      'UNAUTHENTICATED: a token is needed: platform or super admin',
      'FORBIDDEN: only for: platform or super admin',
      'FORBIDDEN: only for: platform or super admin',
      'FORBIDDEN: a platform makes keys for itself only',
      'BAD_INPUT: input.platformId: expected the id of a platform',
      'BAD_INPUT: input.platformId: expected the id of a platform',
    ]);
  });

  test('names origins as browsers send them, and all ports of localhost only', async () => {
    const good = [
      'https://play.example',
      'http://play.example:8080',
      'http://localhost:*',
      'https://localhost:*',
      'http://[::1]:3000',
    ];
    const bad = [
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
    ];
    const taken = await create({ allowedOrigins: good });
    const refused = await Promise.all(bad.map((origin) => create({ allowedOrigins: ['https://ok.example', origin] })));
    const many = await create({ allowedOrigins: Array.from({ length: 101 }, (_, n) => `https://site-${n}.example`) });
    expect([
      taken.createPublishableKey.publishableKey.allowedOrigins,
      many.errors,
      refused.map(({ errors }) => errors[0]),
    ]).toEqual([
      good,
      ['BAD_INPUT: input.allowedOrigins: expected at most 100 origins'],
      bad.map(
        () =>
          'BAD_INPUT: input.allowedOrigins[1]: expected an origin such as https://www.example.com or http://localhost:3000, without a path, or http://localhost:*',
      ),
    ]);
  });

  test('is dead at once when it is revoked, at the other process within half a second, and for good', async () => {
    const { id, key } = await newKey(app);
    const elsewhere = await secondProcess(app);
    const there = async () =>
      (await elsewhere.graphql('{ tournaments { totalCount } }', {}, { platform: key })).errors?.[0].extensions.code ?? 'opens';
    const before = [await opens(key), await there()];
    const first = await revoke(id);
    const here = await opens(key);
    await sleep(600);
    const after = [here, await there()];
    const second = await revoke(id);
    await elsewhere.close();
    expect([before, after, second]).toEqual([['opens', 'opens'], [dead, 'UNAUTHENTICATED'], first]);
  });

  test('dies with its platform, and lives again with it', async () => {
    const { createPublishableKey } = await create({}, other);
    const activate = (isEnabled: boolean) =>
      app.graphql(
        'mutation ($isEnabled: Boolean!) { updatePlatform(id: "other-platform", input: { isEnabled: $isEnabled }) { id } }',
        { isEnabled },
        { user: admin.user },
      );
    await activate(false);
    const off = await opens(createPublishableKey.key);
    await activate(true);
    expect([off, await opens(createPublishableKey.key)]).toEqual([dead, 'opens']);
  });
});

describe('the keys of a platform', () => {
  const list = (tokens?: Tokens) =>
    app
      .graphql('{ publishableKeys(first: 100) { nodes { platformId } } }', {}, tokens)
      .then(({ publishableKeys, errors }) =>
        errors
          ? errors[0]
          : [...new Set(publishableKeys.nodes.map(({ platformId }: { platformId: string }) => platformId))].sort(),
      );

  test('are seen by itself and by super admins', async () => {
    const { user } = await app.person();
    const { key } = await newKey(app);
    expect([
      await list(),
      await list(other),
      await list({ user: admin.user }),
      await list({ user }),
      await list({ platform: key }),
    ]).toEqual([
      ['test-platform'],
      ['other-platform'],
      ['other-platform', 'test-platform'],
      'FORBIDDEN: only for: platform or super admin',
      'FORBIDDEN: only for: platform or super admin',
    ]);
  });

  test('stand at the platform, revoked ones too', async () => {
    const { id } = await newKey(app);
    const { revokePublishableKey } = await revoke(id);
    const { platform } = await app.graphql(
      '{ platform(id: "test-platform") { publishableKeys(first: 1) { nodes { id revokedAt } } } }',
    );
    expect(platform.publishableKeys.nodes).toEqual([revokePublishableKey]);
  });

  test('are revoked by nobody else', async () => {
    const { id, key } = await newKey(app);
    const { user } = await app.person({ roles: ['ADMIN'] });
    const answers = [
      await revoke(id, other),
      await revoke('no-key'),
      await revoke(id, { user }),
      await revoke(id, { platform: key }),
    ];
    expect([answers.map(({ errors }) => errors[0]), await opens(key), (await revoke(id, { user: admin.user })).errors]).toEqual([
      [
        `NOT_FOUND: no publishable key with the id ${id}`,
        'NOT_FOUND: no publishable key with the id no-key',
        'FORBIDDEN: only for: platform or super admin',
        'FORBIDDEN: only for: platform or super admin',
      ],
      'opens',
      undefined,
    ]);
  });
});
