import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../src/database/migrate.js';
import { openOrm } from '../../../src/database/orm.js';
import { type Subscribed, subscribe } from '../../support/clients/event-stream.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type DatabaseProxy, startDatabaseProxy } from '../../support/servers/database-proxy.js';
import { type Replicated, startReplicated } from '../../support/servers/replicated-postgres.js';
import { scratchDirectory } from '../../support/servers/service-process.js';

let servers: Replicated;
let line: DatabaseProxy;
let app: TestApp;
beforeAll(async () => {
  servers = await startReplicated(await scratchDirectory(), async (url) => {
    const orm = await openOrm({ url });
    await migrate(orm);
    await orm.close();
  });
  line = await startDatabaseProxy(servers.primary);
  app = await startApp({ DATABASE_URL: line.url }, { url: line.url, drop: async () => undefined });
}, 120_000);
afterAll(async () => {
  await app?.close();
  line?.stop();
  await servers?.stop();
});

const save = (title: string) =>
  app.graphql('mutation ($title: String!) { upsertTournament(input: { id: "cup", title: $title }) { id } }', { title });
const open = (after: string | null): Promise<Subscribed> =>
  subscribe(
    app,
    app.platform,
    'subscription ($after: String) { tournament(id: "cup", after: $after) { kind cursor tournament { title } } }',
    { after },
  );
/** Returns each event as text: its kind and the title of the tournament, or its errors. */
const eventsOf = (stream: Subscribed) =>
  stream.events.map(({ data, errors }) => {
    const { kind, tournament } = Object(data?.tournament);
    return errors ?? `${kind} ${tournament?.title ?? ''}`.trim();
  });

test('after a failover, open and resumed subscriptions receive CHANGES_MISSED once and continue', async () => {
  await save('Cup');
  const uninterrupted = await open(null);
  await save('Open');
  const [beforeFailover] = await uninterrupted.until(1);
  await servers.caughtUp();
  await servers.promote();
  line.lead(servers.replica);
  await uninterrupted.until(2);
  const resumed = await open(String(beforeFailover?.data?.tournament?.cursor));
  await expect.poll(async () => (await save('Masters')).upsertTournament?.id).toBe('cup');
  await uninterrupted.until(3);
  await resumed.until(2);
  const resumedAfterReadAnew = await open(String(uninterrupted.events[1]?.data?.tournament?.cursor));
  await resumedAfterReadAnew.until(1);
  expect({
    uninterrupted: eventsOf(uninterrupted),
    resumed: eventsOf(resumed),
    resumedAfterReadAnew: eventsOf(resumedAfterReadAnew),
  }).toEqual({
    uninterrupted: ['CHANGED Open', 'CHANGES_MISSED', 'CHANGED Masters'],
    resumed: ['CHANGES_MISSED', 'CHANGED Masters'],
    resumedAfterReadAnew: ['CHANGED Masters'],
  });
  for (const stream of [uninterrupted, resumed, resumedAfterReadAnew]) stream.close();
}, 60_000);
