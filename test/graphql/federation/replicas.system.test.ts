import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { subgraphUrl } from '../../../src/commands/emit.js';
import { engineNames } from '../../../src/commands/supergraph/gateway/engines.js';
import { startGateway } from '../../../src/commands/supergraph/gateway/index.js';
import { migrate } from '../../../src/database/migrate.js';
import { openOrm } from '../../../src/database/orm.js';
import { missingEngine } from '../../support/clients/gateway.js';
import { requires } from '../../support/prerequisites.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Replicated, startReplicated } from '../../support/servers/replicated-postgres.js';
import { scratchDirectory } from '../../support/servers/service-process.js';
import { supergraphFor } from '../../support/servers/supergraph.js';

// Starting a gateway takes longer than the default timeout.
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

/** Sends a request. Returns the body and the consistency token of the response. */
async function send(path: string, body: object | null, token?: string, origin = app.origin, key?: string) {
  const response = await fetch(origin + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      'PB-API-TOKEN': app.platform.platform,
      'router-secret': 'routers-only-secret',
      ...(token === undefined ? {} : { [header]: token }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { token: response.headers.get(header), body: await response.json() };
}
const rename = { query: 'mutation { upsertTournament(input: { id: "open", title: "after" }) { id } }' };
const entities = {
  query: 'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Tournament { title } } }',
  variables: { representations: [{ __typename: 'Tournament', id: 'open' }] },
};
const tournament = { query: '{ tournament(id: "open") { title } }' };
const subgraph = '/subgraphs/tournaments';

/** Waits until reads use the replica. On a busy machine, a replica can count as unreachable until it has responded again. */
const waitForReplica = () =>
  expect.poll(() => app.resources.pools.connection('read') === app.resources.pools.connection('write')).toBe(false);

beforeEach(async () => {
  await servers.resume();
  await send('/graphql', { query: 'mutation { upsertTournament(input: { id: "open", title: "before" }) { id } }' });
  await servers.caughtUp();
  await servers.pause();
  await waitForReplica();
});

const withTitle = (title: string) => ({ body: { data: { tournament: { title } } } });

test.each(['/graphql', subgraph])('a mutation at %s responds with a consistency token, a query without one', async (path) => {
  const written = await send(path, rename);
  expect(written.token).toMatch(/^[0-9A-F]+\/[0-9A-F]+~[\w-]{22}$/);
  expect(await send(path, tournament)).toEqual({
    token: null,
    body: expect.objectContaining({ data: { tournament: { title: 'before' } } }),
  });
});

test('the repeated response of a mutation with an idempotency key has a consistency token', async () => {
  const sendWithKey = () => send('/graphql', rename, undefined, app.origin, 'rename-once');
  const first = await sendWithKey();
  const repeated = await sendWithKey();
  expect(repeated).toEqual({ token: expect.stringMatching(/^[0-9A-F]+\/[0-9A-F]+~/), body: first.body });
  expect(await send('/graphql', tournament, repeated.token ?? '')).toMatchObject(withTitle('after'));
});

const entityWithTitle = (title: string) => ({ body: { data: { _entities: [{ title }] } } });

test('entities are read from the primary, unless the router states that nothing was written', async () => {
  const { token } = await send(subgraph, rename);
  expect(await send(subgraph, entities)).toMatchObject(entityWithTitle('after'));
  expect(await send(subgraph, entities, 'none')).toMatchObject(entityWithTitle('before'));
  expect(await send(subgraph, entities, token ?? '')).toMatchObject(entityWithTitle('after'));
});

test('a request with the token of a write reads that write, at every endpoint', async () => {
  const { token } = await send('/graphql', rename);
  for (const path of ['/graphql', subgraph]) expect(await send(path, tournament, token ?? '')).toMatchObject(withTitle('after'));
  const legacy = await send('/v1/data/tourney_flat_data?tournament_uuid=open', null, token ?? '');
  expect(JSON.stringify(legacy.body)).toContain('after');
});

test.each(['FFFFFFFF/FFFFFFFF~AAAAAAAAAAAAAAAAAAAAAA', 'x', '0/0~'])(
  'a request with the invalid token %s reads from the primary',
  async (token) => {
    await send('/graphql', rename);
    expect(await send('/graphql', tournament, token)).toMatchObject(withTitle('after'));
  },
);

test('a replica that has the write of the token is read', async () => {
  const { token } = await send('/graphql', rename);
  await servers.resume();
  await servers.caughtUp();
  await servers.pause();
  // This update bypasses the service, and only the primary database has it.
  const sql = await app.resources.pools.pool();
  await sql.query(`update tournament set title = 'later' where id = 'open'`);
  expect(await send('/graphql', tournament, token ?? '')).toMatchObject(withTitle('after'));
});

test('a request with a token waits for a replica that is slightly behind', async () => {
  const { token } = await send('/graphql', rename);
  const answer = send('/graphql', tournament, token ?? '');
  await servers.resume();
  expect(await answer).toMatchObject(withTitle('after'));
});

test('a mutation reads its writes and their relations from the primary', async () => {
  const team = await app.graphql(
    'mutation { upsertTeam(input: { id: "pair", tournamentId: "open" }) { tournament { title teams { totalCount } } } }',
  );
  expect(team).toEqual({ upsertTeam: { tournament: { title: 'before', teams: { totalCount: 1 } } } });
  const renamed = await app.graphql(
    'mutation { upsertTournament(input: { id: "open", title: "after" }) { title teams { totalCount } } }',
  );
  expect(renamed).toEqual({ upsertTournament: { title: 'after', teams: { totalCount: 1 } } });
});

test('a write reaches the replica', async () => {
  await send('/graphql', rename);
  await servers.resume();
  await servers.caughtUp();
  expect(await app.graphql(tournament.query)).toEqual({ tournament: { title: 'after' } });
});

test('a replica that exceeds the lag limit is not read until it has caught up', async () => {
  const { primary: url, replica } = servers;
  const variables = { DATABASE_URL: url, DATABASE_REPLICA_URLS: replica, DATABASE_REPLICA_LAG: '1' };
  await send('/graphql', rename);
  const strictApp = await startApp(variables, { url, drop: async () => undefined });
  try {
    const title = async () => (await send('/graphql', tournament, undefined, strictApp.origin)).body.data.tournament.title;
    const readsPrimary = () => strictApp.resources.pools.connection('read') === strictApp.resources.pools.connection('write');
    // The app starts while the lag of the replica is unknown.
    await expect.poll(readsPrimary).toBe(true);
    await servers.resume();
    await expect.poll(readsPrimary).toBe(false);
    await servers.caughtUp();
    await servers.pause();
    await send('/graphql', { query: 'mutation { upsertTournament(input: { id: "open", title: "later" }) { id } }' });
    expect(await title()).toBe('after');
    await expect.poll(title).toBe('later');
    expect(readsPrimary()).toBe(true);
    await servers.resume();
    await expect.poll(readsPrimary).toBe(false);
    expect(await title()).toBe('later');
  } finally {
    await strictApp.close();
  }
});

test('a replica that does not apply the writes of the primary has a growing lag', async () => {
  const { pools } = app.resources;
  const lag = () => [...pools.replicaLags.values()].map((milliseconds) => milliseconds ?? Number.NaN);
  const [lagBefore = 0] = lag();
  await send('/graphql', rename);
  await expect.poll(() => lag().every((milliseconds) => milliseconds > lagBefore)).toBe(true);
  await servers.resume();
  await expect.poll(lag).toEqual([0]);
});

for (const engine of engineNames)
  test(
    `subgraphs behind a gateway of ${engine} read the writes of the mutation that they execute`,
    requires(missingEngine(engine)),
    async () => {
      const supergraph = supergraphFor((name) => subgraphUrl(name, app.origin));
      const gateway = await startGateway(engine, supergraph, 'routers-only-secret', pino({ level: 'silent' }));
      const sendOver = (query: string, token?: string) => send('/graphql', { query }, token, new URL(gateway.url).origin);
      const id = `new-${engine}`;
      const fields = '{ title discountCodes { totalCount } }';
      const query = `{ tournament(id: "${id}") ${fields} }`;
      try {
        await waitForReplica();
        const mutation = await sendOver(`mutation { upsertTournament(input: { id: "${id}", title: "New" }) ${fields} }`);
        const queryWithToken = await sendOver(query, mutation.token ?? '');
        const queryWithoutToken = await sendOver(query);
        const created = { title: 'New', discountCodes: { totalCount: 0 } };
        expect({
          mutation: mutation.body.data?.upsertTournament,
          queryWithToken: queryWithToken.body.data,
          queryWithoutToken: queryWithoutToken.body.data,
        }).toEqual({
          mutation: created,
          queryWithToken: { tournament: created },
          queryWithoutToken: { tournament: null },
        });
      } finally {
        await gateway.stop();
      }
    },
  );
