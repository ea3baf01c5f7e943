import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { curlOf, firstSample } from '../../compat/reference/samples.js';
import { createTools, type DemoTournament } from '../../src/demo/context.js';
import { checkDemoIsAllowed, hasDemo, isDatabaseEmpty } from '../../src/demo/demo-state.js';
import { aroundAustin, austin, europe, northAmerica, oceania } from '../../src/demo/places.js';
import { demo } from '../../src/demo/tokens.js';
import { createTournaments } from '../../src/demo/tournaments/tournaments.js';
import { examples, headersOf } from '../../src/graphql/examples/index.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { type ListArgs, readPage, readPagesBy } from '../../src/kernel/read/list.js';
import { selectionFor } from '../../src/kernel/read/selection.js';
import { is, type RowOfShape, type RowShape } from '../../src/kernel/row-shape.js';
import { type Row, Session } from '../../src/kernel/session.js';
import type { Statement } from '../../src/kernel/statement.js';
import { Tournament } from '../../src/modules/tournaments/tournament.js';
import { referenceOf } from '../../src/pages/reference.js';
import { StartProblem } from '../../src/process/start-problem.js';
import { pageOf } from '../support/fixtures/documentation.js';
import { startApp, type TestApp, type Tokens } from '../support/servers/app.js';
import { reportedSteps, startDemo } from '../support/servers/season.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDemo();
}, 60_000);
afterAll(() => app.close());

