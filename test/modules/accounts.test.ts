import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bootstrap } from '../../src/modules/accounts/bootstrap.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { lastValue, mailbox } from '../support/mailbox.js';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp({ CONTACT_EMAIL: 'desk@example.com' });
  admin = await app.person({ isSuperAdmin: true });
});
afterAll(() => app.close());

const upsert = (input: object, tokens: Tokens = app.platform, fields = 'id') =>
  app.graphql(`mutation ($input: UserInput!) { upsertUser(input: $input) { ${fields} } }`, { input }, tokens);
const userOf = async (id: string, fields: string, tokens: Tokens = app.platform) =>
  (await app.graphql(`query ($id: ID!) { user(id: $id) { ${fields} } }`, { id }, tokens)).user;

describe('a user', () => {
  const privateFields = 'email phone dateOfBirth zip verifiedAt roles { title } city';

  test('shows its private fields to platforms, super admins and itself, and to no other user', async () => {
    const own = {
      id: 'ana',
      email: 'Ana@Example.com',
      phone: '+1 512 555 0100',
      dateOfBirth: '1990-05-01T00:00:00Z',
      zip: '78701',
      city: 'Austin',
    };
    await upsert(own);
    const ana = await tokenFor('ana');
    const other = await app.person();
    const all = { ...own, id: undefined, email: 'ana@example.com', verifiedAt: null, roles: [] };
    const none = { email: null, phone: null, dateOfBirth: null, zip: null, verifiedAt: null, roles: null, city: 'Austin' };
    const seen = [];
    for (const tokens of [app.platform, { user: admin.user }, { user: ana }, { user: other.user }])
      seen.push(await userOf('ana', privateFields, tokens));
    expect(seen).toEqual([all, all, all, none]);
  });

  test('cannot be found or ordered by what is private', async () => {
    const { __schema } = await app.graphql('{ __schema { types { name inputFields { name } enumValues { name } } } }');
    const type = (name: string) => __schema.types.find((item: { name: string }) => item.name === name);
    const names = (items: { name: string }[]) => items.map(({ name }) => name.toLowerCase().replaceAll('_', ''));
    const ways = [...names(type('UserFilter').inputFields), ...names(type('UserOrderField').enumValues)];
    expect(
      ways.filter((name) => ['email', 'phone', 'dateofbirth', 'zip', 'verifiedat', 'passwordhash', 'roleids'].includes(name)),
    ).toEqual([]);
  });

  test('is found by its address by platforms and super admins only', async () => {
    const find = (tokens: Tokens) => app.graphql('{ userByEmail(email: "ANA@example.com") { id } }', {}, tokens);
    const { user } = await app.person();
    expect([await find(app.platform), await find({ user: admin.user }), await find({ user })]).toMatchObject([
      { userByEmail: { id: 'ana' } },
      { userByEmail: { id: 'ana' } },
      { errors: ['FORBIDDEN: only for: platform or super admin'] },
    ]);
  });

  test('gets a slug from its name, unique, that stays', async () => {
    await Promise.all([
      upsert({ id: 's1', firstName: 'Zoë', lastName: 'Núñez' }),
      upsert({ id: 's2', firstName: 'Zoe', lastName: 'Nunez' }),
    ]);
    await upsert({ id: 's1', firstName: 'Other' });
    await upsert({ id: 's3' });
    const slugs = [await userOf('s1', 'slug'), await userOf('s2', 'slug'), await userOf('s3', 'slug')].map(({ slug }) => slug);
    expect([slugs.slice(0, 2).toSorted(), slugs[2]]).toEqual([
      ['zoe-nunez', 'zoe-nunez-2'],
      expect.stringMatching(/^player-\d{6}$/),
    ]);
  });

  test('is complete with names, category, date of birth and country', async () => {
    const whole = { firstName: 'A', lastName: 'B', gender: 'F', dateOfBirth: '1990-05-01T00:00:00Z', countryId: '840' };
    const answers = [await upsert({ id: 'c1', ...whole }, app.platform, 'isCompleted')];
    for (const name of Object.keys(whole))
      answers.push(await upsert({ id: 'c1', ...whole, [name]: null }, app.platform, 'isCompleted'));
    expect(answers.map(({ upsertUser }) => upsertUser.isCompleted)).toEqual([true, false, false, false, false, false]);
  });

  test('takes no address of another user, and none that is none', async () => {
    await upsert({ id: 'e1', email: 'taken@example.com' });
    expect([await upsert({ id: 'e2', email: 'Taken@example.com' }), await upsert({ id: 'e2', email: 'nowhere' })]).toMatchObject([
      { errors: [expect.stringMatching(/^CONFLICT: /)] },
      { errors: ['BAD_INPUT: email: expected an e-mail address such as ana@example.com'] },
    ]);
  });
});

