import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { subgraphUrl } from '../../src/commands/emit.js';
import { engineNames, startGateway } from '../../src/commands/gateway/index.js';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Replicated, startReplicated } from '../support/replica.js';
import { scratchDirectory } from '../support/service.js';
import { supergraphFor } from '../support/supergraph.js';

// Whole gateways are started.
vi.setConfig({ testTimeout: 60_000 });

const header = 'consistency-token';
let servers: Replicated;
let app: TestApp;
beforeAll(async () => {
  servers = await startReplicated(await scratchDirectory(), async (url) => {
    const orm = await openOrm({ url });
    await migrate(orm);
    await orm.close();
  });
  const { primary: url, replica } = servers;
  const variables = {
    DATABASE_URL: url,
    DATABASE_REPLICA_URLS: replica,
    DATABASE_REPLICA_LAG: '600',
    ROUTER_SECRET: 'routers-only-secret',
    SUBGRAPHS: 'tournaments,checkout',
  };
  app = await startApp(variables, { url, drop: async () => undefined });
});
afterAll(async () => {
  await app.close();
  await servers.stop();
});

/** What a path answers, and the token that it tells. */
async function ask(path: string, body: object | null, token?: string, origin = app.origin) {
  const response = await fetch(origin + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      'PB-API-TOKEN': app.platform.platform,
      'router-secret': 'routers-only-secret',
      ...(token === undefined ? {} : { [header]: token }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { token: response.headers.get(header), answer: await response.json() };
}
const renaming = { query: 'mutation { upsertTournament(input: { id: "open", title: "after" }) { id } }' };
const entities = {
  query: 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Tournament { title } } }',
  variables: { of: [{ __typename: 'Tournament', id: 'open' }] },
};
const root = { query: '{ tournament(id: "open") { title } }' };
const subgraph = '/subgraphs/tournaments';

/** Where processors are scarce, a replica may be taken for one that is away until it has answered again. */
const replicaIsRead = () =>
  expect.poll(() => app.resources.pools.connection('read') === app.resources.pools.connection('write')).toBe(false);

beforeEach(async () => {
  await servers.resume();
  await ask('/graphql', { query: 'mutation { upsertTournament(input: { id: "open", title: "before" }) { id } }' });
  await servers.caughtUp();
  await servers.pause();
  await replicaIsRead();
});

test.each(['/graphql', subgraph])('a mutation at %s tells its token, and a query tells none', async (path) => {
  const [written, read] = [await ask(path, renaming), await ask(path, root)];
  expect(written.token).toMatch(/^[0-9A-F]+\/[0-9A-F]+~[\w-]{22}$/);
  expect(read).toEqual({ token: null, answer: expect.objectContaining({ data: { tournament: { title: 'before' } } }) });
});

const entity = (title: string) => ({ answer: { data: { _entities: [{ title }] } } });

test('entities are read from the primary where the router tells nothing, from a replica where it says that nothing was written', async () => {
  const { token } = await ask(subgraph, renaming);
  expect(await ask(subgraph, entities)).toMatchObject(entity('after'));
  expect(await ask(subgraph, entities, 'none')).toMatchObject(entity('before'));
  expect(await ask(subgraph, entities, token ?? '')).toMatchObject(entity('after'));
});

test('whoever sends the token sees the write, at every endpoint', async () => {
  const { token } = await ask('/graphql', renaming);
  const after = { answer: { data: { tournament: { title: 'after' } } } };
  for (const path of ['/graphql', subgraph]) expect(await ask(path, root, token ?? '')).toMatchObject(after);
  const legacy = await ask('/v1/data/tourney_flat_data?tournament_uuid=open', null, token ?? '');
  expect(JSON.stringify(legacy.answer)).toContain('after');
});

test('a token that nobody here signed leads to the primary and to no error', async () => {
  await ask('/graphql', renaming);
  for (const token of ['FFFFFFFF/FFFFFFFF~AAAAAAAAAAAAAAAAAAAAAA', 'x', '0/0~'])
    expect(await ask('/graphql', root, token)).toMatchObject({ answer: { data: { tournament: { title: 'after' } } } });
});

