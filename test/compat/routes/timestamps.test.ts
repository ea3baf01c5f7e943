import { afterAll, beforeAll, expect, test } from 'vitest';
import { codecsOf } from '../../../compat/engine/index.js';
import { legacyRecords } from '../../../compat/index.js';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { fieldsOf } from '../../support/fixtures/legacy-values.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let person: Person;
beforeAll(async () => {
  app = await startApp();
  person = await app.person();
});
afterAll(() => app.close());

const codecs = codecsOf(graphOfModules(), legacyRecords, (problem) => expect.fail(problem));
const isTimestamp = (schema: unknown) => /"date-time"/.test(JSON.stringify(schema));
const timestampFields = legacyRecords.flatMap((record) => {
  const codec = codecs.get(record);
  const names = record.input ? Object.keys(fieldsOf(codec, 'request')) : [];
  return names
    .filter((name) => isTimestamp(fieldsOf(codec, 'request')[name]))
    .map((name) => ({
      field: `${record.name}.${name}`,
      decode: (sent: string) => codec.decode({ [name]: sent }, { patch: true }),
      name,
    }));
});

test('the records have more than 75 timestamp fields in requests', () => expect(timestampFields.length).toBeGreaterThan(75));

test.for(timestampFields)('$field accepts ISO 8601 and rejects dates and times that do not exist', ({ decode, name }) => {
  const expectSameInstant = (sent: string, rfc3339: string) =>
    expect({ sent, input: decode(sent) }).toEqual({ sent, input: decode(rfc3339) });
  expectSameInstant('1990-05-06', '1990-05-06T00:00:00Z');
  expectSameInstant('2026-01-02T03:04', '2026-01-02T03:04:00Z');
  expectSameInstant('2026-01-02T03:04:05', '2026-01-02T03:04:05Z');
  expectSameInstant('2026-01-02T03:04:05+0200', '2026-01-02T03:04:05+02:00');
  expectSameInstant('2026-01-02T03:04+02', '2026-01-02T03:04:00+02:00');
  for (const timestamp of ['2026-02-30', '2026-01-02T25:00', '2026-01-02T03:04+99'])
    expect(() => decode(timestamp)).toThrow(`${name}: expected an ISO 8601 timestamp`);
});

test('timestamps of a tournament are returned in UTC', async () => {
  const payload = {
    Title: 'Forms',
    TourneyFromDate: '2026-01-02',
    TourneyToDate: '2026-01-02T03:04:05',
    RegistrationDateOpen: '2026-01-02T03:04Z',
    RegistrationDateClosed: '2026-01-02T03:04:05+0200',
    lockDate: '2026-01-02T03:04:05.25+02',
  };
  const { body } = await app.rest('POST', '/v1/tournaments/tourney_flat_data', app.platform, { payload });
  expect(body.result).toMatchObject({
    TourneyFromDate: '2026-01-02T00:00:00Z',
    TourneyToDate: '2026-01-02T03:04:05Z',
    RegistrationDateOpen: '2026-01-02T03:04:00Z',
    RegistrationDateClosed: '2026-01-02T01:04:05Z',
    lockDate: '2026-01-02T01:04:05.25Z',
  });
});

test('a registration takes a date of birth without a time', async () => {
  const payload = {
    email: 'born@example.com',
    password: 'a long enough password',
    firstName: 'Ana',
    lastName: 'Lopez',
    dob: '1990-05-06',
  };
  const { status } = await app.rest('POST', '/v1/pub/register_users', app.platform, { payload });
  const user = { payload: { uuid: person.id, dob: '1990-05-06' } };
  const { body } = await app.rest('POST', '/v1/users/upsert', person, user);
  expect({ registered: status, dob: body.result.dob }).toEqual({ registered: 200, dob: '1990-05-06T00:00:00Z' });
});

test('the start of a sponsorship may be a date', async () => {
  const { body } = await app.rest('POST', '/v1/admin/sponsors', app.platform, { payload: { title: 'Acme' } });
  const add = (dateStartedSponsorship: string) =>
    app.rest('POST', `/v1/users/${person.id}/add_sponsor/${body.result.uuid}`, app.platform, { dateStartedSponsorship });
  const rejected = await add('2026-02-30');
  expect({ date: (await add('2026-02-28')).status, rejected: [rejected.status, rejected.body.Message] }).toEqual({
    date: 200,
    rejected: [400, 'dateStartedSponsorship: expected an ISO 8601 timestamp such as 2026-03-01T09:30:00Z, or Unix seconds'],
  });
});

test.each([
  ['date_start=2041-01-01T10:00', ['10:00', '11:00']],
  ['date_start=2041-01-01T10:30:00', ['11:00']],
  ['date_start=2041-01-01T12:30%2B0200', ['11:00']],
  ['date_start=2041-01-01T12:30+02', ['11:00']],
  ['date_start=2041-01-01T12:30:00+02:00', ['11:00']],
  ['date_start=2041-01-01&date_end=2041-01-01', ['10:00', '11:00']],
  ['date_end=2041-01-01T10:00Z', ['10:00']],
  ['date_start=2041-02-30', 'date_start: expected an ISO 8601 timestamp such as 2026-03-01T09:30:00Z, or Unix seconds'],
  ['date_end=2041-02-03T25:00', 'date_end: expected an ISO 8601 timestamp such as 2026-03-01T09:30:00Z, or Unix seconds'],
])('GET /v1/data/game_scheduler with %s', async (query, expected) => {
  for (const title of ['10:00', '11:00'])
    await app.sql.rows('insert into game (id, title, owner_id, starts_at) values ($1, $1, $2, $3) on conflict do nothing', [
      title,
      person.id,
      `2041-01-01T${title}:00Z`,
    ]);
  const { body } = await app.rest('GET', `/v1/data/game_scheduler?${query}`, app.platform);
  expect(body.Message ?? body.results.map(({ title }: { title: string }) => title).toSorted()).toEqual(expected);
});
