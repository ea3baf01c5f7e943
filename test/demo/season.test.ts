import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { curlOf, firstSample } from '../../compat/reference/samples.js';
import { loadDemo } from '../../src/demo/index.js';
import { isEmpty } from '../../src/demo/is-empty.js';
import { demo } from '../../src/demo/tokens.js';
import { examples } from '../../src/gateway/examples/index.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { type ListArgs, readPage, readPagesBy } from '../../src/kernel/read/list.js';
import { selectionFor } from '../../src/kernel/read/selection.js';
import { is, type RowShape, type RowShaped } from '../../src/kernel/row-shape.js';
import { type Row, Session } from '../../src/kernel/session.js';
import type { Statement } from '../../src/kernel/statement.js';
import { Tournament } from '../../src/modules/tournaments/tournament.js';
import { referenceOf } from '../../src/pages/reference.js';
import { startApp, type TestApp } from '../support/app.js';
import { pageOf } from '../support/pages.js';

let app: TestApp;
const told: string[] = [];
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows('delete from platform');
  expect(await isEmpty(app.sql)).toBe(true);
  await loadDemo(app.sql, (chapter) => told.push(chapter));
});
afterAll(() => app.close());

const count = async (table: string, where = 'true') =>
  (await app.sql.row<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`))?.n;

test('a season tells how far it is', () => expect(told.slice(0, 3)).toEqual(['people', 'clubs', 'tournaments']));

test('a season is no empty database', async () => expect(await isEmpty(app.sql)).toBe(false));

test('a season has 400 tournaments, 8,000 teams, 4,000 players and 1,500 referees', async () =>
  expect({
    tournaments: await count('tournament'),
    playing: await count('tournament', 'starts_at < now() and ends_at > now()'),
    events: await count('tournament_event'),
    teams: await count('team'),
    players: await count('app_user', "id <> 'demo-admin'"),
    referees: await count('tournament_referee'),
  }).toEqual({ tournaments: 400, playing: 24, events: 1700, teams: 8000, players: 4000, referees: 1500 }));

test('a season has weekly games, with those of the next two months', async () =>
  expect({
    series: await count('game', "repeats = 'WEEKLY' and parent_id is null"),
    withRepetitions: await count('game', 'exists (select from game other where other.parent_id = game.id)'),
    strays: await count(
      'game',
      `parent_id is not null and (starts_at not between now() - interval '1 hour' and now() + interval '60 days' or title is distinct from
         (select first.title from game first where first.id = game.parent_id))`,
    ),
  }).toEqual({ series: 16, withRepetitions: 16, strays: 0 }));

test('every foreign key of a team leads somewhere', async () =>
  expect(
    await count(
      'team',
      `not exists (select from tournament_event where tournament_event.id = event_id) or not exists (select from app_user where app_user.id = player_one_id)
       or not exists (select from event_registration where event_registration.id = registration_one_id)`,
    ),
  ).toBe(0));

test('the three sign-ons are those of the demo user, the demo admin and the demo platform', async () => {
  const asked = '{ user(id: "demo-user") { firstName email } }';
  const answers = await Promise.all(
    [{ user: demo.userToken }, { user: demo.adminToken }, { platform: demo.platformToken }].map((tokens) =>
      app.graphql(asked, {}, tokens),
    ),
  );
  expect(answers.map(({ user }) => user.firstName)).toEqual(['Maya', 'Maya', 'Maya']);
});

test('the key is for pages of this machine, which sign in the demo user with it', async () => {
  const login = async (origin: string) => {
    const response = await fetch(`${app.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'PB-API-TOKEN': demo.publishableKey, Origin: origin },
      body: JSON.stringify({
        query: 'mutation ($input: LoginInput!) { login(input: $input) { user { id } } }',
        variables: { input: { email: 'player@courtside.test', password: demo.adminPassword } },
      }),
    });
    return [response.status, (await response.json()).data?.login];
  };
  expect([await login('http://localhost:5173'), await login('https://courtside.test')]).toEqual([
    [200, { user: { id: 'demo-user' } }],
    [403, undefined],
  ]);
});

/** What in an answer is empty: lists without items, counts of zero, nulls. */
function emptiness(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.length ? value.flatMap((item, index) => emptiness(item, `${path}.${index}`)) : [path];
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => emptiness(item, `${path}.${key}`));
  return value === null || value === 0 ? [path] : [];
}

/** What may be missing in one row or another: the partner in singles, a place not reached yet, a tier, an address, a club's plans. */
const optional = /\.playerTwo$|\.standings\.nodes$|\.tierLevel$|\.url$|\.clubs\.nodes\.\d\.tournaments\.|\.utcOffset$/;

// Before an example writes something.
test('the README shows what its requests are answered', async () => {
  const page = pageOf('README.md');
  const [ask = '', list = ''] = [...page.matchAll(/```sh\n(curl .*?)```/gs)].map(([, command = '']) => command);
  const [answer = '', rows = ''] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, shown = '']) => shown.replaceAll('\n', ''));
  const headers = { 'PB-API-TOKEN': demo.platformToken, 'content-type': 'application/json' };
  const body = /-d '(.*)'/s.exec(ask)?.[1]?.replaceAll('\n', '') ?? '';
  const graph = await fetch(`${app.origin}/graphql`, { method: 'POST', headers, body });
  expect(await graph.json()).toEqual(JSON.parse(answer));
  const [, path = ''] = /'localhost:4000([^']+)'/.exec(list) ?? [];
  expect(await (await fetch(app.origin + path, { headers })).text()).toBe(rows);
});

