import { type GraphQLField, type GraphQLObjectType, getNamedType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { demo } from '../../src/demo/tokens.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import type { TestApp } from '../support/servers/app.js';
import { startDemo } from '../support/servers/season.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDemo();
  // The demo data has at most one row in each of the tables below, and no deprecated route.
  await app.sql.rows(`insert into platform (id, title) select 'p' || n, 'Platform ' || n from generate_series(1, 9) n`);
  await app.sql.rows(
    `insert into publishable_key (id, platform_id, hint, key_hash) select 'k' || n, 'p' || n, 'pk_', 'hash ' || n from generate_series(1, 9) n`,
  );
  await app.sql.rows(
    `insert into deprecation (id, route, platform_id, deprecated_at, text)
     select 'd' || n, 'GET /v1/data/teams', 'p' || n, now(), 'It is to go.' from generate_series(1, 9) n`,
  );
  await app.sql.rows(
    `insert into calendar_link (id, user_id, label, token_hash)
     select 'l' || n, 'demo-admin', 'A phone', 'hash ' || n from generate_series(1, 9) n`,
  );
  await app.sql.rows(
    `insert into webhook (id, platform_id, url, secret, paused_at)
     select 'w' || n, 'demo-platform', 'https://example.com/', 'none', now() from generate_series(1, 9) n`,
  );
  await app.sql.rows(
    `insert into webhook_delivery (id, webhook_id, event_key, event, record_type, record_key, happened_at)
     select 'h' || n, 'w' || n, 'e' || n, 'team.changed', 'Team', 't' || n, now() from generate_series(1, 9) n`,
  );
}, 60_000);
afterAll(() => app.close());

const tokens = { platform: demo.platformToken, user: demo.adminToken };
const schema = graphOfModules();

/** Returns a selection of a field: the leaf fields of an object, or the total count of a connection and the leaf fields of its nodes. */
function selectionOf(field: GraphQLField<unknown, unknown>): string {
  const type = getNamedType(field.type);
  if (field.args.some(isRequiredArgument)) return '';
  if (isLeafType(type)) return field.name;
  if (!isObjectType(type)) return '';
  if (type.name.endsWith('Connection')) return `${field.name}(first: 2) { totalCount nodes { ${leaves(itemOf(type))} } }`;
  return `${field.name} { ${leaves(type)} }`;
}

const itemOf = (connection: GraphQLObjectType) =>
  getNamedType(connection.getFields().nodes?.type ?? connection) as GraphQLObjectType;

const leaves = (type: GraphQLObjectType): string =>
  [
    '__typename',
    ...Object.values(type.getFields())
      .filter((field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument))
      .map(({ name }) => name),
  ].join(' ');

/** Returns a selection of all fields and relations of a record, one level deep. */
const allFields = (type: GraphQLObjectType) => Object.values(type.getFields()).map(selectionOf).join(' ');

/** Functions that return the required arguments of a list, keyed by list field. */
const parametersOf: Readonly<Record<string, () => Promise<string>>> = {
  async matches() {
    const row = await app.sql.row<{ id: string }>(
      'select tournament_id as id from match group by 1 order by count(*) desc, 1 limit 1',
    );
    return `, tournamentId: "${row?.id}"`;
  },
};

const lists = modules.flatMap(({ records }) =>
  records.flatMap((cls) => {
    const field = schema.getQueryType()?.getFields()[optionsOf(cls).many];
    const type = schema.getType(cls.name);
    return field && isObjectType(type) ? [{ name: field.name, type }] : [];
  }),
);

async function countStatements(
  name: string,
  type: GraphQLObjectType,
  first: number,
  parameters: string,
): Promise<{ statements: number; rows: number; total: number }> {
  const before = app.statements();
  const answer = await app.graphql(
    `{ ${name}(first: ${first}${parameters}) { totalCount nodes { ${allFields(type)} } } }`,
    {},
    tokens,
  );
  expect(answer.errors ?? []).toEqual([]);
  return { statements: app.statements() - before, rows: answer[name].nodes.length, total: answer[name].totalCount };
}

