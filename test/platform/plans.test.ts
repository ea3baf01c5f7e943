import type { GraphQLEnumType } from 'graphql';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { entriesOf, type Route } from '../../compat/engine/index.js';
import { isReader, type Parameter } from '../../compat/engine/request/reader.js';
import { legacyRoutes } from '../../compat/index.js';
import { forgiving } from '../../src/database/orm.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { columnOf, columnsOf, metaOf } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { indexed, sortable } from '../../src/kernel/read/indexed.js';
import { Session } from '../../src/kernel/session.js';
import { modules } from '../../src/modules/index.js';
import { loadGrowth } from '../bench/growth-rows.js';
import { startApp, type TestApp } from '../support/app.js';

/** The tables that grow to millions of rows. */
const records = modules.flatMap((module) => module.records).filter((cls) => optionsOf(cls).counted);
const big = new Set(records.flatMap((cls) => [optionsOf(cls).table, optionsOf(cls).nameTable ?? []].flat()));

let app: TestApp;
let client: Client;
let partial: Set<unknown>;
beforeAll(async () => {
  app = await startApp();
  client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  await loadGrowth(1000, () => undefined)(client);
  await client.query(`set enable_seqscan = off; ${forgiving}`);
  const { rows } = await client.query('select indexrelid::regclass::text as name from pg_index where indpred is not null');
  partial = new Set(rows.map(({ name }) => name));
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

/** What reads a big table, or a whole index of one, from end to end. A page that is full stops a walk in the order of the list. */
function walks(plan: Plan, stops = false): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index = '', 'Index Cond': condition, Plans = [] } = plan;
  const isBounded = type === 'Bitmap Heap Scan' || condition || partial.has(index) || (stops && type.startsWith('Index'));
  const own = big.has(table) && !isBounded ? [`${type} on ${table} ${index}`] : [];
  const goesOn = type === 'Limit' || (stops && !['Sort', 'Aggregate', 'Hash'].includes(type));
  return [...own, ...Plans.flatMap((inner) => walks(inner, goesOn))];
}

/** What the statements of a request walk through. */
async function walked(request: () => Promise<unknown>): Promise<string[]> {
  const rows = vi.spyOn(Session.prototype, 'rows');
  const statements = vi.spyOn(Session.prototype, 'statement');
  await request();
  const prepared = statements.mock.calls.map(([statement, values]): [string, unknown[]] => [
    statement.text,
    statement.with(values),
  ]);
  const calls = [...rows.mock.calls, ...prepared].filter(([text]) =>
    [...big].some((table) => new RegExp(`\\b${table}\\b`).test(text)),
  );
  for (const spy of [rows, statements]) spy.mockRestore();
  const found: string[] = [];
  for (const [text, values = []] of calls) {
    const answer = await client.query(`explain (format json) ${text}`, values);
    found.push(...walks(answer.rows[0]['QUERY PLAN'][0].Plan));
  }
  return calls.length ? found : ['nothing was asked'];
}

const samples: Record<string, string> = { integer: '1', boolean: 'true', number: '1', string: 'classic' };
/** What a parameter asks for nothing without. */
const beside: Record<string, string> = { distance: '&latitude=30&longitude=-97' };
const useless = ['page_size', 'current_page', 'retrieve_all', 'latitude', 'longitude', 'unit_of_distance'];

const lists = entriesOf(legacyRoutes).flatMap(({ method, path, alternatives }) =>
  alternatives
    .filter(({ run }: Route) => method === 'GET' && records.some((cls) => String(run).includes(` ${optionsOf(cls).many}(`)))
    .flatMap((route) =>
      parametersOf(route.args)
        .filter(({ name }) => !useless.includes(name))
        .map(({ name, schema }) => `${path}?${name}=${samples[String(schema.type)]}${beside[name] ?? ''}`),
    ),
);

function parametersOf(args: Route['args']): Parameter[] {
  return Object.values(args ?? {}).flatMap((entry) => (isReader(entry) ? [...entry.parameters] : parametersOf(entry)));
}

const searches = ['summer classic', 'austin open', 'autsin opne', 'classic', 'open austin classic'];
const names = ['summer%20classic', 'classic%20au', 'austin'].map((name) => `search_name=${name}`);
const spans = ['start_date=1767225600&end_date=1769904000', 'start_date=1767225600&end_date=1798761600'];

describe('over a million rows', () => {
  test.each([...new Set(lists), ...[...spans, ...names].map((span) => `/v1/data/tourney_flat_data?${span}`)])(
    'GET %s',
    async (path) => {
      expect(await walked(() => app.rest('GET', `${path}&page_size=25`, app.platform))).toEqual([]);
    },
  );

  test.each(searches)('a search for %s, and how many it finds', async (search) => {
    const page = `tournaments(first: 25, filter: { search: "${search}" }) { totalCount nodes { id } }`;
    expect(await walked(() => app.graphql(`{ ${page} }`))).toEqual([]);
  });

  const orders = records.flatMap((cls) =>
    [...columnsOf(metaOf(cls)).values()]
      .filter((column) => !column.field.secret && !column.field.private && indexed(cls, column))
      .flatMap(({ column }) => ['ASC', 'DESC'].map((direction) => [optionsOf(cls).many, column.toUpperCase(), direction])),
  );
  test.each(orders)('%s by %s, %s', async (many, field, direction) => {
    for (const part of ['first: 25', 'last: 25', 'first: 25, after: "$"']) {
      const ask = (args: string) =>
        app.graphql(
          `{ ${many}(${args}, orderBy: [{ field: ${field}, direction: ${direction} }]) { nodes { id } pageInfo { endCursor } } }`,
        );
      const cursor = part.includes('$') ? (await ask('first: 40'))[many ?? ''].pageInfo.endCursor : '';
      expect([part, await walked(() => ask(part.replace('$', cursor)))]).toEqual([part, []]);
    }
  });

  // All but the indexed ones, by the names that the graph has for them.
  const sorted = records.flatMap((cls) => {
    const { many } = optionsOf(cls);
    const enumeration = graphOfModules().getType(`${cls.name}OrderField`) as GraphQLEnumType;
    const others = enumeration.getValues().filter(({ value }) => value !== 'distance');
    return others.filter(({ value }) => !indexed(cls, columnOf(metaOf(cls), value))).map(({ name }) => [many, name]);
  });
  test.each(sorted)('%s by %s only where the filter leaves few', async (many, field) => {
    const { most } = sortable;
    sortable.most = 100;
    try {
      const ask = (filter: string) =>
        app.graphql(`{ ${many}(first: 5, orderBy: [{ field: ${field} }] ${filter}) { nodes { id } } }`);
      const expected = `one that an index has, or a filter that leaves at most 100 ${many}`;
      const refused = { errors: [`BAD_INPUT: orderBy[0].field: expected ${expected}`] };
      expect(await ask('')).toEqual(refused);
      expect(await ask('filter: { id: { ne: "x" } }')).toEqual(refused);
      expect(await walked(() => ask('filter: { id: { in: ["x", "y"] } }'))).toEqual([]);
    } finally {
      sortable.most = most;
    }
  });
});
