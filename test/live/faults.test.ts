import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/port.js';
import { beginLive, type Scale } from '../chaos/live/live.js';
import { token } from '../chaos/workload.js';
import { type Postgres, startPostgres } from '../support/own-postgres.js';
import { type Process, startProcess } from '../support/process.js';
import { built, scratchDirectory } from '../support/service.js';

/** Starts a process; on a starved machine it may give up on the database before it has loaded. */
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
let variables: Record<string, string>[];
let services: Process[];
beforeAll(async () => {
  [postgres] = await Promise.all([startPostgres(await scratchDirectory()), built()]);
  const all = {
    DATABASE_URL: postgres.url,
    BOOTSTRAP_PLATFORM_TOKEN: token,
    RATE_LIMITS: 'address=100000/1m,account=100000/1m',
    SUBGRAPHS: 'none',
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    DATABASE_WAIT_TIMEOUT: '20',
  };
  variables = [
    { ...all, PORT: String(await freePort()) },
    { ...all, PORT: String(await freePort()) },
  ];
  services = [];
  for (const each of variables) services.push(await start(each));
}, 240_000);
afterAll(async () => {
  for (const service of services ?? []) {
    service.signal('SIGCONT');
    await service.stop();
  }
  await postgres?.stop();
});

const origins = () => services.map(({ origin }) => origin);

/** Lets something happen while there are writers and subscribers, and tells what was promised and not kept. */
async function during(happen: () => Promise<void>, scale: Scale = {}): Promise<string[]> {
  const live = await beginLive(postgres.url, origins, { writers: 6, followers: 4, ...scale });
  try {
    await happen();
    const enough = live.acknowledged() + 20;
    await expect.poll(() => live.acknowledged(), { timeout: 60_000 }).toBeGreaterThan(enough);
    return (await live.counted(60)).broken;
  } finally {
    await live.stop();
  }
}

test('of a process that is killed with its streams open, subscribers come back to another one and miss nothing', async () => {
  const broken = await during(async () => {
    services[1]?.signal('SIGKILL');
    await services[1]?.stop();
    services[1] = await start(variables[1] ?? {});
  });
  expect(broken).toEqual([]);
}, 180_000);

test('notices that are lost, and a process that stands still, delay changes and lose none', async () => {
  const operator = new Client({ connectionString: postgres.url });
  await operator.connect();
  const broken = await during(async () => {
    for (let cut = 0; cut < 4; ) {
      const { rowCount } = await operator.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'courtside changes'`,
      );
      cut += rowCount ?? 0;
      await sleep(50);
    }
    services[0]?.signal('SIGSTOP');
    await sleep(1_200);
    services[0]?.signal('SIGCONT');
  });
  await operator.end();
  expect(broken).toEqual([]);
}, 180_000);

test.each(['fast', 'immediate'] as const)(
  'a database that is ended (%s) and started again loses no change',
  async (how) => {
    const broken = await during(async () => {
      await postgres.shutDown(how);
      await postgres.restart();
    });
    expect(broken).toEqual([]);
  },
  180_000,
);
