import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../src/process/port.js';
import { type Scale, startLive } from '../../load/chaos/live/live.js';
import { token } from '../../load/chaos/workload.js';
import { type Process, startProcess } from '../../load/service-process.js';
import { type Postgres, startPostgres } from '../../support/servers/crashable-postgres.js';
import { buildService, scratchDirectory } from '../../support/servers/service-process.js';

/** Starts a process. Makes up to five attempts, because the database connection can time out on a busy machine. */
async function start(variables: Record<string, string>): Promise<Process> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startProcess(variables);
    } catch (error) {
      if (attempt === 5 || !String(error).includes('timeout expired')) throw error;
    }
  }
}

let postgres: Postgres;
let environments: Record<string, string>[];
let services: Process[];
beforeAll(async () => {
  [postgres] = await Promise.all([startPostgres(await scratchDirectory()), buildService()]);
  const shared = {
    DATABASE_URL: postgres.url,
    BOOTSTRAP_PLATFORM_TOKEN: token,
    RATE_LIMITS: 'address=100000/1m,account=100000/1m',
    SUBGRAPHS: 'none',
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    DATABASE_WAIT_TIMEOUT: '20',
  };
  environments = [
    { ...shared, PORT: String(await freePort()) },
    { ...shared, PORT: String(await freePort()) },
  ];
  services = [];
  for (const environment of environments) services.push(await start(environment));
}, 240_000);
afterAll(async () => {
  for (const service of services ?? []) {
    service.signal('SIGCONT');
    await service.stop();
  }
  await postgres?.stop();
});

const origins = () => services.map(({ origin }) => origin);

/** Injects a fault while writers and subscribers are active, and returns the violated guarantees. */
async function violationsDuring(fault: () => Promise<void>, scale: Scale = {}): Promise<string[]> {
  const live = await startLive(postgres.url, origins, { writers: 6, followers: 4, ...scale });
  try {
    await fault();
    const target = live.acknowledged() + 20;
    await expect.poll(() => live.acknowledged(), { timeout: 60_000 }).toBeGreaterThan(target);
    return (await live.counted(60)).broken;
  } finally {
    await live.stop();
  }
}

test('subscribers of a killed process resume at another process without missing a change', async () => {
  const violations = await violationsDuring(async () => {
    services[1]?.signal('SIGKILL');
    await services[1]?.stop();
    services[1] = await start(environments[1] ?? {});
  });
  expect(violations).toEqual([]);
}, 180_000);

test('lost notifications and a suspended process delay changes without losing any', async () => {
  const operator = new Client({ connectionString: postgres.url });
  await operator.connect();
  const violations = await violationsDuring(async () => {
    for (let cutConnections = 0; cutConnections < 4; ) {
      const { rowCount } = await operator.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'courtside changes'`,
      );
      cutConnections += rowCount ?? 0;
      await sleep(50);
    }
    services[0]?.signal('SIGSTOP');
    await sleep(1_200);
    services[0]?.signal('SIGCONT');
  });
  await operator.end();
  expect(violations).toEqual([]);
}, 180_000);

test.each(['fast', 'immediate'] as const)(
  'a database restart after a shutdown in mode %s loses no change',
  async (mode) => {
    const violations = await violationsDuring(async () => {
      await postgres.shutDown(mode);
      await postgres.restart();
    });
    expect(violations).toEqual([]);
  },
  180_000,
);
