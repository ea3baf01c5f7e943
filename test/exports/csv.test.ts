import { afterAll, beforeAll, expect, test } from 'vitest';
import { rootLists } from '../../src/exports/csv/lists.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { save, seedAustin } from './seed.js';

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

const refusal = ({ status, text }: { status: number; text: string }) => {
  const [{ message, extensions }] = JSON.parse(text).errors;
  return [status, extensions.code, extensions.field ?? null, message];
};

/** The cells of RFC 4180 text, read by another program than the one that wrote it. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  return rows.slice(0, -1);
}

test('a list is a file with its filter, order and the columns that are asked for, those of records that it leads to among them', async () => {
  await save(app, 'Tournament', { id: 'other', title: 'Elsewhere' });
  const { headers, text } = await csv('teams', {
    filter: { tournament: { title: { contains: 'Austin' } }, seed: { isNull: true } },
    orderBy: [{ field: 'ID', direction: 'DESC' }],
    fields: 'id,tournament.location.city, tournament.location.longitude,playerOne.firstName,seed,tournament.startsAt',
  });
  expect([text, headers.get('content-type'), headers.get('content-disposition'), headers.get('cache-control')]).toEqual([
    'id,tournament.location.city,tournament.location.longitude,playerOne.firstName,seed,tournament.startsAt\r\n' +
      'alone,Austin,-97.75,Cy,,2027-03-06T05:30:00Z\r\n' +
      'again,Austin,-97.75,Bo,,2027-03-06T05:30:00Z\r\n',
    'text/csv; charset=utf-8; header=present',
    'attachment; filename="teams.csv"',
    'no-store',
  ]);
});

test('every list of the root is there, with all scalars of its records that a super admin, a platform and a visitor may read', async () => {
  const made = await app.graphql('mutation { createPublishableKey(input: { label: "Site" }) { key } }');
  await app.sql.rows("insert into news_item (id, title) values ('news', 'News')");
  const needed: Record<string, object> = { newsReactions: { newsItemId: 'news' }, search: { text: 'Austin' } };
  const lists = [...rootLists(graphOfModules()).keys()];
  const statuses = new Map<string, number[]>();
  const odd: unknown[] = [];
  for (const list of lists) {
    for (const tokens of [{ user: admin.user }, app.platform, { platform: made.createPublishableKey.key }]) {
      const answer = await csv(list, { ...needed[list], first: 3 }, tokens);
      statuses.set(list, [...(statuses.get(list) ?? []), answer.status]);
      const [names, ...rows] = answer.status === 200 ? cellsOf(answer.text) : [[]];
      if (![200, 403].includes(answer.status) || rows.some((row) => row.length !== names?.length))
        odd.push([list, answer.status, answer.text.slice(0, 300)]);
    }
  }
  expect(odd).toEqual([]);
  expect(lists.length).toBeGreaterThan(60);
  expect([statuses.get('tournaments'), statuses.get('invoices'), statuses.get('auditEntries'), statuses.get('search')]).toEqual([
    [200, 200, 200],
    [200, 200, 403],
    [200, 403, 403],
    [200, 200, 200],
  ]);
});

test('columns come in the order of the graph, parts of a record with its name, and what the caller may not read is left out', async () => {
  const [names = []] = cellsOf((await csv('tournaments', { first: 1 })).text);
  const [ofVisitor = []] = cellsOf((await csv('tournaments', { first: 1 }, { user: (await app.person()).user })).text);
  expect([
    names.slice(0, 4),
    names.includes('location.city'),
    names.includes('viewerCan.update'),
    names.filter((name) => !ofVisitor.includes(name)),
  ]).toEqual([['nodeId', 'id', 'code', 'refereeCode'], true, false, []]);
});

test('texts with commas, quotes, line breaks and letters of any language come back as they are, and formulas are disarmed', async () => {
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
  for (const [index, title] of titles.entries()) await save(app, 'Club', { id: `club-${String(index).padStart(2, '0')}`, title });
  const { text } = await csv('clubs', { fields: 'title', orderBy: [{ field: 'ID', direction: 'ASC' }] });
  const [, ...rows] = cellsOf(text);
  const stored = await app.sql.rows<{ title: string }>('select title from club order by id');
  expect([rows.flat(), text.includes('\r\n""\r\n')]).toEqual([
    stored.map(({ title }) => (/^[=+@\t]|^-x/.test(title) ? `'${title}` : title)),
    stored.some(({ title }) => title === ''),
  ]);
});

test('a long list comes to its end page by page, first bounds it, and after goes on', async () => {
  await app.sql.rows("insert into tournament (id, title) select 'many-' || n, 'Many ' || n from generate_series(1, 350) n");
  const filter = { title: { startsWith: 'Many' } };
  const orderBy = [{ field: 'ID', direction: 'ASC' }];
  const ids = async (parameters: object) =>
    cellsOf((await csv('tournaments', { filter, orderBy, fields: 'id', ...parameters })).text)
      .slice(1)
      .flat();
  const all = await ids({});
  expect([
    all.length,
    new Set(all).size,
    (await ids({ first: 130 })).length,
    (await ids({ offset: 340 })).join() === all.slice(340).join(),
  ]).toEqual([350, 350, 130, true]);
});

test.each<[string, string, Record<string, unknown>, unknown[]]>([
  ['an unknown list', 'nothings', {}, [404, 'NOT_FOUND', null]],
  ['a filter that is no JSON', 'teams', { filter: '{' }, [400, 'BAD_INPUT', 'filter']],
  ['an unknown field of a filter', 'teams', { filter: { nonsense: 1 } }, [400, 'BAD_INPUT', 'filter.nonsense']],
  ['a wrong value in a filter', 'teams', { filter: { seed: { eq: 'x' } } }, [400, 'BAD_INPUT', 'filter.seed.eq']],
  ['a NUL in a filter', 'teams', { filter: { id: { eq: 'a\0b' } } }, [400, 'BAD_INPUT', 'filter.id.eq']],
  ['an unknown order', 'teams', { orderBy: [{ field: 'X' }] }, [400, 'BAD_INPUT', 'orderBy[0].field']],
  ['an unknown column', 'teams', { fields: 'id,nonsense' }, [400, 'BAD_INPUT', 'fields']],
  ['a column that is a record', 'teams', { fields: 'tournament' }, [400, 'BAD_INPUT', 'fields']],
  ['a column of a list', 'teams', { fields: 'tournament.teams.nodes.id' }, [400, 'BAD_INPUT', 'fields']],
  ['a column that is too far away', 'teams', { fields: 'event.tournament.club.creator.id' }, [400, 'BAD_INPUT', 'fields']],
  ['a column twice', 'teams', { fields: 'id,id' }, [400, 'BAD_INPUT', 'fields']],
  ['no column', 'teams', { fields: '' }, [400, 'BAD_INPUT', 'fields']],
  ['first of 0', 'teams', { first: 0 }, [400, 'BAD_INPUT', 'first']],
  ['first that is no number', 'teams', { first: 'many' }, [400, 'BAD_INPUT', 'first']],
  ['a wrong cursor', 'teams', { after: 'x' }, [400, 'BAD_INPUT', 'after']],
  ['an unknown parameter', 'teams', { limit: 3 }, [400, 'BAD_INPUT', 'limit']],
  ['rows from the end', 'teams', { last: 3 }, [400, 'BAD_INPUT', 'last']],
  ['a missing parameter', 'newsReactions', {}, [400, 'BAD_INPUT', 'newsItemId']],
])('%s is refused by its name', async (_, list, parameters, expected) => {
  expect(refusal(await csv(list, parameters)).slice(0, 3)).toEqual(expected);
});

test('who may not read a list, or a column, is told so', async () => {
  const made = await app.graphql('mutation { createPublishableKey(input: { label: "Site" }) { key } }');
  const key = { platform: made.createPublishableKey.key };
  await save(app, 'EventRegistration', { id: 'entry', eventId: 'doubles', teamId: 'alone' });
  await save(app, 'Team', { id: 'alone', registrationOneId: 'entry' });
  const answers = await Promise.all([
    csv('teams', {}, {}),
    csv('teams', {}, { platform: 'wrong' }),
    csv('auditEntries'),
    csv('teams', { fields: 'id,registrationOne.status' }, key),
  ]);
  expect(answers.map((answer) => refusal(answer))).toEqual([
    [401, 'UNAUTHENTICATED', null, expect.stringContaining('a token is needed')],
    [401, 'UNAUTHENTICATED', null, expect.stringContaining('unknown, expired or revoked')],
    [403, 'FORBIDDEN', null, expect.stringContaining('only for')],
    [403, 'FORBIDDEN', 'fields', expect.stringContaining('fields: registrationOne: only for')],
  ]);
});