async function tokenFor(userId: string): Promise<string> {
  const token = `token-placed-for-${userId}`;
  await app.graphql('mutation ($input: PlaceTokenInput!) { placeToken(input: $input) { expiresAt } }', {
    input: { userId, token },
  });
  return token;
}

describe('an upsert with a user token', () => {
  test("is an update of the caller's own record, whatever id it names", async () => {
    const { id, user } = await app.person({ firstName: 'Before' });
    const answer = await upsert({ id: admin.id, firstName: 'After' }, { ...app.platform, user }, 'id firstName');
    expect([answer, await userOf(admin.id, 'firstName')]).toEqual([
      { upsertUser: { id, firstName: 'After' } },
      { firstName: 'Ana' },
    ]);
  });

  test('changes the address only when the new one confirms it', async () => {
    const { id, user } = await app.person({ email: 'old@example.com' });
    const answer = await upsert({ email: 'New@example.com' }, { user }, 'email');
    const confirmed = await app.graphql(
      'mutation ($value: String!) { verifyEmail(value: $value) }',
      { value: await lastValue(app, 'new@example.com') },
      {},
    );
    expect([answer.upsertUser, confirmed, await userOf(id, 'email', { user })]).toEqual([
      { email: 'old@example.com' },
      { verifyEmail: true },
      { email: 'new@example.com' },
    ]);
  });

  test('to an address that is taken answers the same and tells its owner', async () => {
    await app.person({ email: 'owner@example.com' });
    const { user } = await app.person({ email: 'curious@example.com' });
    const answer = await upsert({ email: 'owner@example.com' }, { user }, 'email');
    expect([answer.upsertUser, (await mailbox(app, 'owner@example.com')).map(({ subject }) => subject)]).toEqual([
      { email: 'curious@example.com' },
      ['You already have an account'],
    ]);
  });

  test('keeps the address when it is cleared', async () => {
    const { user } = await app.person({ email: 'kept@example.com' });
    expect(await upsert({ email: null }, { user }, 'email')).toEqual({ upsertUser: { email: 'kept@example.com' } });
  });
});

test('a platform has no power over super admins', async () => {
  expect(await upsert({ id: admin.id, email: 'mallory@example.com' })).toMatchObject({
    errors: ['FORBIDDEN: a super admin is changed by nobody else'],
  });
});