const count = async (table: string, where = 'true') =>
  (await app.sql.row<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`))?.n;

test('loading a season reports each step', () => expect(reportedSteps().slice(0, 3)).toEqual(['people', 'clubs', 'tournaments']));

test('production refuses a database with a season', async () => {
  const isInDatabase = await hasDemo(app.sql);
  const refusal = (isProduction: boolean) => {
    try {
      checkDemoIsAllowed(isInDatabase, { isProduction });
      return null;
    } catch (error) {
      return error instanceof StartProblem ? error.message : error;
    }
  };
  expect({ production: refusal(true), development: refusal(false) }).toEqual({
    production: expect.stringContaining(
      'contains demo data with public tokens, which production does not allow: set DATABASE_URL',
    ),
    development: null,
  });
});

test('a database with a season is not empty', async () => expect(await isDatabaseEmpty(app.sql)).toBe(false));

test('a database with reference data alone is empty', async () => {
  const other = await startApp();
  await other.sql.rows('delete from platform');
  expect(await isDatabaseEmpty(other.sql)).toBe(true);
  await other.close();
});

test('a season has 400 tournaments, 8,000 teams, 4,000 players and 1,500 referees', async () =>
  expect({
    tournaments: await count('tournament'),
    playing: await count('tournament', 'starts_at < now() and ends_at > now()'),
    events: await count('tournament_event'),
    teams: await count('team'),
    players: await count('app_user', "id <> 'demo-admin'"),
    referees: await count('tournament_referee'),
  }).toEqual({ tournaments: 400, playing: 24, events: 1700, teams: 8000, players: 4000, referees: 1500 }));

test('a season has deliveries of webhooks in all states, but no active webhook that would send its data', async () =>
  expect({
    active: await count('webhook', 'paused_at is null'),
    delivered: await count('webhook_delivery', "status = 'DELIVERED'"),
    failed: await count('webhook_delivery', "status = 'PENDING' and attempts > 0"),
    skipped: await count('webhook_delivery', "status = 'GIVEN_UP'"),
  }).toEqual({ active: 0, delivered: 42, failed: 6, skipped: 3 }));

test('a season has failed messages, a failed job, and audit entries of people', async () => {
  const { failedMessages, failedJobs, auditEntries } = await app.graphql(
    `{ failedMessages { nodes { kind state } } failedJobs { nodes { queue reason } }
       auditEntries(filter: { source: { eq: REQUEST } }) { totalCount } }`,
    {},
    { user: demo.adminToken },
  );
  expect({ failedMessages, failedJobs, auditEntries }).toEqual({
    failedMessages: {
      nodes: [
        { kind: 'EMAIL', state: 'DEAD' },
        { kind: 'TEXT', state: 'DEAD' },
        { kind: 'EMAIL', state: 'DEAD' },
        { kind: 'EMAIL', state: 'DEAD' },
      ],
    },
    failedJobs: { nodes: [{ queue: 'chore-forget-usage', reason: 'canceling statement due to lock timeout' }] },
    auditEntries: { totalCount: 29 },
  });
});

test('a season has weekly games with occurrences in the next two months', async () =>
  expect({
    series: await count('game', "repeats = 'WEEKLY' and parent_id is null"),
    seriesWithOccurrences: await count('game', 'exists (select from game other where other.parent_id = game.id)'),
    invalidOccurrences: await count(
      'game',
      `parent_id is not null and (starts_at not between now() - interval '1 hour' and now() + interval '60 days' or title is distinct from
         (select first.title from game first where first.id = game.parent_id))`,
    ),
  }).toEqual({ series: 16, seriesWithOccurrences: 16, invalidOccurrences: 0 }));

test('all leagues of the demo season have a currency for their fees', async () =>
  expect(await count('league', 'currency is null')).toBe(0));

test('every notification of a season names its subject', async () =>
  expect(
    await count(
      'notification n',
      `subject_id is null or subject_kind = 'USER_IMAGE' and not exists (
         select from user_image i where i.id = n.subject_id and i.user_id = n.user_id and i.approval_state = 'APPROVED')`,
    ),
  ).toBe(0));

test('scoring of the demo match has started, as in its games', async () => {
  const match = await app.sql.row(
    'select scoring_started_at is not null as "hasStarted", games_started as games from "match" where id = $1',
    ['demo-match'],
  );
  expect(match).toEqual({ hasStarted: true, games: 3 });
});

test('every foreign key of a team references an existing row', async () =>
  expect(
    await count(
      'team',
      `not exists (select from tournament_event where tournament_event.id = event_id) or not exists (select from app_user where app_user.id = player_one_id)
       or not exists (select from event_registration where event_registration.id = registration_one_id)`,
    ),
  ).toBe(0));

test('seasons of different dates have the same tournaments', async () => {
  const tournamentsOn = async (date: string) => {
    const clubs = [austin, ...aroundAustin, ...northAmerica, ...europe, ...oceania].map((homeCity) => ({
      id: homeCity.city,
      title: homeCity.city,
      slug: homeCity.city,
      homeCity,
    }));
    const tournaments: DemoTournament[] = [];
    const platform = { id: 'demo-platform', title: 'Demo' };
    await createTournaments({ ...createTools(app.sql, new Date(date)), platform, clubs, tournaments });
    return tournaments.map(({ id, code, homeCity }) => ({ id, code, city: homeCity.city }));
  };
  const tournaments = await tournamentsOn('2026-11-26T12:00:00Z');
  expect(tournaments.length).toBe(400);
  expect(await tournamentsOn('2027-06-13T23:30:00Z')).toEqual(tournaments);
});

test('the tokens of the demo user, the demo admin and the demo platform are valid', async () => {
  const firstNameFor = async (tokens: Tokens) =>
    (await app.graphql('{ user(id: "demo-user") { firstName email } }', {}, tokens)).user.firstName;
  expect({
    user: await firstNameFor({ user: demo.userToken }),
    admin: await firstNameFor({ user: demo.adminToken }),
    platform: await firstNameFor({ platform: demo.platformToken }),
  }).toEqual({ user: 'Maya', admin: 'Maya', platform: 'Maya' });
});

test('the publishable key signs in the demo user from pages at localhost only', async () => {
  const loginFrom = async (origin: string) => {
    const response = await fetch(`${app.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'PB-API-TOKEN': demo.publishableKey, Origin: origin },
      body: JSON.stringify({
        query: 'mutation ($input: LoginInput!) { login(input: $input) { user { id } } }',
        variables: { input: { email: 'player@courtside.test', password: demo.adminPassword } },
      }),
    });
    return { status: response.status, login: (await response.json()).data?.login };
  };
  expect({
    localhost: await loginFrom('http://localhost:5173'),
    otherOrigin: await loginFrom('https://courtside.test'),
  }).toEqual({
    localhost: { status: 200, login: { user: { id: 'demo-user' } } },
    otherOrigin: { status: 403, login: undefined },
  });
});

