import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { parse } from 'graphql';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Entry, entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { findRecord, metaOf, recordMetas } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import type { Reads } from '../../src/kernel/reads.js';
import { startApp, type TestApp } from '../support/app.js';
import { type GoldenRequest, goldenName, goldenNames, type Host, play, readGolden } from '../support/golden.js';

/** What was found out of an answer. */
interface Judged {
  reads: Reads;
  records: ReadonlySet<string>;
  unknownBy: string | null;
}

/** On a machine that has much to do. */
const patient = { timeout: 15_000 };

const directory = join(import.meta.dirname, '../compat/golden');
const operations = new Map(entriesOf(legacyRoutes).map((entry) => [goldenName(entry.method, entry.path), entry]));
const operationOf = (name: string) => operations.get(name) ?? operations.get(name.slice(0, name.lastIndexOf('.')));

const writes = ({ alternatives }: Entry) =>
  alternatives.some(({ run }) => parse(run).definitions.some((each) => 'operation' in each && each.operation === 'mutation'));
/** What is made anew for each request that asks for it. */
const isMade = (entry: Entry | undefined): entry is Entry =>
  entry?.method === 'GET' && !writes(entry) && !entry.alternatives.some(({ keep }) => keep);
const names = goldenNames(directory).filter((name) => isMade(operationOf(name)));

let app: TestApp;
let host: Host;
const judged: Judged[] = [];
const hear = (message: unknown) => void judged.push(message as Judged);
beforeAll(async () => {
  app = await startApp();
  const [user, admin] = [await app.person(), await app.person({ isSuperAdmin: true })];
  const tokens = { ...app.platform, user: user.user, admin: admin.user };
  host = { url: app.origin, tokens, ids: { user: user.id, admin: admin.id } };
  subscribe('courtside:poll', hear);
  const { freshness } = app.resources.services.changes;
  freshness.follow();
  await vi.waitUntil(() => freshness.moment, patient);
});
afterAll(async () => {
  unsubscribe('courtside:poll', hear);
  await app.close();
});

const tokensOf = ({ as }: GoldenRequest) => ({
  ...(as === 'platform' || as === 'both' ? app.platform : {}),
  ...(as === 'user' || as === 'both' ? { user: host.tokens.user } : {}),
  ...(as === 'admin' ? { user: host.tokens.admin ?? '' } : {}),
});
const ask = (request: GoldenRequest, tag?: string) =>
  app.rest('GET', request.path, tokensOf(request), undefined, {
    ...request.headers,
    ...(tag === undefined ? {} : { 'if-none-match': tag }),
  });

/** Polls with the tag of what a plain request is answered; what the poll is answered, whether the query ran for it, and its statements. */
async function poll(request: GoldenRequest) {
  const tag = (await ask(request)).headers.get('etag') ?? '';
  const [before, texts] = [judged.length, app.texts()];
  const { status } = await ask(request, tag);
  return { tag, status, hasRun: judged.length > before, texts };
}

/** Writes a row of a record as it is, but for the moment; where there is none, as a write that another transaction has taken back since. */
async function write(record: string): Promise<void> {
  const cls = findRecord(record);
  if (!cls) throw new Error(`there is no record ${record}`);
  const { table } = optionsOf(cls);
  const columns = await app.sql.rows<{ name: string; text: string }>(
    `select column_name as name, case when data_type = 'integer' then 'version + 1' else 'clock_timestamp()' end as text
     from information_schema.columns where table_schema = 'public' and table_name = $1
       and column_name in ('updated_at', 'inserted_at', 'created_at', 'version') order by column_name desc limit 1`,
    [table],
  );
  const [column] = columns;
  const touched = column
    ? await app.sql.rows(
        `update ${table} set ${column.name} = ${column.text} where id = (select min(id) from ${table}) returning id`,
      )
    : [];
  if (touched.length === 0)
    await app.sql.rows(`insert into change (record, id, kind, columns, refs) values ($1, 'none', '~', '{}', '{}')`, [
      metaOf(cls).name,
    ]);
}

/** Why the answers of a route cannot be known by what was written, by routes. */
const unknown = new Map<string, Set<string>>();
const eligible = new Set<string>();
const known = new Map<string, { reads: Reads; records: Set<string> }>();

test.for(names)('%s is not made again before one of the records that it was read from is written', async (name) => {
  const { live } = await play(readGolden(directory, name), host);
  if (live.status !== 200) return;
  const route = operationOf(name)?.path ?? '';
  const { request } = live;
  // The log is read a moment after what stands in it was written.
  const first = await vi.waitUntil(async () => {
    const answer = await poll(request);
    return !answer.hasRun || judged.at(-1)?.unknownBy ? answer : null;
  }, patient);
  const [found] = judged.slice(-1);
  if (!found) throw new Error('nothing was judged');
  if (found.unknownBy) {
    unknown.set(found.unknownBy, (unknown.get(found.unknownBy) ?? new Set()).add(route));
    return;
  }
  eligible.add(route);
  known.set(name, { reads: found.reads, records: new Set(found.records) });
  // The one statement looks whether something has changed.
  const looks = first.texts.map((text) => (text.includes('from change where position >') ? 'look' : text));
  expect([first.status, looks.filter((text) => !text.startsWith('notify '))]).toEqual([304, ['look']]);
  for (const record of found.records) {
    const before = judged.length;
    await write(record);
    const { status } = await ask(request, first.tag);
    const fresh = (await ask(request)).headers.get('etag');
    expect([record, status, judged.length > before]).toEqual([record, fresh === first.tag ? 304 : 200, true]);
  }
});

test('every route that is made anew for each request was asked for', () => {
  const all = [...operations.values()].filter(isMade).map(({ path }) => path);
  const asked = new Set([...eligible, ...[...unknown.values()].flatMap((routes) => [...routes])]);
  expect(all.filter((path) => !asked.has(path))).toEqual([]);
  expect(eligible.size).toBeGreaterThan(30);
});

test('what no change tells of is the time, that of a write which changed nothing, and how much of a limit is left', () => {
  const found = [...unknown].map(([why, routes]) => [why, [...routes].sort()]);
  expect(Object.fromEntries(found)).toMatchInlineSnapshot(`
    {
      "clock_timestamp": [
        "/v1/sso/validate_url/{token}",
      ],
      "now": [
        "/v1/data/news",
      ],
      "the header RateLimit-Policy of the answer": [
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

test('the records of a statement are those of the tables that PostgreSQL reads for it', async () => {
  const tables = new Map(
    recordMetas().flatMap(({ name, options }) =>
      [options?.table, options?.nameTable].flatMap((table) => (table ? [[table, name] as const] : [])),
    ),
  );
  let count = 0;
  for (const [name, { reads, records }] of known)
    for (const text of reads.texts) {
      const plan = JSON.stringify(await app.sql.rows(`explain (generic_plan, format json) ${text}`));
      const read = [...plan.matchAll(/Relation Name\W+(\w+)/g)].map(([, table = '']) => tables.get(table) ?? table);
      count += read.length;
      expect([name, read.filter((record) => !records.has(record))]).toEqual([name, []]);
    }
  expect(count).toBeGreaterThan(50);
});
