import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { connect } from '../../src/database/orm.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Replicated, startReplicated } from '../support/replica.js';

let servers: Replicated;
let app: TestApp;
beforeAll(async () => {
  servers = await startReplicated(async (url) => {
    const orm = await connect({ url });
    await migrate(orm);
    await orm.close();
  });
  const { primary: url, replica } = servers;
  app = await startApp({ DATABASE_URL: url, DATABASE_REPLICA_URLS: replica }, { url, drop: async () => undefined });
  await app.graphql('mutation { upsertTournament(input: { id: "open", title: "before" }) { id } }');
  await servers.caughtUp();
  await servers.pause();
});
afterAll(async () => {
  await app.close();
  await servers.stop();
});

const query = '{ tournament(id: "open") { title } }';

test('a mutation reads what it wrote from the primary, while a query reads from the replica', async () => {
  const written = await app.graphql(
    'mutation { upsertTournament(input: { id: "open", title: "after" }) { title teams { totalCount } } }',
  );
  expect([written.upsertTournament.title, await app.graphql(query)]).toEqual(['after', { tournament: { title: 'before' } }]);
});

test('a relation read after writing in the same request comes from the primary', async () => {
  const team = await app.graphql(
    'mutation { upsertTeam(input: { id: "pair", tournamentId: "open" }) { tournament { title teams { totalCount } } } }',
  );
  expect(team).toEqual({ upsertTeam: { tournament: { title: 'after', teams: { totalCount: 1 } } } });
});

test('the replica follows', async () => {
  await servers.resume();
  await servers.caughtUp();
  expect(await app.graphql(query)).toEqual({ tournament: { title: 'after' } });
});
