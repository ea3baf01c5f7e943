import ICAL from 'ical.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { instantAt } from '../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/servers/app.js';
import { austin, seedAustin, upsertRecord } from './seed.js';

let app: TestApp;
let ana: Person;
beforeAll(async () => {
  app = await startApp();
  await seedAustin(app);
  ana = await app.person({ firstName: 'Ana', lastName: 'Ortiz' });
});
afterAll(() => app.close());

async function get(address: string, { platform, user }: Tokens = {}) {
  const { pathname, search } = new URL(address, app.origin);
  const headers = { ...(platform ? { 'PB-API-TOKEN': platform } : {}), ...(user ? { 'PB-USER-TOKEN': user } : {}) };
  const response = await fetch(app.origin + pathname + search, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Returns the events of a calendar, parsed with an independent library. */
const entriesOf = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((component) => {
    const { summary, startDate, endDate, location, description, uid } = new ICAL.Event(component);
    const value = (name: string) => component.getFirstPropertyValue(name)?.toString() ?? null;
    return {
      uid,
      summary,
      starts: startDate.toString(),
      ends: component.hasProperty('dtend') ? endDate.toString() : null,
      location,
      description,
      status: value('status'),
      stamp: value('dtstamp'),
      url: value('url'),
    };
  });

const schedule = (input: object, { user }: Person) =>
  app.graphql('mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }', { input }, { user });
const createLink = async (tokens: Tokens) =>
  app.graphql('mutation { createCalendarLink(label: "Phone") { id url } }', {}, tokens);

test('a tournament of several days is an all-day event in its time zone, and its events have exact start times', async () => {
  const { text, headers } = await get('/tournaments/austin.ics', app.platform);
  const common = {
    location: 'Town Courts, 1 Main St, Austin, TX 78701, USA',
    description: null,
    status: 'CONFIRMED',
    stamp: expect.any(String),
    url: 'https://example.com/austin',
  };
  expect({
    contentType: headers.get('content-type'),
    disposition: headers.get('content-disposition'),
    entries: entriesOf(text),
  }).toEqual({
    contentType: 'text/calendar; charset=utf-8',
    disposition: 'attachment; filename="austin-open.ics"',
    entries: [
      { ...common, uid: 'austin@tournaments.courtside', summary: 'Austin Open', starts: '2027-03-05', ends: '2027-03-09' },
      { ...common, uid: 'mixed@events.courtside', summary: 'Austin Open: Mixed 4.0', starts: '2027-03-07T15:00:00Z', ends: null },
    ],
  });
});

test('a canceled tournament of one day has its start time, its end time and the status CANCELLED', async () => {
  await upsertRecord(app, 'Tournament', {
    ...austin,
    id: 'day',
    endsAt: '2027-03-06T23:00:00Z',
    startsAt: '2027-03-06T15:00:00Z',
    isCanceled: true,
  });
  const [day] = entriesOf((await get('/tournaments/day.ics', app.platform)).text);
  expect({ starts: day?.starts, ends: day?.ends, status: day?.status }).toEqual({
    starts: '2027-03-06T15:00:00Z',
    ends: '2027-03-06T23:00:00Z',
    status: 'CANCELLED',
  });
});

test('a tournament without dates is an empty calendar', async () => {
  await upsertRecord(app, 'Tournament', { id: 'undated', title: 'Some day' });
  expect(entriesOf((await get('/tournaments/undated.ics', app.platform)).text)).toEqual([]);
});

test('texts are escaped, and lines are folded at 75 bytes between characters', async () => {
  const title = `${'Größe, 東京; \\ back "quoted" '.repeat(8)}🎾\nEND:VEVENT\r\nX`;
  await upsertRecord(app, 'Tournament', { id: 'odd', title, startsAt: '2027-05-01T10:00:00Z' });
  const { text } = await get('/tournaments/odd.ics', app.platform);
  const lines = text.split('\r\n');
  expect({
    summaries: entriesOf(text).map(({ summary }) => summary),
    longLines: lines.filter((line) => Buffer.byteLength(line) > 75),
    lastLine: lines.at(-1),
    hasBareLineFeed: text.replaceAll('\r\n', '').includes('\n'),
  }).toEqual({ summaries: [title.replace('\r\n', '\n')], longLines: [], lastLine: '', hasBareLineFeed: false });
});

test.each([
  ['https://example.com/a', 'https://example.com/a'],
  ['javascript:alert(1)', null],
  ['file:///etc/passwd', null],
  ['no address', null],
])('the details URL %s becomes the event URL %s', async (detailsUrl, url) => {
  await upsertRecord(app, 'Tournament', { id: 'page', title: 'Page', startsAt: '2027-05-01T10:00:00Z', detailsUrl });
  expect(entriesOf((await get('/tournaments/page.ics', app.platform)).text)[0]?.url).toBe(url);
});

test('the query parameter key accepts a publishable key, but not a platform token', async () => {
  const { key } = await newKey(app);
  const statusOf = async (address: string, tokens?: Tokens) => (await get(address, tokens)).status;
  expect({
    publishableKey: await statusOf(`/tournaments/austin.ics?key=${key}`),
    noKey: await statusOf('/tournaments/austin.ics'),
    unknownKey: await statusOf('/tournaments/austin.ics?key=pk_unknown'),
    platformToken: await statusOf(`/tournaments/austin.ics?key=${app.platform.platform}`),
    twoKeys: await statusOf(`/tournaments/austin.ics?key=${key}&key=${key}`),
    unknownTournament: await statusOf('/tournaments/nowhere.ics', app.platform),
  }).toEqual({
    publishableKey: 200,
    noKey: 401,
    unknownKey: 401,
    platformToken: 400,
    twoKeys: 400,
    unknownTournament: 404,
  });
});

test('a calendar link lists the games that its user owns, plays in or waits for, with their status', async () => {
  const bo = await app.person();
  const inviteOnlyGame = {
    title: 'Mine',
    startsAt: instantAt(24),
    endsAt: instantAt(26),
    timeZone: 'America/Chicago',
    isInviteOnly: true,
    description: 'Bring balls, water',
  };
  await schedule(inviteOnlyGame, ana);
  await schedule({ title: 'Full', startsAt: instantAt(48), maxPlayers: 1, hasWaitingList: true, playerIds: [bo.id] }, bo);
  await schedule({ title: 'Elsewhere', startsAt: instantAt(48) }, bo);
  await app.graphql(
    'mutation ($id: ID!) { optIn(gameId: $id) { id } }',
    { id: (await app.sql.row<{ id: string }>("select id from game where title = 'Full'"))?.id },
    { user: ana.user },
  );
  await app.sql.rows("insert into game (id, title, owner_id, starts_at) values ('old', 'Old', $1, now() - interval '400 days')", [
    ana.id,
  ]);
  await app.sql.rows("insert into game (id, title, owner_id, day) values ('allday', 'All day', $1, '2031-06-01')", [ana.id]);
  const { createCalendarLink } = await createLink({ user: ana.user });
  const { status, headers, text } = await get(createCalendarLink.url);
  const entries = entriesOf(text)
    .map(({ uid, location, stamp, url, ...entry }) => entry)
    .toSorted((one, other) => one.summary.localeCompare(other.summary));
  const withoutMilliseconds = (instant: string) => `${instant.slice(0, 19)}Z`;
  expect({ status, cacheControl: headers.get('cache-control'), etag: headers.get('etag'), entries }).toEqual({
    status: 200,
    cacheControl: 'no-store',
    etag: null,
    entries: [
      { summary: 'All day', starts: '2031-06-01', ends: '2031-06-02', status: 'CONFIRMED', description: null },
      { summary: 'Full', starts: withoutMilliseconds(instantAt(48)), ends: null, status: 'TENTATIVE', description: null },
      {
        summary: 'Mine',
        starts: withoutMilliseconds(instantAt(24)),
        ends: withoutMilliseconds(instantAt(26)),
        status: 'CONFIRMED',
        description: 'Bring balls, water',
      },
    ],
  });
});

test('the token of a calendar link grants access only to the games of its user', async () => {
  const bo = await app.person({ isSuperAdmin: true });
  const { createCalendarLink } = await createLink({ user: bo.user });
  const { pathname, searchParams } = new URL(createCalendarLink.url);
  const token = searchParams.get('token') ?? '';
  const statusOf = async (address: string, tokens?: Tokens) => (await get(address, tokens)).status;
  expect({
    ownGames: await statusOf(createCalendarLink.url),
    gamesOfOtherUser: await statusOf(`/users/${ana.id}/games.ics?token=${token}`),
    wrongToken: await statusOf(`${pathname}?token=${token}x`),
    emptyToken: await statusOf(`${pathname}?token=`),
    asUserToken: await statusOf('/exports/users.csv', { user: token }),
    tournament: await statusOf(`/tournaments/austin.ics?token=${token}`),
  }).toEqual({
    ownGames: 200,
    gamesOfOtherUser: 401,
    wrongToken: 401,
    emptyToken: 401,
    asUserToken: 401,
    tournament: 401,
  });
  const rows = await app.sql.rows<{ hash: string }>('select token_hash as hash from calendar_link');
  expect(rows.map(({ hash }) => hash)).not.toContain(token);
});

test('only the user of a calendar link can revoke it, and its token is rejected afterwards', async () => {
  const bo = await app.person({ isSuperAdmin: true });
  const { createCalendarLink } = await createLink({ user: bo.user });
  const revoke = 'mutation ($id: ID!) { revokeCalendarLink(id: $id) { id label revokedAt } }';
  const byOtherUser = await app.graphql(revoke, { id: createCalendarLink.id }, { user: ana.user });
  const byUser = await app.graphql(revoke, { id: createCalendarLink.id }, { user: bo.user });
  expect({
    errorForOtherUser: byOtherUser.errors?.[0]?.slice(0, 9),
    revokeCalendarLink: byUser.revokeCalendarLink,
    statusAfterRevocation: (await get(createCalendarLink.url)).status,
  }).toEqual({
    errorForOtherUser: 'NOT_FOUND',
    revokeCalendarLink: { id: createCalendarLink.id, label: 'Phone', revokedAt: expect.any(String) },
    statusAfterRevocation: 401,
  });
});

test('the games of another user are those that GraphQL shows to the caller', async () => {
  const bo = await app.person();
  const summariesOrStatus = async (address: string, tokens?: Tokens) => {
    const { status, text } = await get(address, tokens);
    return status === 200
      ? entriesOf(text)
          .map(({ summary }) => summary)
          .sort()
      : status;
  };
  const address = `/users/${ana.id}/games.ics`;
  expect({
    sameUser: await summariesOrStatus(address, ana),
    otherUser: await summariesOrStatus(address, bo),
    anonymous: await summariesOrStatus(address),
    unknownUser: await summariesOrStatus('/users/nobody/games.ics', app.platform),
  }).toEqual({ sameUser: ['All day', 'Full', 'Mine'], otherUser: ['All day'], anonymous: 401, unknownUser: 404 });
});

test('calendarLinks lists only the links of the caller', async () => {
  const bo = await app.person();
  await createLink({ user: bo.user });
  const { calendarLinks } = await app.graphql('{ calendarLinks { nodes { label user { id } } } }', {}, { user: bo.user });
  expect(calendarLinks.nodes).toEqual([{ label: 'Phone', user: { id: bo.id } }]);
});

test('a user has at most 20 active calendar links, even when they are created concurrently', async () => {
  const { user } = await app.person();
  const answers = await Promise.all(Array.from({ length: 22 }, () => createLink({ user })));
  expect({
    created: answers.filter(({ createCalendarLink }) => createCalendarLink).length,
    conflicts: answers.filter(({ errors }) => errors?.[0]?.startsWith('CONFLICT')).length,
  }).toEqual({ created: 20, conflicts: 2 });
});
