import type { GraphQLEnumType } from 'graphql';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { entriesOf, type Route } from '../../compat/engine/index.js';
import { isReader, type Parameter } from '../../compat/engine/request/reader.js';
import { legacyRoutes } from '../../compat/index.js';
import { searchThresholds } from '../../src/database/orm.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { columnOf, columnsOf, metaOf } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { indexDirection, sortLimit } from '../../src/kernel/read/paging/order.js';
import { Session } from '../../src/kernel/session.js';
import { modules } from '../../src/modules/index.js';
import { loadGrowth } from '../load/bench/growth-rows.js';
import { startApp, type TestApp } from '../support/servers/app.js';

/** Records with tables that grow to millions of rows. */
const records = modules.flatMap((module) => module.records).filter((cls) => optionsOf(cls).hasRowCount);
const bigTables = new Set(records.flatMap((cls) => [optionsOf(cls).table, optionsOf(cls).nameTable ?? []].flat()));

let app: TestApp;
let client: Client;
let partialIndexes: Set<unknown>;
beforeAll(async () => {
  app = await startApp();
  client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  await loadGrowth(1000, () => undefined)(client);
  await client.query(`set enable_seqscan = off; ${searchThresholds}`);
  const { rows } = await client.query('select indexrelid::regclass::text as name from pg_index where indpred is not null');
  partialIndexes = new Set(rows.map(({ name }) => name));
}, 60_000);
afterAll(async () => {
  await client.end();
  await app.close();
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

/** Returns the full scans of big tables or of their indexes in a plan. An index scan that a LIMIT ends early does not count. */
function fullScans(plan: Plan, isLimited = false): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index = '', 'Index Cond': condition, Plans = [] } = plan;
  const isBounded =
    type === 'Bitmap Heap Scan' || condition || partialIndexes.has(index) || (isLimited && type.startsWith('Index'));
  const ownScans = bigTables.has(table) && !isBounded ? [`${type} on ${table} ${index}`] : [];
  const limitsInput = type === 'Limit' || (isLimited && !['Sort', 'Aggregate', 'Hash'].includes(type));
  return [...ownScans, ...Plans.flatMap((inner) => fullScans(inner, limitsInput))];
}

/** Returns the full scans in the plans of the statements that a request runs. */
async function fullScansOf(request: () => Promise<unknown>): Promise<string[]> {
  const rows = vi.spyOn(Session.prototype, 'rows');
  const statements = vi.spyOn(Session.prototype, 'statement');
  await request();
  const prepared = statements.mock.calls.map(([statement, values]): [string, unknown[]] => [
    statement.text,
    statement.parametersFor(values),
  ]);
  const texts = rows.mock.calls.map(([sql, values]): [string, unknown[] | undefined] => [
    typeof sql === 'string' ? sql : sql.text,
    values,
  ]);
  const calls = [...texts, ...prepared].filter(([text]) =>
    [...bigTables].some((table) => new RegExp(`\\b${table}\\b`).test(text)),
  );
  for (const spy of [rows, statements]) spy.mockRestore();
  const scans: string[] = [];
  for (const [text, values = []] of calls) {
    const explained = await client.query(`explain (format json) ${text}`, values);
    scans.push(...fullScans(explained.rows[0]['QUERY PLAN'][0].Plan));
  }
  return calls.length ? scans : ['no statement reads a big table'];
}

const samples: Record<string, string> = { integer: '1', boolean: 'true', number: '1', string: 'classic' };
/** Additional parameters that a parameter requires, keyed by its name. */
const requiredWith: Record<string, string> = { distance: '&latitude=30&longitude=-97' };
/** Parameters that have no effect on their own. */
const withoutEffect = ['page_size', 'current_page', 'retrieve_all', 'latitude', 'longitude', 'unit_of_distance'];