describe('roles', () => {
  const change = (what: 'grantRole' | 'revokeRole', userId: string, tokens: Tokens = { user: admin.user }, roleId = '2') =>
    app.graphql(
      `mutation ($userId: ID!, $roleId: ID!) { ${what}(userId: $userId, roleId: $roleId) { roles { title } } }`,
      { userId, roleId },
      tokens,
    );

  test('are held with what they inherit, from the next request on', async () => {
    const { id, user } = await app.person();
    const writes = async () => {
      const answer = await app.graphql('mutation { createNewsItem(input: { title: "Finals" }) { title } }', {}, { user });
      return answer.createNewsItem?.title ?? answer.errors[0];
    };
    const before = await writes();
    const { grantRole } = await change('grantRole', id);
    await change('grantRole', id);
    const during = await writes();
    const { revokeRole } = await change('revokeRole', id);
    expect([
      before,
      grantRole.roles.map(({ title }: { title: string }) => title),
      during,
      revokeRole.roles,
      await writes(),
    ]).toEqual([
      'FORBIDDEN: only for: platform or permission NEWS_CREATOR',
      ['NEWS_ADMIN', 'USER', 'CONTENT_CREATOR', 'NEWS_CREATOR', 'CONTENT_CONFIRMER'],
      'Finals',
      [],
      before,
    ]);
  });

  test('are given by super admins only, and there must be such a role and user', async () => {
    const someone = await app.person({ roles: ['ADMIN'] });
    const answers = [
      await change('grantRole', someone.id, { user: someone.user }),
      await change('grantRole', someone.id, app.platform),
      await change('grantRole', someone.id, { user: admin.user }, '99'),
      await change('grantRole', 'nobody'),
    ];
    expect(answers.map(({ errors }) => errors[0])).toEqual([
      'FORBIDDEN: only for: super admin',
      'FORBIDDEN: only for: super admin',
      'BAD_INPUT: roleId: expected the id of a role',
      'NOT_FOUND: no user with the id nobody',
    ]);
  });

  test('tell who is an admin', async () => {
    const tokens = [
      app.platform,
      { user: admin.user },
      await app.person({ roles: ['ADMIN'] }),
      await app.person({ roles: ['NEWS_ADMIN'] }),
    ];
    const answers = [];
    for (const { user, platform } of tokens as Tokens[])
      answers.push((await app.graphql('{ isAdminAuthorized }', {}, { user, platform })).isAdminAuthorized);
    expect(answers).toEqual([false, true, true, false]);
  });

  test('of many users take one statement', async () => {
    const count = async (first: number) => {
      const before = app.statements();
      await app.graphql('query ($first: Int!) { users(first: $first) { nodes { roles { title } } } }', { first });
      return app.statements() - before;
    };
    await count(1);
    expect(await count(10)).toBe(await count(2));
  });
});

describe('a platform', () => {
  const create = (input: object, tokens: Tokens = { user: admin.user }) =>
    app.graphql(
      'mutation ($input: PlatformInput!) { createPlatform(input: $input) { token platform { id name allowedOrigins isActive } } }',
      { input },
      tokens,
    );
  const opens = async (platform: string) => (await app.graphql('{ isAdminAuthorized }', {}, { platform })).errors?.[0] ?? 'opens';
  const dead = 'UNAUTHENTICATED: the token is unknown, expired or revoked';

  test('gets a token once, a new one on demand, and none while it is not active', async () => {
    const { createPlatform } = await create({ name: 'Club App', allowedOrigins: ['https://club.example'] });
    const { id } = createPlatform.platform;
    const first = await opens(createPlatform.token);
    const { renewPlatformToken } = await app.graphql(
      'mutation ($id: ID!) { renewPlatformToken(id: $id) { token } }',
      { id },
      { user: admin.user },
    );
    const renewed = [await opens(createPlatform.token), await opens(renewPlatformToken.token)];
    await app.graphql(
      'mutation ($id: ID!) { updatePlatform(id: $id, input: { isActive: false }) { id } }',
      { id },
      { user: admin.user },
    );
    expect([createPlatform.platform, first, renewed, await opens(renewPlatformToken.token)]).toEqual([
      { id, name: 'Club App', allowedOrigins: ['https://club.example'], isActive: true },
      'opens',
      [dead, 'opens'],
      dead,
    ]);
  });

  test('needs a name of its own and origins that are origins', async () => {
    const answers = [
      await create({}),
      await create({ name: null }),
      await create({ name: 'Test Platform' }),
      await create({ name: 'X', allowedOrigins: ['https://ok.example', 'https://no.example/path'] }),
      await create({ name: 'X' }, app.platform),
    ];
    expect(answers.map(({ errors }) => errors[0])).toEqual([
      'BAD_INPUT: name: expected a name',
      'BAD_INPUT: name: expected a name',
      expect.stringMatching(/^CONFLICT: another platform has the same name/),
      'BAD_INPUT: allowedOrigins.1: expected an origin such as https://www.example.com',
      'FORBIDDEN: only for: super admin',
    ]);
  });

  test('sees its own users and masked tokens; users see neither', async () => {
    await upsert({ id: 'mine' });
    const see = async (tokens: Tokens) => {
      const { platforms } = await app.graphql(
        '{ platforms(filter: { name: { eq: "Test Platform" } }) { nodes { maskedToken userIds } } }',
        {},
        tokens,
      );
      return platforms.nodes[0];
    };
    const own = await see(app.platform);
    expect([own.maskedToken, own.userIds.includes('mine'), await see({ user: admin.user })]).toEqual([
      'test…',
      true,
      { maskedToken: null, userIds: [] },
    ]);
  });
});

