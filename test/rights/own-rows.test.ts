import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
let ana: Person;
let ben: Person;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ firstName: 'Ana', lastName: 'Lopez' });
  ben = await app.person({ firstName: 'Ben', lastName: 'Ito' });
  admin = await app.person({ firstName: 'Ada', lastName: 'Min', roles: ['ADMIN'] });
});
afterAll(() => app.close());

const as = ({ user }: Person) => ({ user });
const create = (input: object, caller: Person) =>
  app.graphql('mutation ($input: RegistrationInput!) { createRegistration(input: $input) { id userId } }', { input }, as(caller));
const upsert = (input: object, caller: Person) =>
  app.graphql(
    'mutation ($input: RegistrationInput!) { upsertRegistration(input: $input) { id userId promoCode } }',
    { input },
    as(caller),
  );
const headers = '/v1/tournament_attendee_event_headers/upsert';
const notOwner = { errors: ['FORBIDDEN: the registration belongs to another user'] };
const otherUserId = { errors: ['FORBIDDEN: input.userId: only the id of the signed-in user'] };

test('a registration without a user belongs to the caller', async () => {
  expect(await create({ id: 'anas' }, ana)).toEqual({ createRegistration: { id: 'anas', userId: ana.id } });
});

test('a registration that an admin creates without a user belongs to the admin', async () => {
  expect(await create({ id: 'adas' }, admin)).toEqual({ createRegistration: { id: 'adas', userId: admin.id } });
});

test('an upsert by an admin without a user does not change the owner', async () => {
  expect(await upsert({ id: 'anas', promoCode: 'NONE' }, admin)).toEqual({
    upsertRegistration: { id: 'anas', userId: ana.id, promoCode: 'NONE' },
  });
});

test('a player cannot register another user, or transfer a registration to another user', async () => {
  expect({
    create: await create({ userId: ben.id }, ana),
    transfer: await upsert({ id: 'anas', userId: ben.id }, ana),
  }).toEqual({ create: otherUserId, transfer: otherUserId });
});

test('a player cannot change, claim or delete the registration of another user', async () => {
  const mutate = (mutation: string) => app.graphql(`mutation { ${mutation} { id } }`, {}, as(ben));
  const legacyUpsert = { payload: { tournament_attendee_header_uuid: 'anas', user_uuid: ben.id } };
  expect({
    upsert: await upsert({ id: 'anas', promoCode: 'MINE' }, ben),
    claim: await upsert({ id: 'anas', userId: ben.id }, ben),
    update: await mutate('updateRegistration(id: "anas", input: { promoCode: "MINE" })'),
    delete: await mutate('deleteRegistration(id: "anas")'),
    legacyUpsertStatus: (await app.rest('POST', headers, as(ben), legacyUpsert)).status,
    row: await app.sql.row(`select user_id, promo_code from registration where id = 'anas'`),
  }).toEqual({
    upsert: notOwner,
    claim: notOwner,
    update: notOwner,
    delete: notOwner,
    legacyUpsertStatus: 403,
    row: { user_id: ana.id, promo_code: 'NONE' },
  });
});

test('an owner cannot clear the user of a registration', async () => {
  await create({ id: 'kept' }, ana);
  const update = (userId: string) =>
    app.graphql(`mutation { updateRegistration(id: "kept", input: { userId: ${userId} }) { userId } }`, {}, as(ana));
  expect({ toNull: await update('null'), toEmpty: await update('""') }).toEqual({
    toNull: { updateRegistration: { userId: ana.id } },
    toEmpty: { updateRegistration: { userId: ana.id } },
  });
});

test('a player cannot claim a registration without a user', async () => {
  await app.sql.rows(`insert into registration (id) values ('stray')`);
  expect(await upsert({ id: 'stray' }, ben)).toEqual(notOwner);
});

test('a player who updates an unknown ID gets NOT_FOUND', async () => {
  const answer = await app.graphql('mutation { updateRegistration(id: "none", input: {}) { id } }', {}, as(ben));
  expect(answer).toEqual({ errors: ['NOT_FOUND: no registration with the id none'] });
});

