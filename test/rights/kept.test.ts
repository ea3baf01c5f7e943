import { afterAll, beforeAll, expect, test } from 'vitest';
import { metaOf } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { type Person, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
let ana: Person;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ firstName: 'Ana', lastName: 'Lopez' });
  admin = await app.person({ firstName: 'Ada', lastName: 'Min', roles: ['ADMIN'] });
});
afterAll(() => app.close());

const kept = '{ createdAt createdBy updatedAt updatedBy }';
const isNow = (instant: string) => Math.abs(Date.parse(instant) - Date.now()) < 60_000;

/** Records with all four rootFields, which differ in nothing but their names. */
const records = modules
  .flatMap((module) => module.records)
  .filter((cls) => !optionsOf(cls).rootFields && metaOf(cls).fields.has('updatedBy') && !optionsOf(cls).key)
  .map((cls) => [cls.name, optionsOf(cls).one] as const);

test('there are records to look at', () => expect(records.length).toBeGreaterThan(15));

test.each(records)('who created and changed a %s, and when, is kept by the service', async (_, one) => {
  const name = `${one.charAt(0).toUpperCase()}${one.slice(1)}`;
  const created = (await app.graphql(`mutation { create${name}(input: { id: "kept" }) ${kept} }`))[`create${name}`];
  const changed = (await app.graphql(`mutation { update${name}(id: "kept", input: {}) ${kept} }`))[`update${name}`];
  expect([created, changed]).toEqual([
    {
      createdAt: expect.toSatisfy(isNow),
      createdBy: 'Test Platform',
      updatedAt: expect.toSatisfy(isNow),
      updatedBy: 'Test Platform',
    },
    { createdAt: created.createdAt, createdBy: 'Test Platform', updatedAt: expect.toSatisfy(isNow), updatedBy: 'Test Platform' },
  ]);
  expect(changed.updatedAt > created.updatedAt).toBe(true);
});

test('a change by somebody else leaves who created it', async () => {
  const upsert = 'mutation { upsertTournament(input: { id: "shared" }) { createdBy updatedBy } }';
  const first = await app.graphql(upsert);
  const second = await app.graphql(upsert, {}, { user: admin.user });
  expect([first, second]).toEqual([
    { upsertTournament: { createdBy: 'Test Platform', updatedBy: 'Test Platform' } },
    { upsertTournament: { createdBy: 'Test Platform', updatedBy: 'Ada Min' } },
  ]);
});

test('nobody sets what the service keeps', async () => {
  const answer = await app.graphql(
    'mutation { createRegistration(input: { createdBy: "spoof", createdAt: "1999-01-01T00:00:00Z" }) { id } }',
  );
  expect(answer.errors).toHaveLength(2);
});

test('players do not tell what happened before a record came; platforms and admins do', async () => {
  const create = (who: object) =>
    app.graphql('mutation { createRegistration(input: { reported: { createdBy: "Eve" } }) { reported { createdBy } } }', {}, who);
  expect([await create({ user: ana.user }), await create({ user: admin.user }), await create(app.platform)]).toEqual([
    { errors: ['FORBIDDEN: input.reported: only for platforms and admins'] },
    { createRegistration: { reported: { createdBy: 'Eve' } } },
    { createRegistration: { reported: { createdBy: 'Eve' } } },
  ]);
});

test('/v1 shows the dates that a platform sent, and takes none from a player', async () => {
  const send = async (tokens: object) => {
    const payload = { date_created: '2019-05-01T10:00:00Z', created_by_full_name: 'Eve', promo_code: 'X' };
    const { body } = await app.rest('POST', '/v1/tournament_attendee_event_headers/upsert', tokens, { payload });
    const { date_created, created_by_full_name, promo_code } = body.result;
    return { date_created, created_by_full_name, promo_code };
  };
  expect([await send(app.platform), await send({ user: ana.user })]).toEqual([
    { date_created: '2019-05-01T10:00:00Z', created_by_full_name: 'Eve', promo_code: 'X' },
    { date_created: null, created_by_full_name: '', promo_code: 'X' },
  ]);
});
