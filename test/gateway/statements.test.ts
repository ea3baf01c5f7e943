import { type GraphQLField, type GraphQLObjectType, getNamedType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { loadDemo } from '../../src/demo/index.js';
import { demo } from '../../src/demo/tokens.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows('delete from platform');
  await loadDemo(app.sql, () => undefined);
  // The season has one of each, and no route is to go.
  await app.sql.rows(`insert into platform (id, title) select 'p' || n, 'Platform ' || n from generate_series(1, 9) n`);
  await app.sql.rows(
    `insert into publishable_key (id, platform_id, key_hash) select 'k' || n, 'p' || n, 'hash ' || n from generate_series(1, 9) n`,
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
     select 'w' || n, (select id from platform where id not like 'p_'), 'https://example.com/', 'none', now() from generate_series(1, 9) n`,
  );
  await app.sql.rows(
    `insert into webhook_delivery (id, webhook_id, event_key, event, record_type, record_key, happened_at)
     select 'h' || n, 'w' || n, 'e' || n, 'team.changed', 'Team', 't' || n, now() from generate_series(1, 9) n`,
  );
}, 60_000);
afterAll(() => app.close());

const tokens = { platform: demo.platformToken, user: demo.adminToken };
const schema = graphOfModules();

/** A field with one level below it: every leaf of an object, the ids and the count of a connection. */
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

/** Every field of a record, everything that it leads to, one level deep. */
const everything = (type: GraphQLObjectType) => Object.values(type.getFields()).map(selectionOf).join(' ');

const lists = modules.flatMap(({ records }) =>
  records.flatMap((cls) => {
    const field = schema.getQueryType()?.getFields()[optionsOf(cls).many];
    const type = schema.getType(cls.name);
    return field && isObjectType(type) ? [{ name: field.name, type }] : [];
  }),
);

async function statements(
  name: string,
  type: GraphQLObjectType,
  first: number,
): Promise<{ taken: number; rows: number; total: number }> {
  const before = app.statements();
  const answer = await app.graphql(`{ ${name}(first: ${first}) { totalCount nodes { ${everything(type)} } } }`, {}, tokens);
  expect(answer.errors ?? []).toEqual([]);
  return { taken: app.statements() - before, rows: answer[name].nodes.length, total: answer[name].totalCount };
}

test.for(lists)('$name: as many statements for forty rows as for eight, all relations included', async ({ name, type }) => {
  const { total } = await statements(name, type, 1);
  const few = await statements(name, type, Math.max(1, Math.min(8, Math.floor(total / 2))));
  const many = await statements(name, type, 40);
  expect(many.rows, 'the demo season has several of it').toBeGreaterThan(few.rows);
  expect(many.taken).toBeLessThanOrEqual(few.taken + 2);
});

const legacyLists = entriesOf(legacyRoutes)
  .filter(({ method, alternatives }) => method === 'GET' && alternatives.some(({ reply }) => reply.list))
  .map(({ path, alternatives }) => ({ path, isKept: alternatives.some(({ keep }) => keep) }));
const known: Record<string, string> = { '{module_for}': 'news', '{uuid}': 'demo-user', '{item_type}': '61' };
/** Whose lists are asked for where another record than the ones above has such a list, as SQL of its id. */
const holders: Record<string, string> = {
  '/v1/data/tournament_events/{uuid}/points': `select event_id as id from ranking_points where event_id <> ''`,
  '/v1/admin/system-approvals/{item_type}/{item_uuid}': `select item_id as id from approval where item_type = 'SPONSOR'`,
  '/v1/admin/system-approvals/{item_uuid}/comments': 'select item_id as id from approval_comment',
};
const query = new URLSearchParams({ retrieve_all: 'false', partner: 'PPA', match_uuid: '', page_size: '3' });

/** A page of a legacy list: statements taken, and pages of a hundred rows that the answer was read in. */
async function legacyPage(path: string, size: number): Promise<{ status: number; taken: number; pages: number; count: number }> {
  query.set('page_size', String(size));
  const [held] = holders[path]
    ? await app.sql.rows<{ id: string }>(`${holders[path]} group by 1 order by count(*) desc limit 1`)
    : [];
  const own: Record<string, string | undefined> = { '{uuid}': held?.id, '{item_uuid}': held?.id };
  const filled = path.replaceAll(/\{\w+\}/g, (name) => own[name] ?? known[name] ?? 'unknown');
  const before = app.statements();
  const { status, body } = await app.rest('GET', `${filled}?${query}`, tokens);
  const rows = Object.values(body ?? {}).find(Array.isArray) ?? [];
  return { status, taken: app.statements() - before, pages: Math.max(1, Math.ceil(rows.length / 100)), count: rows.length };
}

describe('a legacy list', () => {
  beforeAll(async () => {
    known['{module_uuid}'] = (await app.graphql('{ news(first: 1) { nodes { id } } }', {}, tokens)).news.nodes[0].id;
  });

  test.for(legacyLists.filter(({ isKept }) => !isKept))(
    '$path takes a constant number of statements a page',
    async ({ path }) => {
      const [few, many] = [await legacyPage(path, 3), await legacyPage(path, 20)];
      expect([few.status, many.status]).toEqual([200, 200]);
      expect(Math.min(few.taken, many.taken, few.count)).toBeGreaterThan(0);
      expect(many.taken / many.pages).toBeLessThanOrEqual(few.taken / few.pages + 2);
      expect(many.taken / many.pages).toBeLessThanOrEqual(12);
    },
  );

  test.for(legacyLists.filter(({ isKept }) => isKept))(
    '$path takes a statement a page, and one for the token, and none again',
    async ({ path }) => {
      const [first, again] = [await legacyPage(path, 3), await legacyPage(path, 20)];
      expect([first.status, again.status]).toEqual([200, 200]);
      expect([first.taken / first.pages <= 2, first.taken > 0, again.taken]).toEqual([true, true, 0]);
    },
  );
});
