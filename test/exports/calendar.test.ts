import ICAL from 'ical.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { newKey } from '../support/keys.js';
import { at } from '../support/tournaments.js';
import { austin, save, seedAustin } from './seed.js';

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

/** The entries of a calendar as another program reads them. */
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
const link = async (tokens: Tokens) => app.graphql('mutation { createCalendarLink(label: "Phone") { id url } }', {}, tokens);

test('a tournament of several days fills those days where it is played, and its events begin to the minute', async () => {
  const { text, headers } = await get('/tournaments/austin.ics', app.platform);
  const same = {
    location: 'Town Courts, 1 Main St, Austin, TX 78701, USA',
    description: null,
    status: 'CONFIRMED',
    stamp: expect.any(String),
    url: 'https://example.com/austin',
  };
  expect([headers.get('content-type'), headers.get('content-disposition'), entriesOf(text)]).toEqual([
    'text/calendar; charset=utf-8',
    'attachment; filename="austin-open.ics"',
    [
      { ...same, uid: 'austin@tournaments.courtside', summary: 'Austin Open', starts: '2027-03-05', ends: '2027-03-09' },
      { ...same, uid: 'mixed@events.courtside', summary: 'Austin Open: Mixed 4.0', starts: '2027-03-07T15:00:00Z', ends: null },
    ],
  ]);
});

test('one of a single day has its times, one that was called off says so, and one without dates is an empty calendar', async () => {
  await save(app, 'Tournament', {
    ...austin,
    id: 'day',
    endsAt: '2027-03-06T23:00:00Z',
    startsAt: '2027-03-06T15:00:00Z',
    isCanceled: true,
  });
  await save(app, 'Tournament', { id: 'undated', title: 'Some day' });
  const [day] = entriesOf((await get('/tournaments/day.ics', app.platform)).text);
  const undated = entriesOf((await get('/tournaments/undated.ics', app.platform)).text);
  expect([day?.starts, day?.ends, day?.status, undated]).toEqual([
    '2027-03-06T15:00:00Z',
    '2027-03-06T23:00:00Z',
    'CANCELLED',
    [],
  ]);
});

test('lines are folded within 75 bytes between letters, texts are escaped, and all comes back as it was', async () => {
  const title = `${'Größe, 東京; \\ back "quoted" '.repeat(8)}🎾\nEND:VEVENT\r\nX`;
  await save(app, 'Tournament', { id: 'odd', title, startsAt: '2027-05-01T10:00:00Z' });
  const { text } = await get('/tournaments/odd.ics', app.platform);
  const lines = text.split('\r\n');
  const [entry, ...more] = entriesOf(text);
  expect([
    entry?.summary,
    more,
    lines.every((line) => Buffer.byteLength(line) <= 75),
    lines.at(-1),
    text.replaceAll('\r\n', '').includes('\n'),
  ]).toEqual([title.replace('\r\n', '\n'), [], true, '', false]);
});

test('the address of a page is there, and nothing that an app would run or open on its own disk', async () => {
  const urls = ['https://example.com/a', 'javascript:alert(1)', 'file:///etc/passwd', 'no address'];
  const found = [];
  for (const detailsUrl of urls) {
    await save(app, 'Tournament', { id: 'page', title: 'Page', startsAt: '2027-05-01T10:00:00Z', detailsUrl });
    found.push(entriesOf((await get('/tournaments/page.ics', app.platform)).text)[0]?.url);
  }
  expect(found).toEqual(['https://example.com/a', null, null, null]);
});

