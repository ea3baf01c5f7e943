import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { lastValue, mailbox } from '../support/mailbox.js';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.person({ isSuperAdmin: true });
});
afterAll(() => app.close());

const upsert = (input: object, tokens: Tokens = app.platform, fields = 'id') =>
  app.graphql(`mutation ($input: UserInput!) { upsertUser(input: $input) { ${fields} } }`, { input }, tokens);
const userOf = async (id: string, fields: string, tokens: Tokens = app.platform) =>
  (await app.graphql(`query ($id: ID!) { user(id: $id) { ${fields} } }`, { id }, tokens)).user;

describe('a user', () => {
  const privateFields = 'email phone dateOfBirth zip latitude longitude verifiedAt roles { title } city';

  test('shows its private fields to platforms, super admins and itself, and to no other user', async () => {
    const own = {
      id: 'ana',
      email: 'Ana@Example.com',
      phone: '+1 512 555 0100',
      dateOfBirth: '1990-05-01',
      zip: '78701',
      latitude: 30.25,
      longitude: -97.75,
      city: 'Austin',
    };
    await upsert(own);
    const ana = await tokenFor('ana');
    const other = await app.person();
    const all = { ...own, id: undefined, email: 'ana@example.com', verifiedAt: null, roles: [] };
    const none = {
      email: null,
      phone: null,
      dateOfBirth: null,
      zip: null,
      latitude: null,
      longitude: null,
      verifiedAt: null,
      roles: null,
      city: 'Austin',
    };
    const seen = [];
    for (const tokens of [app.platform, { user: admin.user }, { user: ana }, { user: other.user }])
      seen.push(await userOf('ana', privateFields, tokens));
    expect(seen).toEqual([all, all, all, none]);
  });

  test('says of each private field to whom it is shown, and that it is null to others', async () => {
    const { __type } = await app.graphql('{ __type(name: "User") { fields { name description } } }');
    const told = (__type.fields as { name: string; description: string }[]).filter(({ description }) =>
      description.endsWith('; shown to platforms, super admins and the user, null to others.'),
    );
    expect(told.map(({ name }) => name).toSorted()).toEqual([
      'dateOfBirth',
      'email',
      'latitude',
      'longitude',
      'phone',
      'roles',
      'verifiedAt',
      'zip',
    ]);
  });

  test('cannot be found or ordered by what is private', async () => {
    const { __schema } = await app.graphql('{ __schema { types { name inputFields { name } enumValues { name } } } }');
    const type = (name: string) => __schema.types.find((item: { name: string }) => item.name === name);
    const names = (items: { name: string }[]) => items.map(({ name }) => name.toLowerCase().replaceAll('_', ''));
    const ways = [...names(type('UserFilter').inputFields), ...names(type('UserOrderField').enumValues)];
    expect(
      ways.filter((name) =>
        ['email', 'phone', 'dateofbirth', 'zip', 'verifiedat', 'passwordhash', 'roleids', 'latitude', 'longitude'].includes(name),
      ),
    ).toEqual([]);
  });

  test('hears of a wrong address together with all else that is wrong', async () => {
    const wrong = { id: '', email: 'nowhere', phone: '1'.repeat(60) };
    const all = ['email', 'id', 'phone'].map((field) => `input.${field}`);
    const { body } = await app.rest('POST', '/graphql', app.platform, {
      query: 'mutation ($input: UserInput!) { upsertUser(input: $input) { id } }',
      variables: { input: wrong },
    });
    expect(body.errors[0].extensions.problems.map(({ field }: { field: string }) => field).toSorted()).toEqual(all);
  });

  test('changes its own profile only, and hears so where it names another', async () => {
    const [mine, others] = [await app.person(), await app.person()];
    const change = (id: string | null) =>
      app.graphql('mutation ($id: ID) { updateProfile(input: { id: $id, city: "Reno" }) { id } }', { id }, { user: mine.user });
    expect([await change(others.id), await change(mine.id), await change(null)]).toEqual([
      { errors: ['BAD_INPUT: input.id: expected the id of the signed-in user, or none'] },
      { updateProfile: { id: mine.id } },
      { updateProfile: { id: mine.id } },
    ]);
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
    const whole = { firstName: 'A', lastName: 'B', gender: 'F', dateOfBirth: '1990-05-01', countryId: '840' };
    const answers = [await upsert({ id: 'c1', ...whole }, app.platform, 'isCompleted')];
    for (const name of Object.keys(whole))
      answers.push(await upsert({ id: 'c1', ...whole, [name]: null }, app.platform, 'isCompleted'));
    expect(answers.map(({ upsertUser }) => upsertUser.isCompleted)).toEqual([true, false, false, false, false, false]);
  });

  test('keeps its address, which no platform clears', async () => {
    const email = async (given: object) => (await upsert({ id: 'k1', ...given }, app.platform, 'email')).upsertUser;
    expect([await email({ email: 'k1@example.com' }), await email({ email: null }), await email({ email: '' })]).toEqual(
      Array(3).fill({ email: 'k1@example.com' }),
    );
  });

  test('takes no address of another user, and none that is none', async () => {
    await upsert({ id: 'e1', email: 'taken@example.com' });
    expect([await upsert({ id: 'e2', email: 'Taken@example.com' }), await upsert({ id: 'e2', email: 'nowhere' })]).toMatchObject([
      { errors: [expect.stringMatching(/^CONFLICT: /)] },
      { errors: ['BAD_INPUT: input.email: expected an e-mail address such as ana@example.com'] },
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
  test("is an update of the caller's own record, and says so where it names another, whatever the roles", async () => {
    const own = await app.person({ roles: ['ADMIN'] });
    const other = await app.person({ firstName: 'Before' });
    const change = (id: string, tokens: Tokens) => upsert({ id, firstName: 'After' }, tokens, 'id firstName');
    const refused = { errors: ['BAD_INPUT: input.id: expected the id of the signed-in user, or none'] };
    expect([
      await change(other.id, { user: own.user }),
      await change(other.id, { ...app.platform, user: own.user }),
      await change(own.id, { user: own.user }),
      await userOf(other.id, 'firstName'),
    ]).toEqual([refused, refused, { upsertUser: { id: own.id, firstName: 'After' } }, { firstName: 'Before' }]);
  });

  test('is one in /v1, too, which ignores the uuid', async () => {
    const [own, other] = [await app.person({ roles: ['ADMIN'] }), await app.person()];
    const payload = { uuid: other.id, firstName: 'After' };
    const { status, body } = await app.rest('POST', '/v1/users/upsert', { ...app.platform, user: own.user }, { payload });
    expect([status, body.result?.uuid, await userOf(own.id, 'firstName'), await userOf(other.id, 'firstName')]).toEqual([
      200,
      own.id,
      { firstName: 'After' },
      { firstName: 'Ana' },
    ]);
  });

  test('changes the address only when the new one confirms it', async () => {
    const { id, user } = await app.person({ email: 'old@example.com' });
    const answer = await upsert({ email: 'New@example.com' }, { user }, 'email');
    const confirmed = await app.graphql(
      'mutation ($value: String!) { verifyEmail(value: $value) { id } }',
      { value: await lastValue(app, 'new@example.com') },
      {},
    );
    expect([answer.upsertUser, confirmed, await userOf(id, 'email', { user })]).toEqual([
      { email: 'old@example.com' },
      { verifyEmail: { id: expect.any(String) } },
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
