import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bootstrap } from '../../src/modules/accounts/bootstrap.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { mailbox } from '../support/mailbox.js';
import { statementsOf } from '../support/statements.js';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp({ CONTACT_EMAIL: 'desk@example.com' });
  admin = await app.person({ isSuperAdmin: true });
});
afterAll(() => app.close());

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
      'FORBIDDEN: only for: platform or permission ADMIN or permission NEWS_CREATOR or permission NEWS_ADMIN',
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

  test('of a person for whom a platform acts are known to other modules', async () => {
    const { id } = await app.person({ firstName: 'Zoe', roles: ['NEWS_CREATOR'] });
    const { identifier } = app.resources.services;
    const people = [await identifier.person(app.sql, id), await identifier.person(app.sql, 'nobody')];
    expect(people).toEqual([{ id, name: 'Zoe Lopez', isSuperAdmin: false, roles: new Set(['NEWS_CREATOR', 'USER']) }, null]);
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
    const query = 'query ($first: Int!) { users(first: $first) { nodes { roles { title } } } }';
    const count = (first: number) => statementsOf(app, () => app.graphql(query, { first }));
    expect(await count(10)).toBe(await count(2));
  });
});

describe('a platform', () => {
  const create = (input: object, tokens: Tokens = { user: admin.user }) =>
    app.graphql(
      'mutation ($input: PlatformInput!) { createPlatform(input: $input) { token platform { id title allowedOrigins isEnabled } } }',
      { input },
      tokens,
    );
  const opens = async (platform: string) => (await app.graphql('{ isAdminAuthorized }', {}, { platform })).errors?.[0] ?? 'opens';
  const dead = 'UNAUTHENTICATED: the token is unknown, expired or revoked';

  test('gets a token once, a new one on demand, and none while it is not active', async () => {
    const { createPlatform } = await create({ title: 'Club App', allowedOrigins: ['https://club.example'] });
    const { id } = createPlatform.platform;
    const first = await opens(createPlatform.token);
    const { renewPlatformToken } = await app.graphql(
      'mutation ($id: ID!) { renewPlatformToken(id: $id) { token } }',
      { id },
      { user: admin.user },
    );
    const renewed = [await opens(createPlatform.token), await opens(renewPlatformToken.token)];
    await app.graphql(
      'mutation ($id: ID!) { updatePlatform(id: $id, input: { isEnabled: false }) { id } }',
      { id },
      { user: admin.user },
    );
    expect([createPlatform.platform, first, renewed, await opens(renewPlatformToken.token)]).toEqual([
      { id, title: 'Club App', allowedOrigins: ['https://club.example'], isEnabled: true },
      'opens',
      [dead, 'opens'],
      dead,
    ]);
  });

  test('needs a title of its own and origins that are origins', async () => {
    const answers = [
      await create({}),
      await create({ title: null }),
      await create({ title: 'Test Platform' }),
      await create({ title: 'X', allowedOrigins: ['https://ok.example', 'https://no.example/path'] }),
      await create({ title: 'X' }, app.platform),
    ];
    expect(answers.map(({ errors }) => errors[0])).toEqual([
      'BAD_INPUT: input.title: expected a title',
      'BAD_INPUT: input.title: expected a title',
      expect.stringMatching(/^CONFLICT: another platform has the same title/),
      'BAD_INPUT: input.allowedOrigins[1]: expected an origin such as https://www.example.com',
      'FORBIDDEN: only for: super admin',
    ]);
  });

  test('sees its own users and masked tokens; users see neither', async () => {
    await app.graphql('mutation { upsertUser(input: { id: "mine" }) { id } }');
    const see = async (tokens: Tokens) => {
      const { platforms } = await app.graphql(
        '{ platforms(filter: { title: { eq: "Test Platform" } }) { nodes { maskedToken userIds } } }',
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
  const contact = (input: object) =>
    app.graphql('mutation ($input: ContactInput!) { contact(input: $input) { mailSent } }', { input });

  test('goes to the operators with names instead of ids', async () => {
    await app.graphql('mutation { upsertTournament(input: { id: "open", title: "Austin Open" }) { id } }');
    const answer = await contact({
      reasonId: '1',
      fullName: 'Ana',
      email: 'ana@example.com',
      details: 'Where is my refund?',
      tournamentId: 'open',
    });
    const { text } = (await mailbox(app, 'desk@example.com')).at(-1) ?? {};
    expect([answer, text]).toEqual([
      { contact: { mailSent: true } },
      'Where is my refund?\n\nName: Ana\nE-mail: ana@example.com\nPlatform: Test Platform\nTournament: Austin Open\n',
    ]);
  });

  test('needs a text, and an address that is one', async () => {
    expect([
      await contact({ details: ' ' }),
      await contact({ details: 'x', email: 'x' }),
      await contact({ details: 'x'.repeat(10_001) }),
    ]).toMatchObject([
      { errors: ['BAD_INPUT: input.details: expected a message'] },
      { errors: ['BAD_INPUT: input.email: expected an e-mail address such as ana@example.com'] },
      { errors: ['BAD_INPUT: input.details: expected at most 10000 characters'] },
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
    app.resources.services.identifier.forget();
    expect([
      user.isSuperAdmin,
      user.roles.length,
      again,
      await viewer(token),
      await login('first password'),
      Object.keys(await login('second password')),
    ]).toEqual([true, 9, true, 'dead', ['INVALID_CREDENTIALS: incorrect username or password'], ['token', 'user']]);
  });
});