const lists = entriesOf(legacyRoutes).flatMap(({ method, path, alternatives }) =>
  alternatives
    .filter(
      ({ operation }: Route) => method === 'GET' && records.some((cls) => String(operation).includes(` ${optionsOf(cls).many}(`)),
    )
    .flatMap((route) =>
      parametersOf(route.args)
        .filter(({ name }) => !withoutEffect.includes(name))
        .map(({ name, schema }) => `${path}?${name}=${samples[String(schema.type)]}${requiredWith[name] ?? ''}`),
    ),
);

function parametersOf(args: Route['args']): Parameter[] {
  return Object.values(args ?? {}).flatMap((entry) => (isReader(entry) ? [...entry.parameters] : parametersOf(entry)));
}

const searches = ['summer classic', 'austin open', 'autsin opne', 'classic', 'open austin classic'];
const names = ['summer%20classic', 'classic%20au', 'austin'].map((name) => `search_name=${name}`);
const spans = ['start_date=1767225600&end_date=1769904000', 'start_date=1767225600&end_date=1798761600'];

describe('no full scan of a big table', () => {
  test.each([...new Set(lists), ...[...spans, ...names].map((span) => `/v1/data/tourney_flat_data?${span}`)])(
    'GET %s',
    async (path) => {
      expect(await fullScansOf(() => app.rest('GET', `${path}&page_size=25`, app.platform))).toEqual([]);
    },
  );

  test.each(searches)('a search for %s with its total count', async (search) => {
    const page = `tournaments(first: 25, filter: { search: "${search}" }) { totalCount nodes { id } }`;
    expect(await fullScansOf(() => app.graphql(`{ ${page} }`))).toEqual([]);
  });

  const orders = records.flatMap((cls) =>
    [...columnsOf(metaOf(cls)).values()]
      .filter((column) => !column.field.secret && !column.field.private && indexDirection(cls, column))
      .flatMap(({ column }) => ['ASC', 'DESC'].map((direction) => [optionsOf(cls).many, column.toUpperCase(), direction])),
  );
  test.each(orders)('%s by %s, %s', async (many, field, direction) => {
    const list = (args: string) =>
      app.graphql(
        `{ ${many}(${args}, orderBy: [{ field: ${field}, direction: ${direction} }]) { nodes { id } pageInfo { endCursor } } }`,
      );
    const cursor = (await list('first: 40'))[many ?? ''].pageInfo.endCursor;
    expect({
      firstPage: await fullScansOf(() => list('first: 25')),
      lastPage: await fullScansOf(() => list('last: 25')),
      pageAfterCursor: await fullScansOf(() => list(`first: 25, after: "${cursor}"`)),
    }).toEqual({ firstPage: [], lastPage: [], pageAfterCursor: [] });
  });

  /** GraphQL names of each list and of its order fields that have no index. */
  const unindexedOrders = records.flatMap((cls) => {
    const { many } = optionsOf(cls);
    const enumeration = graphOfModules().getType(`${cls.name}OrderField`) as GraphQLEnumType;
    const computed = new Set(['distance', ...Object.keys(optionsOf(cls).orders ?? {})]);
    const fields = enumeration.getValues().filter(({ value }) => !computed.has(value));
    return fields.filter(({ value }) => !indexDirection(cls, columnOf(metaOf(cls), value))).map(({ name }) => [many, name]);
  });
  test.each(unindexedOrders)('%s by %s is rejected unless a filter leaves few rows', async (many, field) => {
    const { rows } = sortLimit;
    sortLimit.rows = 100;
    try {
      const list = (filter: string) =>
        app.graphql(`{ ${many}(first: 5, orderBy: [{ field: ${field} }] ${filter}) { nodes { id } } }`);
      const expected = `an indexed field, or a filter that matches at most 100 ${many}`;
      const rejected = { errors: [`BAD_INPUT: orderBy[0].field: expected ${expected}`] };
      expect(await list('')).toEqual(rejected);
      expect(await list('filter: { id: { ne: "x" } }')).toEqual(rejected);
      expect(await fullScansOf(() => list('filter: { id: { in: ["x", "y"] } }'))).toEqual([]);
    } finally {
      sortLimit.rows = rows;
    }
  });
});