test('a replica that has the write answers itself', async () => {
  const { token } = await ask('/graphql', renaming);
  await servers.resume();
  await servers.caughtUp();
  await servers.pause();
  // Written past the service: only the primary has it.
  const sql = await app.resources.pools.pool();
  await sql.query(`update tournament set title = 'later' where id = 'open'`);
  expect(await ask('/graphql', root, token ?? '')).toMatchObject({ answer: { data: { tournament: { title: 'after' } } } });
});

test('a replica that is a moment behind is waited for', async () => {
  const { token } = await ask('/graphql', renaming);
  const asked = ask('/graphql', root, token ?? '');
  await servers.resume();
  expect(await asked).toMatchObject({ answer: { data: { tournament: { title: 'after' } } } });
});

test('a mutation reads what it wrote from the primary, relations too', async () => {
  const team = await app.graphql(
    'mutation { upsertTeam(input: { id: "pair", tournamentId: "open" }) { tournament { title teams { totalCount } } } }',
  );
  expect(team).toEqual({ upsertTeam: { tournament: { title: 'before', teams: { totalCount: 1 } } } });
  const written = await app.graphql(
    'mutation { upsertTournament(input: { id: "open", title: "after" }) { title teams { totalCount } } }',
  );
  expect(written).toEqual({ upsertTournament: { title: 'after', teams: { totalCount: 1 } } });
});

test('the replica follows', async () => {
  await ask('/graphql', renaming);
  await servers.resume();
  await servers.caughtUp();
  expect(await app.graphql(root.query)).toEqual({ tournament: { title: 'after' } });
});

test('a replica that is behind is read no longer, until it has caught up', async () => {
  const { primary: url, replica } = servers;
  const variables = { DATABASE_URL: url, DATABASE_REPLICA_URLS: replica, DATABASE_REPLICA_LAG: '1' };
  await ask('/graphql', renaming);
  const strict = await startApp(variables, { url, drop: async () => undefined });
  try {
    const title = async () => (await ask('/graphql', root, undefined, strict.origin)).answer.data.tournament.title;
    const from = () => strict.resources.pools.connection('read') === strict.resources.pools.connection('write');
    // It begins while the replica is behind, and nobody knows how far.
    await expect.poll(from).toBe(true);
    await servers.resume();
    await expect.poll(from).toBe(false);
    await servers.caughtUp();
    await servers.pause();
    await ask('/graphql', { query: 'mutation { upsertTournament(input: { id: "open", title: "later" }) { id } }' });
    expect(await title()).toBe('after');
    await expect.poll(title).toBe('later');
    expect(from()).toBe(true);
    await servers.resume();
    await expect.poll(from).toBe(false);
    expect(await title()).toBe('later');
  } finally {
    await strict.close();
  }
});

test.each(engineNames)('over a gateway of %s, subgraphs that are asked after a mutation see what it wrote', async (engine) => {
  const supergraph = supergraphFor((name) => subgraphUrl(name, app.origin));
  const gateway = await startGateway(engine, supergraph, 'routers-only-secret', pino({ level: 'silent' }));
  const over = (query: string, token?: string) => ask('/graphql', { query }, token, new URL(gateway.url).origin);
  const id = `new-${engine}`;
  const fields = '{ title discountCodes { totalCount } }';
  const one = `{ tournament(id: "${id}") ${fields} }`;
  try {
    await replicaIsRead();
    const { token, answer } = await over(`mutation { upsertTournament(input: { id: "${id}", title: "New" }) ${fields} }`);
    const [later, without] = [await over(one, token ?? ''), await over(one)];
    const seen = { title: 'New', discountCodes: { totalCount: 0 } };
    expect([answer.data?.upsertTournament, later.answer.data, without.answer.data]).toEqual([
      seen,
      { tournament: seen },
      { tournament: null },
    ]);
  } finally {
    await gateway.stop();
  }
});
