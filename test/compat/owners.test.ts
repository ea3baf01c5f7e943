import { afterAll, beforeAll, expect, test } from 'vitest';
import { codecsOf } from '../../compat/engine/index.js';
import { legacyRecords } from '../../compat/index.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { metaOf } from '../../src/kernel/declare/meta.js';
import { User } from '../../src/modules/accounts/users/user.js';
import { modules } from '../../src/modules/index.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const classes = new Map(modules.flatMap(({ records }) => records).map((cls) => [cls.name, metaOf(cls)]));
const codecs = codecsOf(graphOfModules(), legacyRecords, (problem) => expect.fail(problem));

/** Request fields that contain the ID of a user, as `Record.field`. An asterisk marks the owner of the record. */
const userFields = legacyRecords.flatMap((record) => {
  const fields = classes.get((record.input ?? '').replace(/Input$|Submission$/, ''))?.fields;
  return [...codecs.get(record).names].flatMap(([path, name]) => {
    const field = fields?.get(path);
    const isUser = field?.ref?.target() === User && field.kind !== 'list';
    return isUser ? [`${record.name}.${name}${record.owner === name ? '*' : ''}`] : [];
  });
});

test('the table of a record declares which of its user fields is the owner', () =>
  expect(userFields.toSorted()).toEqual([
    'AttendeeEventHeader.user_uuid*',
    'AttendeeEventRecord.partner_user_uuid',
    'AttendeeEventRecord.user_uuid*',
    'ClubSent.contactPerson1UserUuid',
    'ClubSent.contactPerson2UserUuid',
    'GameScheduler.ownerUuid*',
    'InvoiceHeader.userId*',
    'LeagueListing.contactPerson1UserUuid',
    'LeagueListing.contactPerson2UserUuid',
    'News.newsAuthorUuid',
    'PregameRecord.first_serve_team_one_player_uuid',
    'PregameRecord.first_serve_team_two_player_uuid',
    'ProviderOneRequest.userId*',
    'RankingPointsFlat.playerUuid*',
    'Sponsor.userUuid*',
    'TeamRecord.player_one_uuid',
    'TeamRecord.player_two_uuid',
    'TeamUpsert.player_one_uuid',
    'TeamUpsert.player_two_uuid',
    'TournamentRefereeSent.user_uuid',
  ]));

const owned: [method: string, path: string, id: string, owner: string, value: string][] = [
  ['PUT', '/v1/admin/sponsors', 'uuid', 'userUuid', 'ana'],
  ['POST', '/v1/users/upsert', 'uuid', 'email', 'ana@example.com'],
  ['POST', '/v1/tournament_attendee_event_headers/upsert', 'tournament_attendee_header_uuid', 'user_uuid', 'ana'],
  ['POST', '/v1/tournament_attendee_event_records/upsert', 'tournament_attendee_event_uuid', 'user_uuid', 'ana'],
  ['POST', '/v1/pb_invoice_headers/upsert', 'invoiceHeaderId', 'userId', 'ana'],
  ['POST', '/v1/pb_providerone_requests/upsert', 'requestId', 'userId', 'ana'],
];

test.for(owned)('%s %s without the owner, or with an empty one, keeps the owner', async ([method, path, id, owner, value]) => {
  const key = `${method}-${owner}-${path.split('/').at(-2)}`;
  const ownerAfter = async (payload: object, verb = 'POST') => {
    const url = verb === 'PUT' ? `${path}/${key}` : path;
    const { status, body } = await app.rest(verb, url, app.platform, { payload: { [id]: key, ...payload } });
    return status === 200 ? body.result[owner] : body.Message;
  };
  expect({
    created: await ownerAfter({ [owner]: value }),
    absent: await ownerAfter({}, method),
    null: await ownerAfter({ [owner]: null }, method),
    empty: await ownerAfter({ [owner]: '' }, method),
  }).toEqual({ created: value, absent: value, null: value, empty: value });
});