test('an admin writes the registrations of all users', async () => {
  expect({
    upsert: await upsert({ id: 'anas', promoCode: 'GIFT' }, admin),
    create: await create({ id: 'bens', userId: ben.id }, admin),
  }).toEqual({
    upsert: { upsertRegistration: { id: 'anas', userId: ana.id, promoCode: 'GIFT' } },
    create: { createRegistration: { id: 'bens', userId: ben.id } },
  });
});

test('concurrent upserts of one ID by two users create a registration of one of them', async () => {
  const answers = await Promise.all([ana, ben, ana, ben].map((caller) => upsert({ id: 'raced' }, caller)));
  const { user_id: owner } = (await app.sql.row(`select user_id from registration where id = 'raced'`)) ?? {};
  expect(answers).toEqual(
    [ana, ben, ana, ben].map(({ id }) =>
      id === owner ? { upsertRegistration: { id: 'raced', userId: id, promoCode: null } } : notOwner,
    ),
  );
});

test('a player cannot enter an event with the registration of another user', async () => {
  await create({ id: 'bens-own' }, ben);
  const enter = (call: string, caller: Person) => app.graphql(`mutation { entry: ${call} { registrationId } }`, {}, as(caller));
  const forbidden = { errors: ['FORBIDDEN: input.registrationId: only a registration of the same player'] };
  const fixed = { errors: ['FORBIDDEN: input.registrationId: the owner of the event registration cannot change it'] };
  expect({
    createWithOther: await enter('createEventRegistration(input: { id: "anas-entry", registrationId: "bens-own" })', ana),
    createWithOwn: await enter('createEventRegistration(input: { id: "anas-entry", registrationId: "anas" })', ana),
    updateToOther: await enter('updateEventRegistration(id: "anas-entry", input: { registrationId: "bens-own" })', ana),
    updateByAdmin: await enter('updateEventRegistration(id: "anas-entry", input: { registrationId: "bens-own" })', admin),
  }).toEqual({
    createWithOther: forbidden,
    createWithOwn: { entry: { registrationId: 'anas' } },
    updateToOther: fixed,
    updateByAdmin: { entry: { registrationId: 'bens-own' } },
  });
});

test('a filter by the caller is permitted, and a filter by another user is forbidden', async () => {
  const invoices = (filter: string) => app.graphql(`{ invoices(filter: ${filter}) { totalCount } }`, {}, as(ana));
  const forbidden = {
    errors: [
      'FORBIDDEN: Not allowed: requires a platform token, a user token with the role ADMIN, or a user token of the owner of the invoices',
    ],
  };
  const permitted = { invoices: { totalCount: 0 } };
  expect({
    other: await invoices(`{ userId: { eq: "${ben.id}" } }`),
    both: await invoices(`{ and: [{ userId: { in: ["${ana.id}", "${ben.id}"] } }] }`),
    otherInOr: await invoices(`{ or: [{ userId: { eq: "${ben.id}" } }] }`),
    own: await invoices(`{ userId: { eq: "${ana.id}" } }`),
    ownInOr: await invoices(`{ or: [{ userId: { eq: "${ana.id}" } }] }`),
  }).toEqual({ other: forbidden, both: forbidden, otherInOr: forbidden, own: permitted, ownInOr: permitted });
});

test('a forbidden field is null and does not affect other fields', async () => {
  const { body } = await app.rest('POST', '/graphql', as(ana), {
    query: `{ user(id: "${ben.id}") { firstName email favorites { totalCount } } teams(first: 0) { totalCount } discountCodes { totalCount } }`,
  });
  expect(body).toEqual({
    data: { user: { firstName: 'Ben', email: null, favorites: null }, teams: { totalCount: 0 }, discountCodes: null },
    errors: [
      expect.objectContaining({ path: ['user', 'favorites'], extensions: { code: 'FORBIDDEN' } }),
      expect.objectContaining({ path: ['discountCodes'], extensions: { code: 'FORBIDDEN' } }),
    ],
    extensions: { cost: { cost: 6, limit: 200_000 } },
  });
});