test.for(lists)('$name with all relations takes as many statements for forty rows as for eight', async ({ name, type }) => {
  const parameters = (await parametersOf[name]?.()) ?? '';
  const { total } = await countStatements(name, type, 1, parameters);
  const few = await countStatements(name, type, Math.max(1, Math.min(8, Math.floor(total / 2))), parameters);
  const withForty = await countStatements(name, type, 40, parameters);
  expect(withForty.rows, 'the demo season has several records').toBeGreaterThan(few.rows);
  expect(withForty.statements).toBeLessThanOrEqual(few.statements + 2);
});

const legacyLists = entriesOf(legacyRoutes)
  .filter(({ method, alternatives }) => method === 'GET' && alternatives.some(({ reply }) => reply.list))
  .map(({ path, alternatives }) => ({ path, isCached: alternatives.some(({ isCached }) => isCached) }));
const pathParameters: Record<string, string> = { '{module_for}': 'news', '{uuid}': 'demo-user', '{item_type}': '61' };
/** SQL that selects the owner of each list item, keyed by route. Used where the list would be empty for `pathParameters`. */
const ownerQueries: Record<string, string> = {
  '/v1/data/tournament_events/{uuid}/points': `select event_id as id from ranking_points where event_id <> ''`,
  '/v1/admin/system-approvals/{item_type}/{item_uuid}': `select item_id as id from approval where item_type = 'SPONSOR'`,
  '/v1/admin/system-approvals/{item_uuid}/comments': 'select item_id as id from approval_comment where not is_decline',
};
const query = new URLSearchParams({ retrieve_all: 'false', partner: 'PPA', match_uuid: '', page_size: '3' });

interface LegacyPage {
  status: number;
  statements: number;
  /** Number of pages that the service reads, with 100 rows per page. At least 1. */
  pages: number;
  rows: number;
}

async function getLegacyPage(path: string, size: number): Promise<LegacyPage> {
  query.set('page_size', String(size));
  const [owner] = ownerQueries[path]
    ? await app.sql.rows<{ id: string }>(`${ownerQueries[path]} group by 1 order by count(*) desc limit 1`)
    : [];
  const ownParameters: Record<string, string | undefined> = { '{uuid}': owner?.id, '{item_uuid}': owner?.id };
  const address = path.replaceAll(/\{\w+\}/g, (name) => ownParameters[name] ?? pathParameters[name] ?? 'unknown');
  const before = app.statements();
  const { status, body } = await app.rest('GET', `${address}?${query}`, tokens);
  const rows = (Object.values(body ?? {}).find(Array.isArray) ?? []).length;
  return { status, statements: app.statements() - before, pages: Math.max(1, Math.ceil(rows / 100)), rows };
}

describe('a legacy list', () => {
  beforeAll(async () => {
    pathParameters['{module_uuid}'] = (await app.graphql('{ news(first: 1) { nodes { id } } }', {}, tokens)).news.nodes[0].id;
  });

  test.for(legacyLists.filter(({ isCached }) => !isCached))(
    '$path takes a constant number of statements for each page',
    async ({ path }) => {
      const few = await getLegacyPage(path, 3);
      const longPage = await getLegacyPage(path, 20);
      expect({ few: few.status, many: longPage.status }).toEqual({ few: 200, many: 200 });
      expect(Math.min(few.statements, longPage.statements, few.rows)).toBeGreaterThan(0);
      expect(longPage.statements / longPage.pages).toBeLessThanOrEqual(few.statements / few.pages + 2);
      expect(longPage.statements / longPage.pages).toBeLessThanOrEqual(12);
    },
  );

  test.for(legacyLists.filter(({ isCached }) => isCached))(
    '$path takes one statement for each page and one for the token, and none once it is cached',
    async ({ path }) => {
      const uncached = await getLegacyPage(path, 3);
      const cached = await getLegacyPage(path, 20);
      expect({ uncached: uncached.status, cached: cached.status }).toEqual({ uncached: 200, cached: 200 });
      expect(uncached.statements).toBeGreaterThan(0);
      expect(uncached.statements / uncached.pages).toBeLessThanOrEqual(2);
      expect(cached.statements).toBe(0);
    },
  );
});
