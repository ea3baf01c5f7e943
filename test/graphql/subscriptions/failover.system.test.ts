import { afterEach, expect, test } from 'vitest';
import { migrate } from '../../../src/database/migrate.js';
import { openOrm } from '../../../src/database/orm.js';
import { startSendingWebhooks } from '../../../src/modules/live/webhooks/start-sending.js';
import { type Receiver, startWebhookReceiver } from '../../modules/live/webhooks/receiver.js';
import { type OpenSubscription, subscribe } from '../../support/clients/event-stream.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type DatabaseProxy, startDatabaseProxy } from '../../support/servers/database-proxy.js';
import { type Replicated, startReplicated } from '../../support/servers/replicated-postgres.js';
import { secondProcess } from '../../support/servers/second-app.js';
import { scratchDirectory } from '../../support/servers/service-process.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts a service with a webhook on a primary with a standby. */
async function start(): Promise<{ servers: Replicated; line: DatabaseProxy; app: TestApp; hook: Receiver }> {
  const servers = await startReplicated(await scratchDirectory(), async (url) => {
    const orm = await openOrm({ url });
    await migrate(orm);
    await orm.close();
  });
  closers.push(servers.stop);
  const line = await startDatabaseProxy(servers.primary);
  closers.push(line.stop);
  const environment = { DATABASE_URL: line.url, WEBHOOK_NETWORKS: '127.0.0.0/8' };
  const app = await startApp(environment, { url: line.url, drop: async () => undefined }, undefined, false);
  closers.push(app.close);
  const hook = await startWebhookReceiver();
  closers.push(hook.close);
  await app.graphql('mutation ($url: String!) { createWebhook(url: $url, events: ["tournament.*"]) { secret } }', {
    url: hook.url,
  });
  const { pools, services } = app.resources;
  const pauses = { seconds: [0.05, 0.1, 0.1], jitter: 0.1 };
  const sending = startSendingWebhooks(pools, services, {
    idleInterval: 50,
    busyInterval: 50,
    positionInterval: 60_000,
    grace: 100,
    pauses,
  });
  closers.push(() => sending.stop());
  return { servers, line, app, hook };
}

const save = (app: TestApp, title: string) =>
  app.graphql('mutation ($title: String!) { upsertTournament(input: { id: "cup", title: $title }) { id } }', { title });
const open = async (at: Pick<TestApp, 'origin'>, { platform }: TestApp, after: string | null): Promise<OpenSubscription> => {
  const stream = await subscribe(
    at,
    platform,
    'subscription ($after: String) { tournament(id: "cup", after: $after) { kind cursor tournament { title } } }',
    { after },
  );
  closers.push(stream.close);
  return stream;
};
/** Returns the kind or the errors of each event. */
const kindsOf = ({ events }: OpenSubscription) => events.map(({ data, errors }) => errors ?? Object(data?.tournament).kind);
const typesOf = ({ deliveries }: Receiver) => deliveries.map(({ type }) => type);

test('after a failover without lost changes, subscriptions and webhooks continue, even in a process that starts later', async () => {
  const { servers, line, app, hook } = await start();
  await save(app, 'Cup');
  const uninterrupted = await open(app, app, null);
  await save(app, 'Grand Prix');
  await save(app, 'Open');
  await uninterrupted.until(2);
  await expect.poll(() => hook.deliveries.length).toBe(3);
  const cursor = String(uninterrupted.events[0]?.data?.tournament?.cursor);
  await servers.caughtUp();
  await servers.promote();
  line.lead(servers.replica);
  await expect.poll(async () => (await save(app, 'Masters')).upsertTournament?.id).toBe('cup');
  await uninterrupted.until(3);
  const resumed = await open(app, app, cursor);
  await resumed.until(2);
  const laterProcess = await secondProcess({ databaseUrl: line.url });
  closers.push(laterProcess.close);
  const resumedLater = await open(laterProcess, app, cursor);
  await resumedLater.until(2);
  await expect.poll(() => hook.deliveries.length).toBe(4);
  expect({
    uninterrupted: kindsOf(uninterrupted),
    resumed: kindsOf(resumed),
    resumedLater: kindsOf(resumedLater),
    webhook: typesOf(hook),
  }).toEqual({
    uninterrupted: ['CHANGED', 'CHANGED', 'CHANGED'],
    resumed: ['CHANGED', 'CHANGED'],
    resumedLater: ['CHANGED', 'CHANGED'],
    webhook: ['tournament.created', 'tournament.changed', 'tournament.changed', 'tournament.changed'],
  });
}, 60_000);

test('after a failover that lost changes, subscriptions and webhooks are notified once and continue', async () => {
  const { servers, line, app, hook } = await start();
  await save(app, 'Cup');
  const uninterrupted = await open(app, app, null);
  await servers.caughtUp();
  servers.disconnect();
  await save(app, 'Lost');
  await uninterrupted.until(1);
  await expect.poll(() => hook.deliveries.length).toBe(2);
  const cursor = String(uninterrupted.events[0]?.data?.tournament?.cursor);
  await servers.promote();
  line.lead(servers.replica);
  await uninterrupted.until(2);
  const resumed = await open(app, app, cursor);
  await expect.poll(async () => (await save(app, 'Masters')).upsertTournament?.id).toBe('cup');
  await uninterrupted.until(3);
  await resumed.until(2);
  expect({ uninterrupted: kindsOf(uninterrupted), resumed: kindsOf(resumed) }).toEqual({
    uninterrupted: ['CHANGED', 'CHANGES_MISSED', 'CHANGED'],
    resumed: ['CHANGES_MISSED', 'CHANGED'],
  });
  // The webhook continues after the position at which it noticed the loss, so it may omit changes before that.
  const countOf = (type: string) => typesOf(hook).filter((each) => each === type).length;
  await expect.poll(() => countOf('changes.missed')).toBe(1);
  const before = countOf('tournament.changed');
  await save(app, 'Final');
  await expect.poll(() => countOf('tournament.changed')).toBeGreaterThan(before);
}, 60_000);
