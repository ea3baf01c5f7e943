import { afterAll, beforeAll, expect, test } from 'vitest';
import { metaOf, type RecordClass } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { type Person, startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
let ana: Person;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ firstName: 'Ana', lastName: 'Lopez' });
  admin = await app.person({ firstName: 'Ada', lastName: 'Min', roles: ['ADMIN'] });
});
afterAll(() => app.close());

const changeFields = '{ createdAt createdBy updatedAt updatedBy }';
const isNow = (instant: string) => Math.abs(Date.parse(instant) - Date.now()) < 60_000;

/** Whether the record has a create, an update and an upsert mutation. */
const isWritten = (cls: RecordClass) => {
  const { rootFields } = optionsOf(cls);
  return !rootFields || (['create', 'update', 'upsert'] as const).every((field) => rootFields.includes(field));
};
const records = modules
  .flatMap((module) => module.records)
  .filter((cls) => isWritten(cls) && metaOf(cls).fields.has('updatedBy') && !optionsOf(cls).key)
  .map((cls) => [cls.name, optionsOf(cls).one] as const);

test('more than 15 records have change fields', () => expect(records.length).toBeGreaterThan(15));

test.each(records)('the service sets the creator, the updater and their times for a %s', async (_, one) => {
  const name = `${one.charAt(0).toUpperCase()}${one.slice(1)}`;
  const created = (await app.graphql(`mutation { create${name}(input: { id: "kept" }) ${changeFields} }`))[`create${name}`];
  const updated = (await app.graphql(`mutation { update${name}(id: "kept", input: {}) ${changeFields} }`))[`update${name}`];
  expect({ created, updated }).toEqual({
    created: {
      createdAt: expect.toSatisfy(isNow),
      createdBy: 'Test Platform',
      updatedAt: expect.toSatisfy(isNow),
      updatedBy: 'Test Platform',
    },
    updated: {
      createdAt: created.createdAt,
      createdBy: 'Test Platform',
      updatedAt: expect.toSatisfy(isNow),
      updatedBy: 'Test Platform',
    },
  });
  expect(updated.updatedAt > created.updatedAt).toBe(true);
});

test('an upsert by another caller changes the updater but not the creator', async () => {
  const upsert = 'mutation { upsertTournament(input: { id: "shared" }) { createdBy updatedBy } }';
  const { upsertTournament: byPlatform } = await app.graphql(upsert);
  const { upsertTournament: byAdmin } = await app.graphql(upsert, {}, { user: admin.user });
  expect({ byPlatform, byAdmin }).toEqual({
    byPlatform: { createdBy: 'Test Platform', updatedBy: 'Test Platform' },
    byAdmin: { createdBy: 'Test Platform', updatedBy: 'Ada Min' },
  });
});

test('createdBy and createdAt are not input fields', async () => {
  const answer = await app.graphql(
    'mutation { createRegistration(input: { createdBy: "spoof", createdAt: "1999-01-01T00:00:00Z" }) { id } }',
  );
  expect(answer.errors).toHaveLength(2);
});

test('platforms and admins set reported fields, but players do not', async () => {
  const create = (tokens: object) =>
    app.graphql(
      'mutation { createRegistration(input: { reported: { createdBy: "Eve" } }) { reported { createdBy } } }',
      {},
      tokens,
    );
  expect({
    player: await create({ user: ana.user }),
    admin: await create({ user: admin.user }),
    platform: await create(app.platform),
  }).toEqual({
    player: { errors: ['FORBIDDEN: input.reported: only platforms and administrators can set it'] },
    admin: { createRegistration: { reported: { createdBy: 'Eve' } } },
    platform: { createRegistration: { reported: { createdBy: 'Eve' } } },
  });
});

test('/v1 stores the creation time and name that a platform reports, but the current time and the user’s name for a player', async () => {
  const send = async (tokens: object) => {
    const payload = { date_created: '2019-05-01T10:00:00Z', created_by_full_name: 'Eve', promo_code: 'X' };
    const { body } = await app.rest('POST', '/v1/tournament_attendee_event_headers/upsert', tokens, { payload });
    const { date_created, created_by_full_name, promo_code } = body.result;
    return { date_created, created_by_full_name, promo_code };
  };
  expect({ platform: await send(app.platform), player: await send({ user: ana.user }) }).toEqual({
    platform: { date_created: '2019-05-01T10:00:00Z', created_by_full_name: 'Eve', promo_code: 'X' },
    player: { date_created: expect.stringMatching(/^20[2-9][0-9]-/), created_by_full_name: 'Ana Lopez', promo_code: 'X' },
  });
});

test('a record that a player creates has the same creation and update time', async () => {
  const path = '/v1/tournament_attendee_event_headers/upsert';
  const { body } = await app.rest('POST', path, { user: ana.user }, { payload: { promo_code: 'Y' } });
  expect(body.result).toMatchObject({ promo_code: 'Y', date_updated: body.result.date_created });
});
