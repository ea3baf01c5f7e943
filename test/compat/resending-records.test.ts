import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordIn } from '../../compat/reference/request-body.js';
import { type Person, startApp, type TestApp } from '../support/servers/app.js';
import { type Case, cases, codecs, entries, idIn, type LegacyData, recordsIn, sender } from './resendable-records.js';
import { filledRecord } from './round-trip.js';

let app: TestApp;
let editor: Person;
let requests: ReturnType<typeof sender>;
beforeAll(async () => {
  app = await startApp();
  editor = await app.person({ roles: ['NEWS_CREATOR'] });
  requests = sender(app, editor);
});
afterAll(() => app.close());

let created = 0;

/** Creates a record. All IDs in its values are unique. */
async function create({ record, create: operation }: Case, values: LegacyData): Promise<LegacyData> {
  created += 1;
  const [id = ''] = record.fields;
  const ids = new RegExp(`"(${id}|uuid)":"`, 'g');
  const uniqueValues = JSON.parse(JSON.stringify(values).replaceAll(ids, `$&${created}-`).replaceAll('{n}', String(created)));
  const { body } = await requests.send(operation, {}, uniqueValues);
  expect(body.Message).toBeUndefined();
  return recordsIn(body)[0] ?? {};
}

const filled = ({ record, values }: Case): LegacyData => ({ ...filledRecord(codecs.get(record), codecs), ...values });

/** Returns values for only the required fields. */
const minimal = (each: Case): LegacyData => {
  const [id = ''] = each.record.fields;
  const required = ['event_uuid', 'team_uuid', 'tournament_uuid', 'user_uuid', 'playerUuid', 'eventUuid', 'email'];
  return Object.fromEntries(Object.entries(filled(each)).filter(([name]) => name === id || required.includes(name)));
};

/** Reads a record, sends the response back as a request, and reads the record again. */
async function sendBack(each: Case, read: string, write: string, values: LegacyData) {
  const record = await create(each, values);
  const id = idIn(record);
  const before = await requests.storedRows(each);
  const names = { id, slug: before.get(id)?.slug };
  const readOne = async () => {
    if (read === 'created') return record;
    const records = recordsIn((await requests.send(`GET ${read}`, names)).body);
    return records.find((candidate) => idIn(candidate) === id) ?? expect.fail(`no record ${id}`);
  };
  const first = await readOne();
  const { status, body } = await requests.send(write, names, first);
  const after = await requests.storedRows(each);
  return {
    first,
    stored: before.get(id),
    again: { status, message: body?.Message, record: await readOne(), stored: after.get(id), newRows: after.size - before.size },
  };
}

const matrix = cases.flatMap((each) =>
  each.reads.flatMap((read) =>
    each.writes.map((write) => ({ each, read, write, title: `${write} of ${each.record.name} from ${read}` })),
  ),
);
const success = expect.toBeOneOf([200, 304]);

describe('a record with every field set is unchanged after it is sent back', () => {
  test.for(matrix)('$title', async ({ each, read, write }) => {
    const { first, stored, again } = await sendBack(each, read, write, filled(each));
    expect(again).toEqual({ status: success, record: first, stored, newRows: 0 });
  });
});

describe('a record without values is read unchanged after it is sent back', () => {
  test.for(matrix)('$title', async ({ each, read, write }) => {
    const { first, again } = await sendBack(each, read, write, minimal(each));
    expect(again).toMatchObject({ status: success, record: first, newRows: 0 });
  });
});

test('this file covers all operations that store a record', () => {
  // These operations send messages, create accounts or tokens, or add content that cannot be changed. Games are tested below.
  const excludedOperations = [
    'POST /v1/pub/contactus',
    'POST /v1/pub/register_users',
    'POST /sso_platform/token',
    'POST /v1/users/{uuid}/image',
    'POST /v1/users/{uuid}/biography',
    'POST /v1/game_scheduler',
  ];
  const shape = (operation: string) => operation.replaceAll(/\{\w+\}/g, '{}');
  const storing = entries
    .filter(({ alternatives }) => alternatives.some(({ args = {} }) => recordIn(args)))
    .map(({ method, path }) => shape(`${method} ${path}`));
  const tested = [...cases.flatMap(({ create: operation, writes }) => [operation, ...writes]), ...excludedOperations].map(shape);
  expect(storing.filter((operation) => !tested.includes(operation))).toEqual([]);
});

test('a listed game can be sent again as a new game', async () => {
  const owner = await app.person();
  const payload = {
    title: 'Weekly',
    startTime: '2041-01-01T10:00:00Z',
    endTime: '2041-01-01T11:00:00Z',
    repeats: 2,
    skillFrom: 3.5,
    genderF: true,
    optedInPlayerUuids: ['p1', 'p2'],
    timezoneName: 'Europe/Vienna',
  };
  const { body } = await app.rest('POST', '/v1/game_scheduler', owner, { payload });
  const list = async () => (await app.rest('GET', '/v1/data/game_scheduler', owner)).body.results as LegacyData[];
  const [first = {}] = await list();
  const repeated = await app.rest('POST', '/v1/game_scheduler', owner, { payload: first });
  const copy = (await list()).find(({ uuid }) => uuid === repeated.body.result?.uuid);
  expect({ id: first.uuid, repeats: first.repeats, message: repeated.body.Message, copy }).toEqual({
    id: body.result.uuid,
    repeats: 'WEEKLY_REPEAT_TYPE',
    message: undefined,
    copy: { ...first, uuid: expect.not.stringMatching(String(first.uuid)), dateCreated: expect.any(String) },
  });
});

test('a listed favorite can be sent back', async () => {
  const fan = await app.person();
  const path = `/v1/users/${fan.id}/favorites`;
  await app.rest('POST', path, fan, { module_for: 'Clubs', module_uuid: 'c1' });
  const list = async () => (await app.rest('GET', path, fan)).body.results;
  const [favorite] = await list();
  const { status } = await app.rest('POST', path, fan, favorite);
  expect({ status, favorites: await list() }).toEqual({ status: 200, favorites: [favorite] });
});

test('a comment can be sent back as it was read', async () => {
  const path = '/v1/admin/system-approvals/item/comments';
  const { body } = await app.rest('POST', path, app.platform, { payload: { content: 'Text' } });
  const commentPath = `${path}/${body.result.uuid}`;
  const read = async () => (await app.rest('GET', commentPath, app.platform)).body;
  const first = await read();
  const { status } = await app.rest('PUT', commentPath, app.platform, { payload: first });
  expect({ status, comment: await read() }).toEqual({
    status: 200,
    comment: { ...first, last_modified_date: expect.any(String) },
  });
});

test('sanctions, which responses omit, are reset only by requests in the format of POST', async () => {
  const path = '/v1/tournaments/tourney_flat_data';
  const sanctionAfter = async (payload: LegacyData) => {
    await app.rest('POST', path, app.platform, { payload: { TournamentID: 'sanctioned', SanctionPPA: true } });
    const { body } = await app.rest('POST', path, app.platform, { payload: { TournamentID: 'sanctioned', ...payload } });
    return body.result.SanctionPPA;
  };
  expect({
    read: await sanctionAfter({ Title: 'Open', PBTournamentCode: 'ABC' }),
    sent: await sanctionAfter({ Title: 'Open' }),
    both: await sanctionAfter({ PBTournamentCode: 'ABC', SanctionPPA: false }),
  }).toEqual({ read: true, sent: false, both: false });
});
