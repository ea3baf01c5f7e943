import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
let bo: Person;
let unreachable: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ email: 'ana@example.com', phone: '+15125550101' });
  bo = await app.person({ email: 'bo@example.com', phone: '+15125550102' });
  unreachable = await app.person({ email: 'cy@example.com' });
});
afterAll(() => app.close());
beforeEach(() => app.sql.rows('delete from jobs.job'));

/** Returns the payloads of the queued emails and text messages, ordered by recipient. */
const queuedMessages = async () =>
  (
    await app.sql.rows<{ data: Record<string, string> }>(
      "select data from jobs.job where name in ('mail', 'text') order by data->>'to'",
    )
  ).map(({ data }) => data);

test('a league shows its club, format, player group and contacts', async () => {
  const created = await app.graphql(
    `mutation ($ana: ID!) {
      upsertClub(input: { id: "club", title: "Austin Club", firstContactId: $ana }) { slug }
      createLeague(input: { id: "league", title: "Tuesday Ladder", clubId: "club", formatId: "1", playerGroupId: "1", location: { city: "Austin" }, memberFee: "12.50" }) { slug }
      upsertLeagueListing(input: { title: "Tuesday Ladder", firstContactId: $ana }) { slug league { id } }
    }`,
    { ana: ana.id },
  );
  const { leagueBySlug } = await app.graphql(`{ leagueBySlug(slug: "tuesday-ladder") {
    memberFee location { city zip } club { slug firstContact { id } leagues { nodes { id } } } format { id } playerGroup { id }
    listing { slug firstContact { email } secondContact { id } }
  } }`);
  expect({ created, leagueBySlug }).toEqual({
    created: {
      upsertClub: { slug: 'austin-club' },
      createLeague: { slug: 'tuesday-ladder' },
      upsertLeagueListing: { slug: 'tuesday-ladder', league: { id: 'league' } },
    },
    leagueBySlug: {
      memberFee: '12.5',
      location: { city: 'Austin', zip: null },
      club: { slug: 'austin-club', firstContact: { id: ana.id }, leagues: { nodes: [{ id: 'league' }] } },
      format: { id: '1' },
      playerGroup: { id: '1' },
      listing: { slug: 'tuesday-ladder', firstContact: { email: 'ana@example.com' }, secondContact: null },
    },
  });
});

test('a league has the listing with its ID rather than one with its title', async () => {
  await app.graphql(`mutation {
    createLeague(input: { id: "paired", title: "Paired" }) { id }
    upsertLeagueListing(input: { title: "Paired" }) { id }
    byId: upsertLeagueListing(input: { id: "paired", title: "Other" }) { id }
  }`);
  const { leagues } = await app.graphql('{ leagues(filter: { title: { eq: "Paired" } }) { nodes { listing { id title } } } }');
  expect(leagues.nodes).toEqual([{ listing: { id: 'paired', title: 'Other' } }]);
});

test('concurrent upserts of one title create one club', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      app.rest('POST', '/v1/clubs_flat_data_search/upsert', app.platform, {
        payload: { title: 'At once', contactFormOther: `${index}` },
      }),
    ),
  );
  const distinct = (values: unknown[]) => [...new Set(values)];
  expect({
    statuses: answers.map(({ status }) => status),
    distinctIds: distinct(answers.map(({ body }) => body.result?.uuid)).length,
    distinctSlugs: distinct(answers.map(({ body }) => body.result?.slug)),
  }).toEqual({ statuses: Array(8).fill(200), distinctIds: 1, distinctSlugs: ['at-once'] });
});

test('isRegistering finds leagues that are not disabled and whose registration is open', async () => {
  const input = { registrationOpensAt: '2020-01-01T00:00:00Z', registrationClosesAt: '2999-01-01T00:00:00Z' };
  const upsert = 'mutation ($input: LeagueInput!) { upsertLeague(input: $input) { id } }';
  await app.graphql(upsert, { input: { id: 'open', ...input } });
  await app.graphql(upsert, { input: { id: 'disabled', ...input, disabledAt: '2020-02-01T00:00:00Z' } });
  const { leagues } = await app.graphql('{ leagues(filter: { isRegistering: true }) { nodes { id } } }');
  expect(leagues.nodes).toEqual([{ id: 'open' }]);
});

const send = (path: string, body: object) => app.rest('POST', path, app.platform, body);
const players = () => [ana.id, bo.id, unreachable.id, ana.id];

