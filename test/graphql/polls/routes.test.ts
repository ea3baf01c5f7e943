import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { parse } from 'graphql';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { entriesOf, type RouteEntry } from '../../../compat/engine/index.js';
import { legacyRoutes } from '../../../compat/index.js';
import { findRecord, metaOf, recordMetas } from '../../../src/kernel/declare/meta.js';
import { optionsOf } from '../../../src/kernel/declare/record.js';
import type { ResponseSources } from '../../../src/kernel/response-sources.js';
import { type GoldenHost, type GoldenRequest, goldenName, goldenNames, play, readGolden } from '../../support/checks/golden.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Message on the channel `courtside:poll`, published when the query of a poll has run. */
interface PollMessage {
  reads: ResponseSources;
  /** Records that make the response stale when they change. */
  records: ReadonlySet<string>;
  /** Reason why the change log cannot determine whether the response is stale. */
  uncoveredDependency: string | null;
}

/** Timeout that is long enough for a busy machine. */
const waitOptions = { timeout: 15_000 };

const directory = join(import.meta.dirname, '../../compat/golden');
const operations = new Map(entriesOf(legacyRoutes).map((entry) => [goldenName(entry.method, entry.path), entry]));
const operationOf = (name: string) => operations.get(name) ?? operations.get(name.slice(0, name.lastIndexOf('.')));

const isMutation = ({ alternatives }: RouteEntry) =>
  alternatives.some(({ operation }) =>
    parse(operation).definitions.some((definition) => 'operation' in definition && definition.operation === 'mutation'),
  );
/** Whether an entry is a GET route that computes its response for each request instead of caching it. */
const isPollable = (entry: RouteEntry | undefined): entry is RouteEntry =>
  entry?.method === 'GET' && !isMutation(entry) && !entry.alternatives.some(({ isCached }) => isCached);
const names = goldenNames(directory).filter((name) => isPollable(operationOf(name)));

let app: TestApp;
let host: GoldenHost;
const messages: PollMessage[] = [];
const recordMessage = (message: unknown) => void messages.push(message as PollMessage);
beforeAll(async () => {
  app = await startApp({ RESPONSE_CACHE_MB: '8' });
  const [user, admin] = [await app.person(), await app.person({ isSuperAdmin: true })];
  const tokens = { ...app.platform, user: user.user, admin: admin.user };
  host = { url: app.origin, tokens, ids: { user: user.id, admin: admin.id } };
  subscribe('courtside:poll', recordMessage);
  const { freshness } = app.resources.services.changes;
  freshness.follow();
  await vi.waitUntil(() => freshness.moment, waitOptions);
});
afterAll(async () => {
  unsubscribe('courtside:poll', recordMessage);
  await app.close();
});

const tokensOf = ({ as }: GoldenRequest) => ({
  ...(as === 'platform' || as === 'both' ? app.platform : {}),
  ...(as === 'user' || as === 'both' ? { user: host.tokens.user } : {}),
  ...(as === 'admin' ? { user: host.tokens.admin ?? '' } : {}),
});
const get = (request: GoldenRequest, tag?: string) =>
  app.rest('GET', request.path, tokensOf(request), undefined, {
    ...request.headers,
    ...(tag === undefined ? {} : { 'if-none-match': tag }),
  });

/**
 * Sends a request and repeats it with the ETag of its response. Returns the status of the repeated request, its SQL statements, and whether
 * the query ran.
 */
async function poll(request: GoldenRequest) {
  const tag = (await get(request)).headers.get('etag') ?? '';
  const [messagesBefore, texts] = [messages.length, app.texts()];
  const { status } = await get(request, tag);
  return { tag, status, hasQueried: messages.length > messagesBefore, texts };
}

/** Sends a request. Returns the response without the headers that differ in each response, and whether the query ran. */
async function observe(request: GoldenRequest) {
  const messagesBefore = messages.length;
  const { status, body, headers } = await get(request);
  const { date: _, 'x-request-id': __, ...otherHeaders } = Object.fromEntries(headers);
  return { answer: { status, body, headers: otherHeaders }, hasQueried: messages.length > messagesBefore };
}

/**
 * Updates only a timestamp or version column of one row of a record. Does not update `updated_at`, because an update of this column alone
 * does not count as a change. If no row can be updated, logs a change of a nonexistent row.
 */
