import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';

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
const create = (input: object, who: Person) =>
  app.graphql('mutation ($input: RegistrationInput!) { createRegistration(input: $input) { id userId } }', { input }, as(who));
const upsert = (input: object, who: Person) =>
  app.graphql(
    'mutation ($input: RegistrationInput!) { upsertRegistration(input: $input) { id userId promoCode } }',
    { input },
    as(who),
  );
const headers = '/v1/tournament_attendee_event_headers/upsert';
const theirs = "FORBIDDEN: the registration is somebody else's";
const notTheirs = 'FORBIDDEN: input.userId: only the id of the signed-in user';

test('a registration without a user is the own one', async () => {
  expect(await create({ id: 'anas' }, ana)).toEqual({ createRegistration: { id: 'anas', userId: ana.id } });
});

test('what an admin makes without saying whose it is is the admin’s, and stays whose it is', async () => {
  expect([await create({ id: 'adas' }, admin), await upsert({ id: 'anas', promoCode: 'NONE' }, admin)]).toEqual([
    { createRegistration: { id: 'adas', userId: admin.id } },
    { upsertRegistration: { id: 'anas', userId: ana.id, promoCode: 'NONE' } },
  ]);
});

test('nobody registers somebody else, or gives a registration away', async () => {
  expect([await create({ userId: ben.id }, ana), await upsert({ id: 'anas', userId: ben.id }, ana)]).toEqual([
    { errors: [notTheirs] },
    { errors: [notTheirs] },
  ]);
});

test('nobody changes, takes over or deletes what is somebody else’s', async () => {
  const change = (mutation: string) => app.graphql(`mutation { ${mutation} { id } }`, {}, as(ben));
  expect([
    await upsert({ id: 'anas', promoCode: 'MINE' }, ben),
    await upsert({ id: 'anas', userId: ben.id }, ben),
    await change('updateRegistration(id: "anas", input: { promoCode: "MINE" })'),
    await change('deleteRegistration(id: "anas")'),
    (
      await app.rest('POST', headers, as(ben), {
        payload: { tournament_attendee_header_uuid: 'anas', user_uuid: ben.id },
      })
    ).status,
    await app.sql.row(`select user_id, promo_code from registration where id = 'anas'`),
  ]).toEqual([
    { errors: [theirs] },
    { errors: [theirs] },
    { errors: [theirs] },
    { errors: [theirs] },
    403,
    { user_id: ana.id, promo_code: 'NONE' },
  ]);
});

test('a row whose user is cleared by its owner stays theirs', async () => {
  await create({ id: 'kept' }, ana);
  const change = (userId: string) =>
    app.graphql(`mutation { updateRegistration(id: "kept", input: { userId: ${userId} }) { userId } }`, {}, as(ana));
  const theirsStill = { updateRegistration: { userId: ana.id } };
  expect([await change('null'), await change('""')]).toEqual([theirsStill, theirsStill]);
});

test('what belongs to nobody is nobody’s to take', async () => {
  await app.sql.rows(`insert into registration (id) values ('stray')`);
  expect(await upsert({ id: 'stray' }, ben)).toEqual({ errors: [theirs] });
});

test('an unknown id is not found, also for who writes own rows only', async () => {
  const answer = await app.graphql('mutation { updateRegistration(id: "none", input: {}) { id } }', {}, as(ben));
  expect(answer).toEqual({ errors: ['NOT_FOUND: no registration with the id none'] });
});

test('admins and platforms write the registrations of all', async () => {
  expect([await upsert({ id: 'anas', promoCode: 'GIFT' }, admin), await create({ id: 'bens', userId: ben.id }, admin)]).toEqual([
    { upsertRegistration: { id: 'anas', userId: ana.id, promoCode: 'GIFT' } },
    { createRegistration: { id: 'bens', userId: ben.id } },
  ]);
});

test('upserts of one id by two users at the same moment leave it with one of them', async () => {
  const answers = await Promise.all([ana, ben, ana, ben].map((who) => upsert({ id: 'raced' }, who)));
  const { user_id: owner } = (await app.sql.row(`select user_id from registration where id = 'raced'`)) ?? {};
  expect(answers).toEqual(
    [ana, ben, ana, ben].map(({ id }) =>
      id === owner ? { upsertRegistration: { id: 'raced', userId: id, promoCode: null } } : { errors: [theirs] },
    ),
  );
});

test('nobody enters an event under the registration of somebody else', async () => {
  await create({ id: 'bens-own' }, ben);
  const enter = (call: string, who: Person) => app.graphql(`mutation { done: ${call} { registrationId } }`, {}, as(who));
  const refused = { errors: ['FORBIDDEN: input.registrationId: only a registration of the same player'] };
  expect([
    await enter('createEventRegistration(input: { id: "anas-entry", registrationId: "bens-own" })', ana),
    await enter('createEventRegistration(input: { id: "anas-entry", registrationId: "anas" })', ana),
    await enter('updateEventRegistration(id: "anas-entry", input: { registrationId: "bens-own" })', ana),
    await enter('updateEventRegistration(id: "anas-entry", input: { registrationId: "bens-own" })', admin),
  ]).toEqual([refused, { done: { registrationId: 'anas' } }, refused, { done: { registrationId: 'bens-own' } }]);
});

test('a filter that asks for the rows of somebody else is refused, one that asks for the own ones is not', async () => {
  const invoices = (filter: string) => app.graphql(`{ invoices(filter: ${filter}) { totalCount } }`, {}, as(ana));
  const refused = { errors: ['FORBIDDEN: only for: platform or the user whose invoices they are'] };
  expect([
    await invoices(`{ userId: { eq: "${ben.id}" } }`),
    await invoices(`{ and: [{ userId: { in: ["${ana.id}", "${ben.id}"] } }] }`),
    await invoices(`{ or: [{ userId: { eq: "${ben.id}" } }] }`),
    await invoices(`{ userId: { eq: "${ana.id}" } }`),
    await invoices(`{ or: [{ userId: { eq: "${ana.id}" } }] }`),
  ]).toEqual([refused, refused, refused, { invoices: { totalCount: 0 } }, { invoices: { totalCount: 0 } }]);
});

test('a refusal is null at its place and spoils nothing beside it', async () => {
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
