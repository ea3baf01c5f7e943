import { afterAll, beforeAll, expect, test } from 'vitest';
import { codecsOf } from '../../compat/engine/index.js';
import { legacyRecords } from '../../compat/index.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { metaOf } from '../../src/kernel/declare/meta.js';
import { User } from '../../src/modules/accounts/user.js';
import { modules } from '../../src/modules/index.js';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const classes = new Map(modules.flatMap(({ records }) => records).map((cls) => [cls.name, metaOf(cls)]));
const codecs = codecsOf(graphOfModules(), legacyRecords, (problem) => expect.fail(problem));

/** Every field of requests that holds the id of a user, by its record; a star marks the one that says whose the record is. */
const usersNamed = legacyRecords.flatMap((record) => {
  const fields = classes.get((record.input ?? '').replace(/Input$|Submission$/, ''))?.fields;
  return [...codecs.of(record).names].flatMap(([path, name]) => {
    const field = fields?.get(path);
    const isUser = field?.ref?.target() === User && field.kind !== 'list';
    return isUser ? [`${record.name}.${name}${record.owner === name ? '*' : ''}`] : [];
  });
});

test('what says whose a record is is declared in its table', () =>
  expect(usersNamed.toSorted()).toEqual([
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
  const send = async (payload: object, how = 'POST') => {
    const at = how === 'PUT' ? `${path}/${key}` : path;
    const { status, body } = await app.rest(how, at, app.platform, { payload: { [id]: key, ...payload } });
    return status === 200 ? body.result[owner] : body.Message;
  };
  expect([
    await send({ [owner]: value }),
    await send({}, method),
    await send({ [owner]: null }, method),
    await send({ [owner]: '' }, method),
  ]).toEqual([value, value, value, value]);
});
