import { afterAll, beforeAll, expect, test } from 'vitest';
import { rootLists } from '../../src/exports/csv/lists.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/servers/app.js';
import { seedAustin, upsertRecord } from './seed.js';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.person({ isSuperAdmin: true });
  await seedAustin(app);
});
afterAll(() => app.close());

const headersOf = ({ platform, user }: Tokens): Record<string, string> => ({
  ...(platform ? { 'PB-API-TOKEN': platform } : {}),
  ...(user ? { 'PB-USER-TOKEN': user } : {}),
});

async function csv(list: string, parameters: Record<string, unknown> = {}, tokens: Tokens = app.platform) {
  const query = Object.entries(parameters).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  const response = await fetch(`${app.origin}/exports/${list}.csv?${new URLSearchParams(query)}`, { headers: headersOf(tokens) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const errorOf = ({ status, text }: { status: number; text: string }) => {
  const [{ message, extensions }] = JSON.parse(text).errors;
  return { status, code: extensions.code, field: extensions.field ?? null, message };
};

/** Returns the cells of RFC 4180 text, parsed independently of the CSV writer. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  return rows.slice(0, -1);
}

test('a list is exported with its filter, its order and the selected columns, including those of related records', async () => {
  await upsertRecord(app, 'Tournament', { id: 'other', title: 'Elsewhere' });
  const { headers, text } = await csv('teams', {
    filter: { tournament: { title: { contains: 'Austin' } }, seed: { isNull: true } },
    orderBy: [{ field: 'ID', direction: 'DESC' }],
    fields: 'id,tournament.location.city, tournament.location.longitude,playerOne.firstName,seed,tournament.startsAt',
  });
  expect({
    text,
    contentType: headers.get('content-type'),
    disposition: headers.get('content-disposition'),
    cacheControl: headers.get('cache-control'),
  }).toEqual({
    text:
      'id,tournament.location.city,tournament.location.longitude,playerOne.firstName,seed,tournament.startsAt\r\n' +
      'alone,Austin,-97.75,Cy,,2027-03-06T05:30:00Z\r\n' +
      'again,Austin,-97.75,Bo,,2027-03-06T05:30:00Z\r\n',
    contentType: 'text/csv; charset=utf-8; header=present',
    disposition: 'attachment; filename="teams.csv"',
    cacheControl: 'no-store',
  });
});

test('every root list returns CSV, 401 or 403 to a super admin, a platform and a publishable key', async () => {
  const { createPublishableKey } = await app.graphql('mutation { createPublishableKey(input: { label: "Site" }) { key } }');
  await app.sql.rows("insert into news_item (id, title) values ('news', 'News')");
  const requiredParameters: Record<string, object> = {
    newsReactions: { newsItemId: 'news' },
    matches: { tournamentId: 'austin' },
    search: { text: 'Austin' },
  };
  const lists = [...rootLists(graphOfModules()).keys()];
  const callers = { superAdmin: { user: admin.user }, platform: app.platform, key: { platform: createPublishableKey.key } };
  const statuses: Record<string, Record<string, number>> = {};
  const unexpected: unknown[] = [];
  for (const list of lists) {
    const statusByCaller: Record<string, number> = {};
    statuses[list] = statusByCaller;
    for (const [caller, tokens] of Object.entries(callers)) {
      const { status, text } = await csv(list, { ...requiredParameters[list], first: 3 }, tokens);
      statusByCaller[caller] = status;
      const [names, ...rows] = status === 200 ? cellsOf(text) : [[]];
      if (![200, 401, 403].includes(status) || rows.some((row) => row.length !== names?.length))
        unexpected.push({ list, caller, status, text: text.slice(0, 300) });
    }
  }
  expect(unexpected).toEqual([]);
  expect(lists.length).toBeGreaterThan(60);
  const { tournaments, invoices, auditEntries, search } = statuses;
  expect({ tournaments, invoices, auditEntries, search }).toEqual({
    tournaments: { superAdmin: 200, platform: 200, key: 200 },
    invoices: { superAdmin: 200, platform: 200, key: 401 },
    auditEntries: { superAdmin: 200, platform: 401, key: 401 },
    search: { superAdmin: 200, platform: 200, key: 200 },
  });
});

test('the default columns are the fields of the schema in order, with nested fields but without viewerCan', async () => {
  const [columns = []] = cellsOf((await csv('tournaments', { first: 1 })).text);
  const [columnsOfUser = []] = cellsOf((await csv('tournaments', { first: 1 }, { user: (await app.person()).user })).text);
  expect({
    firstFour: columns.slice(0, 4),
    hasNestedField: columns.includes('location.city'),
    hasViewerCan: columns.includes('viewerCan.update'),
    hiddenFromUser: columns.filter((name) => !columnsOfUser.includes(name)),
  }).toEqual({
    firstFour: ['nodeId', 'id', 'code', 'refereeCode'],
    hasNestedField: true,
    hasViewerCan: false,
    hiddenFromUser: [],
  });
});

test('cells are quoted where necessary, and cells that look like formulas get an apostrophe', async () => {
  const titles = [
    'a,b',
    'say "hi"',
    'two\r\nlines',
    'Zürich 東京',
    ' spaces ',
    '=1+1',
    '+1 (512)',
    '-x',
    '@me',
    '\tx',
    '-12.5',
    '',
    'plain',
  ];
  for (const [index, title] of titles.entries())
    await upsertRecord(app, 'Club', { id: `club-${String(index).padStart(2, '0')}`, title });
  const { text } = await csv('clubs', { fields: 'title', orderBy: [{ field: 'ID', direction: 'ASC' }] });
  const [, ...rows] = cellsOf(text);
  const stored = await app.sql.rows<{ title: string }>('select title from club order by id');
  expect({ titles: rows.flat(), hasQuotedEmptyCell: text.includes('\r\n""\r\n') }).toEqual({
    titles: stored.map(({ title }) => (/^[=+@\t]|^-x/.test(title) ? `'${title}` : title)),
    hasQuotedEmptyCell: stored.some(({ title }) => title === ''),
  });
});

test('a long list is exported completely, unless first or offset limits it', async () => {
  await app.sql.rows("insert into tournament (id, title) select 'many-' || n, 'Many ' || n from generate_series(1, 350) n");
  const filter = { title: { startsWith: 'Many' } };
  const orderBy = [{ field: 'ID', direction: 'ASC' }];
  const ids = async (parameters: object) =>
    cellsOf((await csv('tournaments', { filter, orderBy, fields: 'id', ...parameters })).text)
      .slice(1)
      .flat();
  const all = await ids({});
  expect({
    count: all.length,
    distinctCount: new Set(all).size,
    countWithFirst: (await ids({ first: 130 })).length,
    idsFromOffset: await ids({ offset: 340 }),
  }).toEqual({ count: 350, distinctCount: 350, countWithFirst: 130, idsFromOffset: all.slice(340) });
});

test('rejects an unknown list', async () => {
  const { status, code, field } = errorOf(await csv('nothings'));
  expect({ status, code, field }).toEqual({ status: 404, code: 'NOT_FOUND', field: null });
});

test.each<[string, string, Record<string, unknown>, string]>([
  ['a filter that is not JSON', 'teams', { filter: '{' }, 'filter'],
  ['an unknown field of a filter', 'teams', { filter: { nonsense: 1 } }, 'filter.nonsense'],
  ['a wrong value in a filter', 'teams', { filter: { seed: { eq: 'x' } } }, 'filter.seed.eq'],
  ['a NUL in a filter', 'teams', { filter: { id: { eq: 'a\0b' } } }, 'filter.id.eq'],
  ['an unknown order', 'teams', { orderBy: [{ field: 'X' }] }, 'orderBy[0].field'],
  ['an unknown column', 'teams', { fields: 'id,nonsense' }, 'fields'],
  ['a column that is a record', 'teams', { fields: 'tournament' }, 'fields'],
  ['a column of a list', 'teams', { fields: 'tournament.teams.nodes.id' }, 'fields'],
  ['a column with a path that is too long', 'teams', { fields: 'event.tournament.club.creator.id' }, 'fields'],
  ['a duplicate column', 'teams', { fields: 'id,id' }, 'fields'],
  ['no column', 'teams', { fields: '' }, 'fields'],
  ['first of 0', 'teams', { first: 0 }, 'first'],
  ['first that is not a number', 'teams', { first: 'many' }, 'first'],
  ['an invalid cursor', 'teams', { after: 'x' }, 'after'],
  ['an unknown parameter', 'teams', { limit: 3 }, 'limit'],
  ['last', 'teams', { last: 3 }, 'last'],
  ['a missing parameter', 'newsReactions', {}, 'newsItemId'],
])('rejects %s with the name of the field', async (_, list, parameters, expectedField) => {
  const { status, code, field } = errorOf(await csv(list, parameters));
  expect({ status, code, field }).toEqual({ status: 400, code: 'BAD_INPUT', field: expectedField });
});

test('rejects a list or a column that the caller may not read', async () => {
  const { createPublishableKey } = await app.graphql('mutation { createPublishableKey(input: { label: "Site" }) { key } }');
  const key = { platform: createPublishableKey.key };
  await upsertRecord(app, 'EventRegistration', { id: 'entry', eventId: 'doubles', teamId: 'alone' });
  await upsertRecord(app, 'Team', { id: 'alone', registrationOneId: 'entry' });
  const unauthenticated = { status: 401, code: 'UNAUTHENTICATED', field: null };
  expect({
    noToken: errorOf(await csv('teams', {}, {})),
    unknownToken: errorOf(await csv('teams', {}, { platform: 'wrong' })),
    list: errorOf(await csv('auditEntries')),
    listByUser: errorOf(await csv('auditEntries', {}, { user: (await app.person()).user })),
    column: errorOf(await csv('teams', { fields: 'id,registrationOne.status' }, key)),
  }).toEqual({
    noToken: { ...unauthenticated, message: expect.stringContaining('Authentication required') },
    unknownToken: { ...unauthenticated, message: expect.stringContaining('unknown, expired or revoked') },
    list: {
      ...unauthenticated,
      message: 'Authentication required: send a user token with the role ADMIN (header PB-USER-TOKEN)',
    },
    listByUser: { status: 403, code: 'FORBIDDEN', field: null, message: expect.stringContaining('Not allowed') },
    column: {
      ...unauthenticated,
      field: 'fields',
      message:
        'fields: registrationOne: Authentication required: send a platform token (header PB-API-TOKEN), or a user token (header PB-USER-TOKEN)',
    },
  });
});