/** Returns the paths of empty values in a response: lists without items, zeros and nulls. */
function emptyPathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.length ? value.flatMap((item, index) => emptyPathsOf(item, `${path}.${index}`)) : [path];
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => emptyPathsOf(item, `${path}.${key}`));
  return value === null || value === 0 ? [path] : [];
}

/**
 * Paths that may be empty in some rows: partners in singles, standings of unfinished events, tiers, URLs, tournaments of a club, UTC
 * offsets, discount codes, scores of upcoming matches.
 */
const optionalPaths =
  /\.playerTwo$|\.standings\.nodes$|\.tierLevel$|\.url$|\.clubs\.nodes\.\d\.tournaments\.|\.utcOffset$|\.discountCode$|\.(scoringStartedAt|gamesStarted)$/;

// Runs before the examples, because some of them write.
test('the README shows the responses to its requests', async () => {
  const page = pageOf('README.md');
  const [graphqlCommand = '', legacyCommand = ''] = [...page.matchAll(/```sh\n(curl .*?)```/gs)].map(
    ([, command = '']) => command,
  );
  const [graphqlAnswer = '', legacyAnswer = ''] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) =>
    text.replaceAll('\n', ''),
  );
  const headers = { 'PB-API-TOKEN': demo.platformToken, 'content-type': 'application/json' };
  const body = /-d '(.*)'/s.exec(graphqlCommand)?.[1]?.replaceAll('\n', '') ?? '';
  const response = await fetch(`${app.origin}/graphql`, { method: 'POST', headers, body });
  expect(await response.json()).toEqual(JSON.parse(graphqlAnswer));
  const [, path = ''] = /'localhost:4000([^']+)'/.exec(legacyCommand) ?? [];
  expect(await (await fetch(app.origin + path, { headers })).text()).toBe(legacyAnswer);
});

describe('an example of GraphiQL returns no errors and no unexpected empty values', () => {
  test.for(examples)('$title', async (example) => {
    const headers = headersOf(example, {
      platform: demo.platformToken,
      publishable: demo.publishableKey,
      user: demo.userToken,
      admin: demo.adminToken,
    });
    const tokens = { platform: headers['PB-API-TOKEN'], user: headers['PB-USER-TOKEN'] };
    const answer = await app.graphql(example.query, example.variables ?? {}, tokens);
    expect({
      errors: answer.errors,
      emptyPaths: emptyPathsOf(answer).filter((path) => !optionalPaths.test(path)),
    }).toEqual({ errors: undefined, emptyPaths: [] });
  });
});

/** Records the execution plan of each query. */
class ExplainingSession extends Session {
  readonly plans: string[] = [];

  async #explain(text: string, values: readonly unknown[]): Promise<void> {
    if (!/\b(?:select|with) /.test(text)) return;
    const plan = await super.rows(`explain ${text}`, [...values], { 'QUERY PLAN': is.text });
    this.plans.push(plan.map((line) => line['QUERY PLAN']).join('\n'));
  }

  override async rows<S extends RowShape>(text: string, values: unknown[] = [], shape = {} as S): Promise<RowOfShape<S>[]> {
    await this.#explain(text, values);
    return super.rows(text, values, shape);
  }

  override async statement(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    await this.#explain(statement.text, statement.parametersFor(values));
    return super.statement(statement, values);
  }
}

/** Returns the indexes that a search for tournaments uses when sequential scans are disabled. */
async function indexesOf(
  args: ListArgs,
  read: (sql: Session) => Promise<unknown> = (sql) =>
    readPage(sql, Tournament, { selection: selectionFor(Tournament, ['id']), cursors: false, rows: true }, args),
) {
  const sql = new ExplainingSession(app.sql.pools, 'write');
  await sql.transaction(async () => {
    await sql.rows('set local enable_seqscan = off');
    await read(sql);
  });
  const indexes = [...sql.plans.join('\n').matchAll(/(?:using|Index Scan on) (\w+)/g)].map(([, name]) => name);
  return [...new Set(indexes)];
}