test('calendar apps read a tournament by the publishable key in the address, never by a platform token', async () => {
  const { key } = await newKey(app);
  const statuses = await Promise.all([
    get(`/tournaments/austin.ics?key=${key}`),
    get('/tournaments/austin.ics'),
    get('/tournaments/austin.ics?key=pk_unknown'),
    get(`/tournaments/austin.ics?key=${app.platform.platform}`),
    get(`/tournaments/austin.ics?key=${key}&key=${key}`),
    get('/tournaments/nowhere.ics', app.platform),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([200, 401, 401, 400, 400, 404]);
});

test("a user's link opens the games in which they play or wait and their own, by invitation too, and says how each stands", async () => {
  const bo = await app.person();
  const mine = {
    title: 'Mine',
    startsAt: at(24),
    endsAt: at(26),
    timeZoneRaw: 'America/Chicago',
    isInviteOnly: true,
    description: 'Bring balls, water',
  };
  await schedule(mine, ana);
  await schedule({ title: 'Full', startsAt: at(48), maxPlayers: 1, hasWaitingList: true, playerIds: [bo.id] }, bo);
  await schedule({ title: 'Elsewhere', startsAt: at(48) }, bo);
  await app.graphql(
    'mutation ($id: ID!) { optIn(gameId: $id) { id } }',
    { id: (await app.sql.row<{ id: string }>("select id from game where title = 'Full'"))?.id },
    { user: ana.user },
  );
  await app.sql.rows("insert into game (id, title, owner_id, starts_at) values ('old', 'Old', $1, now() - interval '400 days')", [
    ana.id,
  ]);
  await app.sql.rows("insert into game (id, title, owner_id, day) values ('allday', 'All day', $1, '2031-06-01')", [ana.id]);
  const { createCalendarLink } = await link({ user: ana.user });
  const { status, headers, text } = await get(createCalendarLink.url);
  const found = entriesOf(text).map(({ summary, starts, ends, status: stands, description }) => [
    summary,
    starts,
    ends,
    stands,
    description,
  ]);
  const short = (instant: string) => `${instant.slice(0, 19)}Z`;
  expect([status, headers.get('cache-control'), headers.get('etag'), found.sort()]).toEqual([
    200,
    'no-store',
    null,
    [
      ['All day', '2031-06-01', '2031-06-02', 'CONFIRMED', null],
      ['Full', short(at(48)), null, 'TENTATIVE', null],
      ['Mine', short(at(24)), short(at(26)), 'CONFIRMED', 'Bring balls, water'],
    ],
  ]);
});

test('a link opens nothing else, nothing of others, and nothing once it is revoked', async () => {
  const bo = await app.person({ isSuperAdmin: true });
  const { createCalendarLink } = await link({ user: bo.user });
  const { pathname, searchParams } = new URL(createCalendarLink.url);
  const token = searchParams.get('token') ?? '';
  const others = await Promise.all([
    get(createCalendarLink.url),
    get(`/users/${ana.id}/games.ics?token=${token}`),
    get(`${pathname}?token=${token}x`),
    get(`${pathname}?token=`),
    get('/exports/users.csv', { user: token }),
    get(`/tournaments/austin.ics?token=${token}`),
  ]);
  const revoke = 'mutation ($id: ID!) { revokeCalendarLink(id: $id) { id label revokedAt } }';
  const byOther = await app.graphql(revoke, { id: createCalendarLink.id }, { user: ana.user });
  const { revokeCalendarLink } = await app.graphql(revoke, { id: createCalendarLink.id }, { user: bo.user });
  const after = await get(createCalendarLink.url);
  const rows = await app.sql.rows<{ hash: string }>('select token_hash as hash from calendar_link');
  expect([
    others.map(({ status }) => status),
    byOther.errors?.[0]?.slice(0, 9),
    revokeCalendarLink,
    after.status,
    rows.some(({ hash }) => hash === token),
  ]).toEqual([
    [200, 401, 401, 401, 401, 401],
    'NOT_FOUND',
    { id: createCalendarLink.id, label: 'Phone', revokedAt: expect.any(String) },
    401,
    false,
  ]);
});

test('with headers one sees of the games of others what the graph shows, and users list their own links only', async () => {
  const bo = await app.person();
  await link({ user: bo.user });
  const address = `/users/${ana.id}/games.ics`;
  const answers = [
    await get(address, ana),
    await get(address, bo),
    await get(address),
    await get('/users/nobody/games.ics', app.platform),
  ];
  const { calendarLinks } = await app.graphql('{ calendarLinks { nodes { label user { id } } } }', {}, { user: bo.user });
  const summaries = ({ status, text }: { status: number; text: string }) =>
    status === 200
      ? entriesOf(text)
          .map(({ summary }) => summary)
          .sort()
      : status;
  expect([answers.map(summaries), calendarLinks.nodes]).toEqual([
    [['All day', 'Full', 'Mine'], ['All day'], 401, 404],
    [{ label: 'Phone', user: { id: bo.id } }],
  ]);
});

test('a user has at most 20 open links, also when they are made at once', async () => {
  const { user } = await app.person();
  const made = await Promise.all(Array.from({ length: 22 }, () => link({ user })));
  expect([
    made.filter((each) => each.createCalendarLink).length,
    made.filter((each) => each.errors?.[0]?.startsWith('CONFLICT')).length,
  ]).toEqual([20, 2]);
});
