import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bootstrap } from '../../../src/modules/accounts/bootstrap.js';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { mailbox } from '../../support/clients/mailbox.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp({ CONTACT_EMAIL: 'desk@example.com' });
  admin = await app.person({ isSuperAdmin: true });
});
afterAll(() => app.close());

describe('roles', () => {
  const change = (mutation: 'grantRole' | 'revokeRole', userId: string, tokens: Tokens = { user: admin.user }, roleId = '2') =>
    app.graphql(
      `mutation ($userId: ID!, $roleId: ID!) { ${mutation}(userId: $userId, roleId: $roleId) { roles { title } } }`,
      { userId, roleId },
      tokens,
    );

  test('apply from the next request on until they are revoked, including the roles that they inherit', async () => {
    const { id, user } = await app.person();
    const createNews = async () => {
      const answer = await app.graphql('mutation { createNewsItem(input: { title: "Finals" }) { title } }', {}, { user });
      return answer.createNewsItem?.title ?? answer.errors[0];
    };
    const forbidden =
      'FORBIDDEN: Not allowed: requires a platform token, or a user token with the role ADMIN, NEWS_CREATOR or NEWS_ADMIN';
    const beforeGrant = await createNews();
    const { grantRole } = await change('grantRole', id);
    await change('grantRole', id);
    const afterGrant = await createNews();
    const { revokeRole } = await change('revokeRole', id);
    const afterRevocation = await createNews();
    expect({
      beforeGrant,
      grantedRoles: grantRole.roles.map(({ title }: { title: string }) => title),
      afterGrant,
      rolesAfterRevocation: revokeRole.roles,
      afterRevocation,
    }).toEqual({
      beforeGrant: forbidden,
      grantedRoles: ['NEWS_ADMIN', 'USER', 'CONTENT_CREATOR', 'NEWS_CREATOR', 'CONTENT_CONFIRMER'],
      afterGrant: 'Finals',
      rolesAfterRevocation: [],
      afterRevocation: forbidden,
    });
  });

  const errorOf = async (...parameters: Parameters<typeof change>) => (await change(...parameters)).errors[0];

  test('are granted only by super admins', async () => {
    const someone = await app.person({ roles: ['ADMIN'] });
    expect({
      asAdmin: await errorOf('grantRole', someone.id, { user: someone.user }),
      asPlatform: await errorOf('grantRole', someone.id, app.platform),
    }).toEqual({
      asAdmin: 'FORBIDDEN: Not allowed: requires a user token of a super admin',
      asPlatform: 'UNAUTHENTICATED: Authentication required: send a user token of a super admin (header PB-USER-TOKEN)',
    });
  });

  test('are not granted if the role or the user is unknown', async () => {
    const { id } = await app.person();
    expect({
      unknownRole: await errorOf('grantRole', id, { user: admin.user }, '99'),
      unknownUser: await errorOf('grantRole', 'nobody'),
    }).toEqual({
      unknownRole: 'BAD_INPUT: roleId: expected the id of a role',
      unknownUser: 'NOT_FOUND: no user with the id nobody',
    });
  });

  test('are returned by the authenticator, for other modules to check', async () => {
    const { id } = await app.person({ firstName: 'Zoe', roles: ['NEWS_CREATOR'] });
    const { authenticator } = app.resources.services;
    expect({
      person: await authenticator.findUser(app.sql, id),
      unknown: await authenticator.findUser(app.sql, 'nobody'),
    }).toEqual({
      person: { id, name: 'Zoe Lopez', isSuperAdmin: false, roles: new Set(['NEWS_CREATOR', 'USER']) },
      unknown: null,
    });
  });

  test('determine whether a user is an admin', async () => {
    const isAdmin = async ({ user, platform }: Tokens) =>
      (await app.graphql('{ isAdminAuthorized }', {}, { user, platform })).isAdminAuthorized;
    expect({
      platform: await isAdmin(app.platform),
      superAdmin: await isAdmin({ user: admin.user }),
      admin: await isAdmin(await app.person({ roles: ['ADMIN'] })),
      newsAdmin: await isAdmin(await app.person({ roles: ['NEWS_ADMIN'] })),
    }).toEqual({ platform: false, superAdmin: true, admin: true, newsAdmin: false });
  });

  test('of many users are read with one statement', async () => {
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
  /** Sends a request with the token. Returns `'accepted'` or the error. */
  const tryToken = async (platform: string) =>
    (await app.graphql('{ isAdminAuthorized }', {}, { platform })).errors?.[0] ?? 'accepted';
  const rejected = 'UNAUTHENTICATED: the token is unknown, expired or revoked';

  test('has one valid token, which is replaced on request and rejected while the platform is disabled', async () => {
    const { createPlatform } = await create({ title: 'Club App', allowedOrigins: ['https://club.example'] });
    const { id } = createPlatform.platform;
    const firstToken = await tryToken(createPlatform.token);
    const { renewPlatformToken } = await app.graphql(
      'mutation ($id: ID!) { renewPlatformToken(id: $id) { token } }',
      { id },
      { user: admin.user },
    );
    const afterRenewal = {
      firstToken: await tryToken(createPlatform.token),
      secondToken: await tryToken(renewPlatformToken.token),
    };
    await app.graphql(
      'mutation ($id: ID!) { updatePlatform(id: $id, input: { isEnabled: false }) { id } }',
      { id },
      { user: admin.user },
    );
    expect({
      platform: createPlatform.platform,
      firstToken,
      afterRenewal,
      whileDisabled: await tryToken(renewPlatformToken.token),
    }).toEqual({
      platform: { id, title: 'Club App', allowedOrigins: ['https://club.example'], isEnabled: true },
      firstToken: 'accepted',
      afterRenewal: { firstToken: rejected, secondToken: 'accepted' },
      whileDisabled: rejected,
    });
  });

  test('accepts its previous token for the requested hours', async () => {
    const { createPlatform } = await create({ title: 'Rotating' });
    const { id } = createPlatform.platform;
    const asAdmin = (document: string, variables: object = {}) =>
      app.graphql(document, { id, ...variables }, { user: admin.user });
    const renewal =
      'mutation ($id: ID!, $hours: Int) { renewPlatformToken(id: $id, hours: $hours) { token platform { previousTokenEndsAt } } }';
    const { renewPlatformToken: renewed } = await asAdmin(renewal, { hours: 48 });
    const duringOverlap = { first: await tryToken(createPlatform.token), second: await tryToken(renewed.token) };
    await app.sql.rows(`update platform set previous_token_ends_at = now() where id = $1`, [id]);
    await expect.poll(() => tryToken(createPlatform.token)).toBe(rejected);
    const afterOverlap = await tryToken(renewed.token);

    const { renewPlatformToken: third } = await asAdmin(renewal, { hours: 720 });
    const { endPreviousPlatformToken: ended } = await asAdmin(
      'mutation ($id: ID!) { endPreviousPlatformToken(id: $id) { previousTokenEndsAt } }',
    );
    expect({
      hours: (Date.parse(renewed.platform.previousTokenEndsAt) - Date.now()) / 3_600_000,
      duringOverlap,
      afterOverlap,
      ended,
      afterEnd: { second: await tryToken(renewed.token), third: await tryToken(third.token) },
      tooManyHours: (await asAdmin(renewal, { hours: 721 })).errors,
      unknown: (await asAdmin(renewal, { id: 'nobody', hours: 1 })).errors,
    }).toEqual({
      hours: expect.closeTo(48, 1),
      duringOverlap: { first: 'accepted', second: 'accepted' },
      afterOverlap: 'accepted',
      ended: { previousTokenEndsAt: null },
      afterEnd: { second: rejected, third: 'accepted' },
      tooManyHours: ['BAD_INPUT: hours: expected 0 to 720'],
      unknown: ['NOT_FOUND: no platform with the id nobody'],
    });
  });

  test('is created only by super admins, with a unique title and valid origins', async () => {
    const errorOf = async (input: object, tokens?: Tokens) => (await create(input, tokens)).errors[0];
    expect({
      noTitle: await errorOf({}),
      titleNull: await errorOf({ title: null }),
      titleInUse: await errorOf({ title: 'Test Platform' }),
      invalidOrigin: await errorOf({ title: 'X', allowedOrigins: ['https://ok.example', 'https://no.example/path'] }),
      asPlatform: await errorOf({ title: 'X' }, app.platform),
    }).toEqual({
      noTitle: 'BAD_INPUT: input.title: expected a title',
      titleNull: 'BAD_INPUT: input.title: expected a title',
      titleInUse: expect.stringMatching(/^CONFLICT: another platform has the same title/),
      invalidOrigin: 'BAD_INPUT: input.allowedOrigins[1]: expected an origin such as https://www.example.com',
      asPlatform: 'UNAUTHENTICATED: Authentication required: send a user token of a super admin (header PB-USER-TOKEN)',
    });
  });

  test('sees its own users and masked token, which are hidden from users', async () => {
    await app.graphql('mutation { upsertUser(input: { id: "mine" }) { id } }');
    const read = async (tokens: Tokens) => {
      const { platforms } = await app.graphql(
        '{ platforms(filter: { title: { eq: "Test Platform" } }) { nodes { maskedToken userIds } } }',
        {},
        tokens,
      );
      return platforms.nodes[0];
    };
    expect({ asPlatform: await read(app.platform), asSuperAdmin: await read({ user: admin.user }) }).toEqual({
      asPlatform: { maskedToken: 'test…', userIds: expect.arrayContaining(['mine']) },
      asSuperAdmin: { maskedToken: null, userIds: [] },
    });
  });
});

describe('the lookup of an e-mail address', () => {
  const lookUp = (email: string, tokens: Tokens) =>
    app.graphql('query ($email: String!) { emailLookup(email: $email) { isValid maskedPhone } }', { email }, tokens);

  test('masks the phone number', async () => {
    await app.person({ email: 'phone@example.com', phone: '+15125550142' });
    const { user } = await app.person();
    expect({
      registered: await lookUp('Phone@example.com', { user }),
      unknown: await lookUp('none@example.com', { user }),
    }).toEqual({
      registered: { emailLookup: { isValid: true, maskedPhone: '********0142' } },
      unknown: { emailLookup: null },
    });
  });

  test('is limited to 600 a minute for a platform', async () => {
    const answers = await Promise.all(Array.from({ length: 601 }, () => lookUp('none@example.com', app.platform)));
    expect(answers.filter(({ errors }) => errors?.[0]?.startsWith('RATE_LIMITED'))).toHaveLength(1);
  });

  test('is limited to sixty a minute for a user', async () => {
    const { user } = await app.person();
    const answers = await Promise.all(Array.from({ length: 61 }, () => lookUp('none@example.com', { user })));
    expect(answers.filter(({ errors }) => errors?.[0]?.startsWith('RATE_LIMITED'))).toHaveLength(1);
  });
});

describe('a contact message', () => {
  const contact = (input: object) =>
    app.graphql('mutation ($input: ContactInput!) { contact(input: $input) { isMailSent } }', { input });

  test('is sent to the operators with names instead of ids', async () => {
    await app.graphql('mutation { upsertTournament(input: { id: "open", title: "Austin Open" }) { id } }');
    const answer = await contact({
      reasonId: '1',
      fullName: 'Ana',
      email: 'ana@example.com',
      details: 'Where is my refund?',
      tournamentId: 'open',
    });
    const { text } = (await mailbox(app, 'desk@example.com')).at(-1) ?? {};
    expect({ answer, text }).toEqual({
      answer: { contact: { isMailSent: true } },
      text: 'Where is my refund?\n\nName: Ana\nEmail: ana@example.com\nPlatform: Test Platform\nTournament: Austin Open\n',
    });
  });

  test('needs a text of at most 65,536 characters, and a valid e-mail address if it has one', async () => {
    expect({
      blank: await contact({ details: ' ' }),
      invalidAddress: await contact({ details: 'x', email: 'x' }),
      tooLong: await contact({ details: 'x'.repeat(65_537) }),
      longest: await contact({ details: 'x'.repeat(65_536) }),
      longestOfEmojis: await contact({ details: '🏓'.repeat(65_536) }),
    }).toMatchObject({
      blank: { errors: ['BAD_INPUT: input.details: expected a message'] },
      invalidAddress: { errors: ['BAD_INPUT: input.email: expected an e-mail address such as ana@example.com'] },
      tooLong: { errors: ['BAD_INPUT: input.details: expected at most 65536 characters'] },
      longest: { contact: { isMailSent: true } },
      longestOfEmojis: { contact: { isMailSent: true } },
    });
  });
});

describe('the platform and the super admin of the configuration', () => {
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
  const isSuperAdmin = async (user: string) =>
    (await app.graphql('{ viewer { isSuperAdmin } }', {}, { user })).viewer?.isSuperAdmin ?? 'rejected';

  test.each(['short', 'password', 'Courtside1'])('have no password that is easy to guess, such as %s', async (password) => {
    const weak = { bootstrap: { platformToken: null, admin: { email: 'weak-root@example.com', password } } };
    await expect(bootstrap(app.sql, weak)).rejects.toThrow(
      'BOOTSTRAP_ADMIN_PASSWORD: expected 8 to 200 characters that are hard to guess',
    );
  });

  test('are created at the first start, stay at the next one, and change with the configuration', async () => {
    await bootstrap(app.sql, config);
    const { token, user } = await login('first password');
    await bootstrap(app.sql, config);
    const tokenAfterRestart = await isSuperAdmin(token);
    await bootstrap(app.sql, {
      bootstrap: { platformToken: null, admin: { email: 'root@example.com', password: 'second password' } },
    });
    app.resources.services.authenticator.clearCaches();
    expect({
      isSuperAdmin: user.isSuperAdmin,
      roleCount: user.roles.length,
      tokenAfterRestart,
      tokenAfterChange: await isSuperAdmin(token),
      firstPassword: await login('first password'),
      secondPassword: Object.keys(await login('second password')),
    }).toEqual({
      isSuperAdmin: true,
      roleCount: 9,
      tokenAfterRestart: true,
      tokenAfterChange: 'rejected',
      firstPassword: ['INVALID_CREDENTIALS: incorrect username or password'],
      secondPassword: ['token', 'user'],
    });
  });
});
