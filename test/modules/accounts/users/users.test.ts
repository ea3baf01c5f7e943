import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastValue, mailbox } from '../../../support/clients/mailbox.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../../support/servers/app.js';

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
  const privateFields = 'email phone dateOfBirth zip latitude longitude verifiedAt roles { title } grantedRoles { title } city';

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
    const all = { ...own, id: undefined, email: 'ana@example.com', verifiedAt: null, roles: [], grantedRoles: [] };
    const none = {
      email: null,
      phone: null,
      dateOfBirth: null,
      zip: null,
      latitude: null,
      longitude: null,
      verifiedAt: null,
      roles: null,
      grantedRoles: null,
      city: 'Austin',
    };
    expect({
      asPlatform: await userOf('ana', privateFields, app.platform),
      asSuperAdmin: await userOf('ana', privateFields, { user: admin.user }),
      asSelf: await userOf('ana', privateFields, { user: ana }),
      asAnotherUser: await userOf('ana', privateFields, { user: other.user }),
    }).toEqual({ asPlatform: all, asSuperAdmin: all, asSelf: all, asAnotherUser: none });
  });

  test('documents who can read each private field', async () => {
    const { __type } = await app.graphql('{ __type(name: "User") { fields { name description } } }');
    const describedAsPrivate = (__type.fields as { name: string; description: string }[]).filter(({ description }) =>
      description.includes('Visible to platforms, super admins and the user. Null for other callers.'),
    );
    expect(describedAsPrivate.map(({ name }) => name).toSorted()).toEqual([
      'dateOfBirth',
      'email',
      'grantedRoles',
      'latitude',
      'longitude',
      'phone',
      'roles',
      'verifiedAt',
      'zip',
    ]);
  });

  test('cannot be filtered or ordered by private fields', async () => {
    const { __schema } = await app.graphql('{ __schema { types { name inputFields { name } enumValues { name } } } }');
    const type = (name: string) => __schema.types.find((item: { name: string }) => item.name === name);
    const names = (items: { name: string }[]) => items.map(({ name }) => name.toLowerCase().replaceAll('_', ''));
    const usable = [...names(type('UserFilter').inputFields), ...names(type('UserOrderField').enumValues)];
    expect(
      usable.filter((name) =>
        ['email', 'phone', 'dateofbirth', 'zip', 'verifiedat', 'passwordhash', 'roleids', 'latitude', 'longitude'].includes(name),
      ),
    ).toEqual([]);
  });

  test('is rejected with all problems together', async () => {
    const input = { id: '', email: 'nowhere', phone: '1'.repeat(60) };
    const { body } = await app.rest('POST', '/graphql', app.platform, {
      query: 'mutation ($input: UserInput!) { upsertUser(input: $input) { id } }',
      variables: { input },
    });
    expect(body.errors[0].extensions.problems.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      'input.email',
      'input.id',
      'input.phone',
    ]);
  });

  test('can update only its own profile', async () => {
    const [own, other] = [await app.person(), await app.person()];
    const update = (id: string | null) =>
      app.graphql('mutation ($id: ID) { updateProfile(input: { id: $id, city: "Reno" }) { id } }', { id }, { user: own.user });
    const updated = { updateProfile: { id: own.id } };
    expect({
      idOfAnotherUser: await update(other.id),
      ownId: await update(own.id),
      noId: await update(null),
    }).toEqual({
      idOfAnotherUser: { errors: ['BAD_INPUT: input.id: expected the id of the signed-in user, or none'] },
      ownId: updated,
      noId: updated,
    });
  });

  test('can be looked up by address only by platforms and super admins', async () => {
    const find = (tokens: Tokens) => app.graphql('{ userByEmail(email: "ANA@example.com") { id } }', {}, tokens);
    const { user } = await app.person();
    expect({
      asPlatform: await find(app.platform),
      asSuperAdmin: await find({ user: admin.user }),
      asUser: await find({ user }),
    }).toMatchObject({
      asPlatform: { userByEmail: { id: 'ana' } },
      asSuperAdmin: { userByEmail: { id: 'ana' } },
      asUser: { errors: ['FORBIDDEN: Not allowed: requires a platform token, or a user token of a super admin'] },
    });
  });

  test('gets a unique slug from its name, which does not change with the name', async () => {
    await Promise.all([
      upsert({ id: 's1', firstName: 'Zoë', lastName: 'Núñez' }),
      upsert({ id: 's2', firstName: 'Zoe', lastName: 'Nunez' }),
    ]);
    await upsert({ id: 's1', firstName: 'Other' });
    await upsert({ id: 's3' });
    const slugOf = async (id: string) => (await userOf(id, 'slug')).slug;
    expect({
      sameName: [await slugOf('s1'), await slugOf('s2')].toSorted(),
      withoutName: await slugOf('s3'),
    }).toEqual({ sameName: ['zoe-nunez', 'zoe-nunez-2'], withoutName: expect.stringMatching(/^player-\d{6}$/) });
  });

  test('is complete with names, category, date of birth and country', async () => {
    const whole = { firstName: 'A', lastName: 'B', gender: 'F', dateOfBirth: '1990-05-01', countryId: '840' };
    const isCompleted = async (change: object) =>
      (await upsert({ id: 'c1', ...whole, ...change }, app.platform, 'isCompleted')).upsertUser.isCompleted;
    expect({
      allFields: await isCompleted({}),
      withoutFirstName: await isCompleted({ firstName: null }),
      withoutLastName: await isCompleted({ lastName: null }),
      withoutGender: await isCompleted({ gender: null }),
      withoutDateOfBirth: await isCompleted({ dateOfBirth: null }),
      withoutCountry: await isCompleted({ countryId: null }),
    }).toEqual({
      allFields: true,
      withoutFirstName: false,
      withoutLastName: false,
      withoutGender: false,
      withoutDateOfBirth: false,
      withoutCountry: false,
    });
  });

  test('keeps its address when a platform clears it', async () => {
    const saved = async (input: object) => (await upsert({ id: 'k1', ...input }, app.platform, 'email')).upsertUser;
    expect({
      set: await saved({ email: 'k1@example.com' }),
      null: await saved({ email: null }),
      empty: await saved({ email: '' }),
    }).toEqual({ set: { email: 'k1@example.com' }, null: { email: 'k1@example.com' }, empty: { email: 'k1@example.com' } });
  });

  test('cannot have the address of another user, or an invalid one', async () => {
    await upsert({ id: 'e1', email: 'taken@example.com' });
    expect({
      taken: await upsert({ id: 'e2', email: 'Taken@example.com' }),
      invalid: await upsert({ id: 'e2', email: 'nowhere' }),
    }).toMatchObject({
      taken: { errors: [expect.stringMatching(/^CONFLICT: /)] },
      invalid: { errors: ['BAD_INPUT: input.email: expected an e-mail address such as ana@example.com'] },
    });
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
  test("updates the caller's own user, and is rejected for another one, with any role", async () => {
    const own = await app.person({ roles: ['ADMIN'] });
    const other = await app.person({ firstName: 'Before' });
    const rename = (id: string, tokens: Tokens) => upsert({ id, firstName: 'After' }, tokens, 'id firstName');
    const rejected = { errors: ['BAD_INPUT: input.id: expected the id of the signed-in user, or none'] };
    expect({
      idOfAnotherUser: await rename(other.id, { user: own.user }),
      idOfAnotherUserThroughPlatform: await rename(other.id, { ...app.platform, user: own.user }),
      ownId: await rename(own.id, { user: own.user }),
      other: await userOf(other.id, 'firstName'),
    }).toEqual({
      idOfAnotherUser: rejected,
      idOfAnotherUserThroughPlatform: rejected,
      ownId: { upsertUser: { id: own.id, firstName: 'After' } },
      other: { firstName: 'Before' },
    });
  });

  test("updates the caller's own user in /v1, which ignores the uuid", async () => {
    const [own, other] = [await app.person({ roles: ['ADMIN'] }), await app.person()];
    const payload = { uuid: other.id, firstName: 'After' };
    const { status, body } = await app.rest('POST', '/v1/users/upsert', { ...app.platform, user: own.user }, { payload });
    expect({
      status,
      uuid: body.result?.uuid,
      own: await userOf(own.id, 'firstName'),
      other: await userOf(other.id, 'firstName'),
    }).toEqual({ status: 200, uuid: own.id, own: { firstName: 'After' }, other: { firstName: 'Ana' } });
  });

  test('changes the address only once the new one is verified', async () => {
    const { id, user } = await app.person({ email: 'old@example.com' });
    const { upsertUser } = await upsert({ email: 'New@example.com' }, { user }, 'email');
    const verified = await app.graphql(
      'mutation ($value: String!) { verifyEmail(value: $value) { id } }',
      { value: await lastValue(app, 'new@example.com') },
      {},
    );
    expect({ upsertUser, verified, afterwards: await userOf(id, 'email', { user }) }).toEqual({
      upsertUser: { email: 'old@example.com' },
      verified: { verifyEmail: { id: expect.any(String) } },
      afterwards: { email: 'new@example.com' },
    });
  });

  test('to the address of another user returns the same response and notifies the owner', async () => {
    await app.person({ email: 'owner@example.com' });
    const { user } = await app.person({ email: 'curious@example.com' });
    const { upsertUser } = await upsert({ email: 'owner@example.com' }, { user }, 'email');
    const mails = await mailbox(app, 'owner@example.com');
    expect({ upsertUser, subjects: mails.map(({ subject }) => subject) }).toEqual({
      upsertUser: { email: 'curious@example.com' },
      subjects: ['You already have an account'],
    });
  });

  test('keeps the address when it is cleared', async () => {
    const { user } = await app.person({ email: 'kept@example.com' });
    expect(await upsert({ email: null }, { user }, 'email')).toEqual({ upsertUser: { email: 'kept@example.com' } });
  });
});

test('a platform cannot change a super admin', async () => {
  expect(await upsert({ id: admin.id, email: 'mallory@example.com' })).toMatchObject({
    errors: ['FORBIDDEN: platforms cannot change super admins'],
  });
});