describe('a search uses an index', () => {
  const from = new Date().toISOString();
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString();
  test.for<[string, ListArgs]>([
    ['tournament_name_words_idx', { filter: { search: 'autsin open' } }],
    [
      'tournament_location_idx',
      { filter: { near: { latitude: 30.2672, longitude: -97.7431, distance: 50, unit: 'KILOMETERS' } } },
    ],
    ['tournament_sanctions_idx,tournament_approvals_idx', { filter: { sanctionedBy: { hasAny: ['MLP'] } } }],
    ['tournament_days_idx', { filter: { isPlaying: true } }],
    ['tournament_days_idx', { filter: { and: [{ isPlaying: true }, { isTest: false }] } }],
    ['tournament_days_idx', { filter: { playedAt: { gte: from, lte: until } } }],
    ['tournament_days_idx,tournament_start_idx', { filter: { playedAt: { gte: from } } }],
    ['tournament_days_idx', { filter: { days: { gte: from.slice(0, 10), lte: until.slice(0, 10) } } }],
    ['tournament_days_idx,tournament_start_idx', { filter: { days: { gte: from.slice(0, 10) } } }],
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

/** Whether a root field of a response is null or an empty list. */
const isEmptyAnswer = (data: Record<string, unknown>): boolean =>
  Object.values(data).some((root) => {
    const nodes = typeof root === 'object' && root !== null && 'nodes' in root ? root.nodes : root;
    return nodes === null || (Array.isArray(nodes) && nodes.length === 0);
  });

test('each query of the reference returns data of a season', async () => {
  const { groups } = referenceOf(graphOfModules());
  const reads = groups
    .flatMap(({ operations }) => operations)
    .flatMap(({ name, auth, calls }) => calls.map((call) => ({ ...call, name, auth })))
    .filter(({ document }) => document.startsWith('query'));
  const empty: string[] = [];
  for (const { name, auth, document, variables } of reads) {
    const tokens = {
      platform: { platform: demo.platformToken },
      platformOrUser: { platform: demo.platformToken },
      user: { user: demo.adminToken },
      anyone: { user: demo.userToken },
    }[auth];
    const { data } = await app.graphql(document, variables, tokens).then((body) => ('errors' in body ? body : { data: body }));
    if (!data || isEmptyAnswer(data)) empty.push(name);
  }
  expect(empty).toEqual([]);
});

test('each GET sample of the reference succeeds in a season, except the validation link of an email', async () => {
  const { groups } = referenceOf(graphOfModules());
  const reads = groups.flatMap(({ operations }) => operations).filter(({ method }) => method === 'GET');
  const failures: string[] = [];
  for (const operation of reads) {
    const [, url = ''] = /'([^']+)'/.exec(curlOf(operation, firstSample(operation), app.origin)) ?? [];
    const token = { platform: demo.platformToken, platformOrUser: demo.platformToken, user: demo.userToken, anyone: '' }[
      operation.auth
    ];
    const headers = token ? { [operation.auth === 'user' ? 'PB-USER-TOKEN' : 'PB-API-TOKEN']: token } : undefined;
    const { status } = await fetch(url, headers ? { headers } : {});
    if (status >= 300) failures.push(`${operation.name}: ${status}`);
  }
  expect(failures).toEqual(['getPubValidateEmailRandomString: 400']);
});

test('a season has platforms, keys, usage of both interfaces, announced removals of routes, and locked users', async () => {
  const data = await app.graphql(
    `{ platforms { totalCount } publishableKeys { totalCount } deprecations { totalCount } users(filter: { lockedAt: { isNull: false } }) { totalCount }
       platformUsage(platformId: "demo-club-sites") { counts { calls } routes { route referencePath } graph { counts { calls } fields { field } } } }`,
    {},
    { user: demo.adminToken },
  );
  expect(data).toEqual({
    platforms: { totalCount: 4 },
    publishableKeys: { totalCount: 4 },
    deprecations: { totalCount: 2 },
    users: { totalCount: 2 },
    platformUsage: {
      counts: { calls: expect.any(Number) },
      routes: ['tourney_flat_data', 'teams', 'teams/{uuid}', 'news'].map((path) => ({
        route: `GET /v1/data/${path}`,
        referencePath: expect.stringContaining('/reference#'),
      })),
      graph: {
        counts: { calls: expect.any(Number) },
        fields: ['tournaments', 'teams', 'news', 'registerTeam'].map((field) => ({ field })),
      },
    },
  });
});
