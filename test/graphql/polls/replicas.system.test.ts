import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrate } from '../../../src/database/migrate.js';
import { openOrm } from '../../../src/database/orm.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Replicated, startReplicated } from '../../support/servers/replicated-postgres.js';
import { scratchDirectory } from '../../support/servers/service-process.js';

// Copying and starting a replica takes longer than the default timeout.
vi.setConfig({ testTimeout: 30_000 });

let servers: Replicated;
let app: TestApp;
beforeAll(async () => {
  servers = await startReplicated(await scratchDirectory(), async (url) => {
    const orm = await openOrm({ url });
    await migrate(orm);
    await orm.close();
  });
  const { primary: url, replica } = servers;
  const variables = { DATABASE_URL: url, DATABASE_REPLICA_URLS: replica, DATABASE_REPLICA_LAG: '600' };
  app = await startApp(variables, { url, drop: async () => undefined });
}, 90_000);
afterAll(async () => {
  await app.close();
  await servers.stop();
});

const write = (seed: number) =>
  app.graphql('mutation ($seed: Int) { upsertTeam(input: { id: "a", seed: $seed }) { id } }', { seed });
const get = (tag?: string) =>
  app.rest('GET', '/v1/data/teams/a', app.platform, undefined, tag === undefined ? {} : { 'if-none-match': tag });

test('a poll that a replica executed stays fresh only up to the position that the replica had replayed', async () => {
  await write(1);
  await servers.caughtUp();
  /** Waits until a poll gets a response without running the query of its route. Returns the ETag. */
  const waitForFreshTag = () =>
    vi.waitUntil(
      async () => {
        const tag = (await get()).headers.get('etag') ?? '';
        const texts = app.texts();
        const { status } = await get(tag);
        return status === 304 && !texts.some((text) => /from "?team\b/.test(text)) ? tag : null;
      },
      { timeout: 15_000 },
    );
  const first = await waitForFreshTag();
  await servers.pause();
  await write(2);
  const { freshness } = app.resources.services.changes;
  // The process follows the change log on the primary, so it sees a change that the replica has not replayed yet.
  const before = freshness.moment?.position ?? 0;
  await write(3);
  await vi.waitUntil(() => (freshness.moment?.position ?? 0) > before, { timeout: 15_000 });
  expect((await get(first)).headers.get('etag')).toBe(first);
  const texts = app.texts();
  await get(first);
  expect(texts.some((text) => /from "?team\b/.test(text))).toBe(true);
  await servers.resume();
  await servers.caughtUp();
  expect((await get(first)).status).toBe(200);
  expect(await waitForFreshTag()).not.toBe(first);
});