test.each(['/v1/leagues/send-message', '/v1/leagues_flat_data_search/send-message'])(
  '%s queues one text message for each player with a phone',
  async (path) => {
    const { status, body } = await send(`${path}?user_uuids=${players().join()}`, {
      payload: { message_text: 'Court 3\nis closed.' },
    });
    expect({ status, body, messages: await queuedMessages() }).toEqual({
      status: 200,
      body: {},
      messages: [
        { kind: 'text', to: '+15125550101', body: 'Court 3\nis closed.' },
        { kind: 'text', to: '+15125550102', body: 'Court 3\nis closed.' },
      ],
    });
  },
);

test('a text message goes to the number in international format, or as stored if it is not a valid number', async () => {
  for (const payload of [
    { uuid: 'austin', phone: '(512) 555-0103' },
    { uuid: 'london', phone: '020 7946 0958', countryId: '826' },
    { uuid: 'nowhere', phone: '12' },
  ])
    await send('/v1/users/upsert', { payload });
  await send('/v1/leagues/send-message?user_uuids=austin,london,nowhere', { payload: { message_text: 'Hi' } });
  expect((await queuedMessages()).map(({ to }) => to).sort()).toEqual(['+15125550103', '+442079460958', '12']);
});

test('send-email queues one email for each player', async () => {
  const { status } = await send('/v1/leagues/send-email', {
    payload: { uuids: players(), title: 'Court 3', body: 'It is closed.' },
  });
  const mails = (await queuedMessages()).map(({ to, subject, text }) => ({ to, subject, text }));
  const mail = { subject: 'Court 3', text: 'It is closed.\n' };
  expect({ status, mails }).toEqual({
    status: 200,
    mails: ['ana', 'bo', 'cy'].map((name) => ({ to: `${name}@example.com`, ...mail })),
  });
});

test.each([
  ['?user_uuids=UNKNOWN', { message_text: 'Hi' }, 'user_uuids: expected ids of users; there is no user UNKNOWN'],
  ['?user_uuids=A,B,A', { message_text: 'Hi' }, 'user_uuids: expected ids of users; there is no user A, B'],
  ['', { message_text: 'Hi' }, 'user_uuids: expected a value'],
  ['?user_uuids=ANA', {}, 'payload.message_text: expected a value'],
  ['?user_uuids=ANA', { message_text: ' \n' }, 'payload.message_text: expected non-empty text'],
  ['?user_uuids=ANA', { message_text: 'x'.repeat(1601) }, 'payload.message_text: expected at most 1600 characters'],
  ['?user_uuids=ANA', { message_text: 'a\0b' }, 'payload.message_text: expected text without NUL characters'],
])('send-message%s rejects %o and queues nothing', async (query, payload, message) => {
  const { status, body } = await send(`/v1/leagues/send-message${query.replace('ANA', ana.id)}`, { payload });
  expect({ status, message: body.Message, messages: await queuedMessages() }).toEqual({ status: 400, message, messages: [] });
});

test.each([
  [{ title: 'x'.repeat(501) }, 'payload.title: expected at most 500 characters'],
  [{ body: 'x'.repeat(100_001) }, 'payload.body: expected at most 100000 characters'],
])('send-email rejects a text that is too long and queues nothing', async (longText, message) => {
  const payload = { uuids: [ana.id], title: 'Court 3', body: 'It is closed.', ...longText };
  const { status, body } = await send('/v1/leagues/send-email', { payload });
  expect({ status, message: body.Message, messages: await queuedMessages() }).toEqual({ status: 400, message, messages: [] });
});

test('sendLeagueMessage returns how many users received the message and how many were skipped', async () => {
  const { sendLeagueMessage } = await app.graphql(
    'mutation ($ids: [ID!]!) { sendLeagueMessage(userIds: $ids, text: "Hi") { recipients skipped } }',
    { ids: players() },
  );
  expect(sendLeagueMessage).toEqual({ recipients: 2, skipped: 1 });
});

test('an upsert of an existing league takes one statement and keeps its slug', async () => {
  const upsert = (title: string) =>
    app.graphql('mutation ($title: String!) { upsertLeague(input: { id: "again", title: $title }) { slug } }', { title });
  const created = await upsert('Thursday Ladder');
  expect(await statementsOf(app, () => upsert('Friday Ladder'))).toBe(1);
  expect(await upsert('Friday Ladder')).toEqual(created);
});