describe('an example tab of GraphiQL finds something', () => {
  test.for(examples)('$title', async ({ query, variables = {}, as }) => {
    const tokens = as ? { user: { user: demo.userToken, admin: demo.adminToken }[as] } : { platform: demo.platformToken };
    const answer = await app.graphql(query, variables, tokens);
    expect([answer.errors, emptiness(answer).filter((path) => !optional.test(path))]).toEqual([undefined, []]);
  });
});

/** Notes the plan of each query that it runs. */
class Explaining extends Session {
  readonly plans: string[] = [];

  async #explain(text: string, values: readonly unknown[]): Promise<void> {
    if (!/\b(?:select|with) /.test(text)) return;
    const plan = await super.rows(`explain ${text}`, [...values], { 'QUERY PLAN': is.text });
    this.plans.push(plan.map((line) => line['QUERY PLAN']).join('\n'));
  }

  override async rows<S extends RowShape>(text: string, values: unknown[] = [], shape = {} as S): Promise<RowShaped<S>[]> {
    await this.#explain(text, values);
    return super.rows(text, values, shape);
  }

  override async statement(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    await this.#explain(statement.text, statement.with(values));
    return super.statement(statement, values);
  }
}

/** The indexes that a search of tournaments uses where it may not scan the table. */
async function indexesOf(
  args: ListArgs,
  read: (sql: Session) => Promise<unknown> = (sql) =>
    readPage(sql, Tournament, { selection: selectionFor(Tournament, ['id']), cursors: false, rows: true }, args),
) {
  const sql = new Explaining(app.sql.pools, 'write');
  await sql.transaction(async () => {
    await sql.rows('set local enable_seqscan = off');
    await read(sql);
  });
  const used = [...sql.plans.join('\n').matchAll(/(?:using|Index Scan on) (\w+)/g)].map(([, name]) => name);
  return [...new Set(used)];
}

describe('a search uses an index', () => {
  const from = new Date().toISOString();
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString();
  test.for<[string, ListArgs]>([
    ['tournament_name_words_idx', { filter: { search: 'autsin open' } }],
    ['tournament_place_idx', { filter: { near: { latitude: 30.2672, longitude: -97.7431, distance: 50, unit: 'KILOMETERS' } } }],
    ['tournament_sanctions_idx,tournament_approvals_idx', { filter: { sanctionedBy: { hasAny: ['MLP'] } } }],
    ['tournament_days_idx', { filter: { isPlaying: true } }],
    ['tournament_days_idx', { filter: { and: [{ isPlaying: true }, { isTest: false }] } }],
    ['tournament_days_idx', { filter: { days: { gte: from, lte: until } } }],
    ['tournament_days_idx,tournament_start_idx', { filter: { days: { gte: from } } }],
    ['tournament_registration_idx', { filter: { isRegistering: true }, orderBy: [{ field: 'title', direction: 'DESC' }] }],
    ['tournament_start_idx', { filter: { isUpcoming: true } }],
    ['tournament_start_idx', {}],
    ['tournament_club_id_idx', { filter: { clubId: { in: ['demo-club'] } } }],
    ['tournament_code_unique', { filter: { code: { eq: 'K7WQ2MXA' } } }],
  ])('%s', async ([indexes, args]) => expect(await indexesOf(args)).toEqual(expect.arrayContaining(indexes.split(','))));

  test('tournament_club_id_idx, for the tournaments of many clubs', async () =>
    expect(
      await indexesOf({}, (sql) =>
        readPagesBy(sql, Tournament, 'clubId', ['demo-club', 'other'], selectionFor(Tournament, ['id']), { first: 3 }, false),
      ),
    ).toContain('tournament_club_id_idx'));
});

/** Whether an answer has nothing in it: a root that is null, or a list without items. */
const isNothing = (data: Record<string, unknown>): boolean =>
  Object.values(data).some((root) => {
    const nodes = typeof root === 'object' && root !== null && 'nodes' in root ? root.nodes : root;
    return nodes === null || (Array.isArray(nodes) && nodes.length === 0);
  });

test('every read of the reference finds something in a season', async () => {
  const { groups } = referenceOf(graphOfModules());
  const reads = groups
    .flatMap(({ operations }) => operations)
    .flatMap(({ name, auth, calls }) => calls.map((call) => ({ ...call, name, auth })))
    .filter(({ document }) => document.startsWith('query'));
  const empty: string[] = [];
  for (const { name, auth, document, variables } of reads) {
    const tokens = {
      platform: { platform: demo.platformToken },
      either: { platform: demo.platformToken },
      user: { user: demo.adminToken },
      anyone: { user: demo.userToken },
    }[auth];
    const { data } = await app.graphql(document, variables, tokens).then((body) => ('errors' in body ? body : { data: body }));
    if (!data || isNothing(data)) empty.push(name);
  }
  expect(empty).toEqual([]);
});

test('what the reference would ask of /v1 is there in a season, but for the links of mails', async () => {
  const { groups } = referenceOf(graphOfModules());
  const reads = groups.flatMap(({ operations }) => operations).filter(({ method }) => method === 'GET');
  const refused: string[] = [];
  for (const operation of reads) {
    const [, address = ''] = /'([^']+)'/.exec(curlOf(operation, firstSample(operation), app.origin)) ?? [];
    const token = { platform: demo.platformToken, either: demo.platformToken, user: demo.userToken, anyone: '' }[operation.auth];
    const headers = token ? { [operation.auth === 'user' ? 'PB-USER-TOKEN' : 'PB-API-TOKEN']: token } : undefined;
    const { status } = await fetch(address, headers ? { headers } : {});
    if (status >= 300) refused.push(`${operation.name}: ${status}`);
  }
  expect(refused).toEqual(['getPubValidateEmailRandomString: 400']);
});
