import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { LogPositionReader } from '../../src/database/replicas/log-position-sql.js';
import { replicaPosition } from '../../src/graphql/read-your-writes/position-sql.js';
import { withHostsParameter } from '../../src/kernel/primary-host.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { openLeaderLock } from '../../src/modules/live/webhooks/leader-lock.js';
import { type Replicated, startReplicated } from '../support/servers/replicated-postgres.js';
import { type Service, scratchDirectory, startService } from '../support/servers/service-process.js';

const token = 'failover-platform-token-6b1e';
let servers: Replicated;
let service: Service;
/** URL that lists the standby before the primary. */
let url: string;
beforeAll(async () => {
  servers = await startReplicated(await scratchDirectory(), async (primary) => {
    const orm = await openOrm({ url: primary });
    await migrate(orm);
    await orm.close();
  });
  const { host } = new URL(servers.primary);
  url = servers.replica.replace(/@([^/]+)\//, `@$1,${host}/`);
  service = await startService({
    DATABASE_URL: `${url}?target_session_attrs=read-write`,
    BOOTSTRAP_PLATFORM_TOKEN: token,
    LOG_LEVEL: 'warn',
    PATH: process.env.PATH ?? '',
  });
}, 120_000);
afterAll(async () => {
  service.signal('SIGTERM');
  await service.exit;
  await servers.stop();
});

/** Writes a tournament. Returns the status and the code of the first error: a failed mutation can have the status 200. */
async function upsert(title: string): Promise<string> {
  const response = await fetch(`${service.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PB-API-TOKEN': token },
    body: JSON.stringify({
      query: 'mutation ($title: String!) { upsertTournament(input: { id: "t", title: $title }) { title } }',
      variables: { title },
    }),
  });
  const { errors } = await response.json();
  return `${response.status} ${errors ? errors[0].extensions.code : 'OK'}`;
}

test('a service keeps no connection to a standby, and reports it as unavailable', async () => {
  const orm = openOrm({ url: servers.replica });
  await orm.applyTimeouts({ statement: 5, lock: 2, idle: 10 });
  const session = new Session(new Pools(orm), 'write');
  await expect(session.rows('select 1', [])).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE', retryAfter: 5 } });
  const pool = await session.pools.pool();
  // The locks of a standby are independent of the locks of the primary.
  const lock = await openLeaderLock(session.pools, null);
  expect({ isOpen: await lock.check(), isHeld: lock.isHeld }).toEqual({ isOpen: false, isHeld: false });
  await lock.close();
  expect({ connections: pool.totalCount }).toEqual({ connections: 0 });
  await orm.close();
});

test('with several hosts in DATABASE_URL, a running service writes to the standby after it is promoted', async () => {
  const { pid } = service;
  const before = await upsert('before');
  await servers.caughtUp();
  await servers.promote();
  await expect.poll(() => upsert('after'), { timeout: 10_000 }).toBe('200 OK');
  // Opens further connections, which must go to the promoted server as well.
  const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => upsert(`title ${index}`)));
  const orm = openOrm({ url: withHostsParameter(url) });
  const [row] = await orm.em.execute('select count(*)::int as count from tournament').finally(() => orm.close());
  expect({ before, pid: service.pid, responses: new Set(responses), row }).toEqual({
    before: '200 OK',
    pid,
    responses: new Set(['200 OK']),
    row: { count: 1 },
  });
});

test('a promoted server that is also listed as a replica is up to date', async () => {
  const orm = openOrm({ url: servers.replica, replicas: [servers.replica] });
  const pools = new Pools(orm);
  const [connection] = pools.replicas;
  if (!connection) throw new Error('there is no replica');
  const reader = new LogPositionReader(pools, connection, false);
  const session = new Session(pools, 'read');
  const written = new LogPositionReader(pools, pools.connection('write'), true);
  const positions = { applied: await reader.readPosition(), written: await written.readPosition() };
  const replayed = await replicaPosition(session);
  reader.close();
  written.close();
  await orm.close();
  expect({ isUpToDate: positions.applied >= positions.written, replayed }).toEqual({ isUpToDate: true, replayed: null });
});
