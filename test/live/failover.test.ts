import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Line, startLine } from '../support/line.js';
import { type Subscribed, subscribe } from '../support/live.js';
import { type Replicated, startReplicated } from '../support/replica.js';
import { scratchDirectory } from '../support/service.js';

let servers: Replicated;
let line: Line;
let app: TestApp;
beforeAll(async () => {
  servers = await startReplicated(await scratchDirectory(), async (url) => {
    const orm = await openOrm({ url });
    await migrate(orm);
    await orm.close();
  });
  line = await startLine(servers.primary);
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
const brief = (stream: Subscribed) =>
  stream.heard.map(({ data, errors }) => {
    const { kind, tournament } = Object(data?.tournament);
    return errors ?? `${kind} ${tournament?.title ?? ''}`.trim();
  });

test('after a failover subscribers are told to read anew, those who come back as well, and go on', async () => {
  await save('Cup');
  const stream = await open(null);
  await save('Open');
  const [before] = await stream.until(1);
  await servers.caughtUp();
  await servers.promote();
  line.lead(servers.replica);
  await stream.until(2);
  const again = await open(String(before?.data?.tournament?.cursor));
  await expect.poll(async () => (await save('Masters')).upsertTournament?.id).toBe('cup');
  await stream.until(3);
  await again.until(2);
  expect([brief(stream), brief(again)]).toEqual([
    ['CHANGED Open', 'READ_ANEW', 'CHANGED Masters'],
    ['READ_ANEW', 'CHANGED Masters'],
  ]);
  const anew = await open(String(stream.heard[1]?.data?.tournament?.cursor));
  await anew.until(1);
  expect(brief(anew)).toEqual(['CHANGED Masters']);
  for (const each of [stream, again, anew]) each.close();
}, 60_000);