describe('the lookup of an address', () => {
  const lookUp = (email: string, tokens: Tokens) =>
    app.graphql('query ($email: String!) { emailLookup(email: $email) { isValid maskedPhone } }', { email }, tokens);

  test('masks the phone', async () => {
    await app.person({ email: 'phone@example.com', phone: '+15125550142' });
    const { user } = await app.person();
    expect([await lookUp('Phone@example.com', { user }), await lookUp('none@example.com', { user })]).toEqual([
      { emailLookup: { isValid: true, maskedPhone: '********0142' } },
      { emailLookup: null },
    ]);
  });

  test('is limited to sixty a minute for each caller', async () => {
    const { user } = await app.person();
    const answers = await Promise.all(Array.from({ length: 61 }, () => lookUp('none@example.com', { user })));
    expect(answers.filter(({ errors }) => errors?.[0]?.startsWith('RATE_LIMITED'))).toHaveLength(1);
  });
});

describe('a contact message', () => {
  const contact = (input: object) => app.graphql('mutation ($input: ContactInput!) { contact(input: $input) }', { input });

  test('goes to the operators with names instead of ids', async () => {
    await app.graphql('mutation { upsertTournament(input: { id: "open", title: "Austin Open" }) { id } }');
    const answer = await contact({
      reasonId: '1',
      name: 'Ana',
      email: 'ana@example.com',
      details: 'Where is my refund?',
      tournamentId: 'open',
    });
    const { text } = (await mailbox(app, 'desk@example.com')).at(-1) ?? {};
    expect([answer, text]).toEqual([
      { contact: true },
      'Where is my refund?\n\nName: Ana\nE-mail: ana@example.com\nPlatform: Test Platform\nTournament: Austin Open\n',
    ]);
  });

  test('needs a text, and an address that is one', async () => {
    expect([
      await contact({ details: ' ' }),
      await contact({ details: 'x', email: 'x' }),
      await contact({ details: 'x'.repeat(10_001) }),
    ]).toMatchObject([
      { errors: ['BAD_INPUT: details: expected a message'] },
      { errors: ['BAD_INPUT: email: expected an e-mail address such as ana@example.com'] },
      { errors: ['BAD_INPUT: details: expected at most 10000 characters'] },
    ]);
  });
});

describe('the first sign-ons of the configuration', () => {
  const config = {
    bootstrap: { platformToken: 'first-platform', admin: { email: 'Root@example.com', password: 'first password' } },
  };
  const login = async (password: string) => {
    const input = { email: 'root@example.com', password };
    const body = await app.graphql(
      'mutation ($input: LoginInput!) { login(input: $input) { token user { isSuperAdmin roles { title } } } }',
      { input },
      { platform: 'first-platform' },
    );
    return body.login ?? body.errors;
  };
  const viewer = async (user: string) =>
    (await app.graphql('{ viewer { isSuperAdmin } }', {}, { user })).viewer?.isSuperAdmin ?? 'dead';

  test('open the service, are the same when made again, and change with the configuration', async () => {
    await bootstrap(app.sql, config);
    const { token, user } = await login('first password');
    await bootstrap(app.sql, config);
    const again = await viewer(token);
    await bootstrap(app.sql, {
      bootstrap: { platformToken: null, admin: { email: 'root@example.com', password: 'second password' } },
    });
    app.house.services.identifier.forget();
    expect([
      user.isSuperAdmin,
      user.roles.length,
      again,
      await viewer(token),
      await login('first password'),
      Object.keys(await login('second password')),
    ]).toEqual([true, 9, true, 'dead', ['UNAUTHENTICATED: incorrect username or password'], ['token', 'user']]);
  });
});