async function touch(record: string): Promise<void> {
  const cls = findRecord(record);
  if (!cls) throw new Error(`there is no record ${record}`);
  const { table } = optionsOf(cls);
  const columns = await app.sql.rows<{ name: string; text: string }>(
    `select column_name as name, case when data_type = 'integer' then 'version + 1' else 'clock_timestamp()' end as text
     from information_schema.columns where table_schema = 'public' and table_name = $1
       and column_name in ('inserted_at', 'created_at', 'version') order by column_name desc limit 1`,
    [table],
  );
  const [column] = columns;
  const updatedRows = column
    ? await app.sql.rows(
        `update ${table} set ${column.name} = ${column.text} where id = (select min(id) from ${table}) returning id`,
      )
    : [];
  if (updatedRows.length === 0)
    await app.sql.rows(`insert into change (record, id, kind, columns, refs) values ($1, 'none', '~', '{}', '{}')`, [
      metaOf(cls).name,
    ]);
}

/** Routes that run the query for every poll, grouped by the reason. */
const routesByReason = new Map<string, Set<string>>();
/** Routes that can respond to a poll without running the query. */
const answerableRoutes = new Set<string>();
/** Data that the responses of `answerableRoutes` depend on, keyed by golden file. */
const readsByName = new Map<string, { reads: ResponseSources; records: Set<string> }>();

test.for(names)('polls and repeated requests of %s run its query only after a write to one of its records', async (name) => {
  const { live } = await play(readGolden(directory, name), host);
  if (live.status !== 200) return;
  const route = operationOf(name)?.path ?? '';
  const { request } = live;
  // The process reads a write from the change log with a short delay.
  const first = await vi.waitUntil(async () => {
    const answer = await poll(request);
    return !answer.hasQueried || messages.at(-1)?.uncoveredDependency ? answer : null;
  }, waitOptions);
  const [message] = messages.slice(-1);
  if (!message) throw new Error('no poll has run its query');
  if (message.uncoveredDependency) {
    routesByReason.set(message.uncoveredDependency, (routesByReason.get(message.uncoveredDependency) ?? new Set()).add(route));
    return;
  }
  answerableRoutes.add(route);
  readsByName.set(name, { reads: message.reads, records: new Set(message.records) });
  // Independently of requests, the process also sends notifications and reloads the deprecations.
  const statements = first.texts
    .filter((text) => !text.startsWith('notify ') && !text.includes('from "deprecation"'))
    .map((text) => (text.includes('from change where position >') ? 'freshness check' : text));
  expect({ status: first.status, statements }).toEqual({ status: 304, statements: ['freshness check'] });
  const { answer: computed } = await observe(request);
  // A response is cached only if the process has read all changes that were logged before it.
  await expect.poll(() => observe(request), waitOptions).toEqual({ answer: computed, hasQueried: false });
  for (const record of message.records) {
    const messagesBefore = messages.length;
    await touch(record);
    const { status } = await get(request, first.tag);
    const newTag = (await get(request)).headers.get('etag');
    expect({ record, status, hasQueried: messages.length > messagesBefore }).toEqual({
      record,
      status: newTag === first.tag ? 304 : 200,
      hasQueried: true,
    });
  }
});

test('every route that can be polled has been polled', () => {
  const paths = [...operations.values()].filter(isPollable).map(({ path }) => path);
  const polled = new Set([...answerableRoutes, ...[...routesByReason.values()].flatMap((routes) => [...routes])]);
  expect(paths.filter((path) => !polled.has(path))).toEqual([]);
  expect(answerableRoutes.size).toBeGreaterThan(30);
});

test('polls always run the query of routes that read the time, `updated_at` or the remainder of a rate limit', () => {
  const sortedRoutes = [...routesByReason].map(([reason, routes]) => [reason, [...routes].sort()]);
  expect(Object.fromEntries(sortedRoutes)).toMatchInlineSnapshot(`
    {
      "clock_timestamp": [
        "/v1/sso/validate_url/{token}",
      ],
      "now": [
        "/v1/data/news",
      ],
      "the response header RateLimit-Policy": [
        "/v1/data/user-email-lookup/{email}",
      ],
      "the time": [
        "/v1/data/partner_rankings",
      ],
      "updated_at": [
        "/v1/data/partner_rankings_stats",
      ],
    }
  `);
});

test('the records of a response include all tables in the query plans of its statements', async () => {
  const tables = new Map(
    recordMetas().flatMap(({ name, options }) =>
      [options?.table, options?.nameTable, ...(options?.derivedTables ?? [])].flatMap((table) =>
        table ? [[table, name] as const] : [],
      ),
    ),
  );
  let tablesRead = 0;
  for (const [name, { reads, records }] of readsByName)
    for (const text of reads.statements.keys()) {
      const plan = JSON.stringify(await app.sql.rows(`explain (generic_plan, format json) ${text}`));
      const recordsRead = [...plan.matchAll(/Relation Name\W+(\w+)/g)].map(([, table = '']) => tables.get(table) ?? table);
      tablesRead += recordsRead.length;
      const missingRecords = recordsRead.filter((record) => !records.has(record));
      expect({ name, missingRecords }).toEqual({ name, missingRecords: [] });
    }
  expect(tablesRead).toBeGreaterThan(50);
});
