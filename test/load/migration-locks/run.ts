import 'reflect-metadata';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { type MigrationClass, migrations } from '../../../migrations/index.js';
import { startEmbedded } from '../../../src/database/embedded.js';
import { migrate } from '../../../src/database/migrate.js';
import { openOrm } from '../../../src/database/orm.js';
import { type Contender, prepareDatabase, startService } from '../bench/contenders.js';
import { loadGrowth } from '../bench/growth-rows.js';
import { measureLocks } from './measure-locks.js';
import { SeasonAsSteps, SeasonAtOnce, undoStatements } from './sample-migrations.js';
import { startTraffic } from './traffic.js';

// Measures how long a migration of a large table blocks the requests of a running service: once in steps, and once in one transaction.
// npm run migration-locks -- [--tournaments 200000]
const { values: options } = parseArgs({ options: { tournaments: { type: 'string', default: '200000' } } });

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2);

/** Runs a function while clients read and write, and prints a row with the times. */
async function measure(
  service: Contender,
  url: string,
  ids: readonly string[],
  title: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const stopTraffic = startTraffic(service, ids);
  const stopLocks = await measureLocks(url, 'tournament');
  await sleep(2_000);
  const startedAt = performance.now();
  await work();
  const duration = performance.now() - startedAt;
  await sleep(2_000);
  const { longestHold, longestWait } = await stopLocks();
  const { reads, writes } = await stopTraffic();
  const cells = [duration, longestHold, longestWait, reads.slowest, writes.slowest].map(seconds);
  console.log(`| ${title} | ${cells.join(' | ')} | ${reads.failed + writes.failed} of ${reads.count + writes.count} |`);
}

async function run(directory: string): Promise<void> {
  const postgres = await startEmbedded(directory, { settings: { shared_buffers: '512MB', max_wal_size: '4GB' } });
  const { url } = postgres;
  const orm = openOrm({ url, pool: 3, isLazy: true });
  const client = new Client({ connectionString: url });
  try {
    const token = await prepareDatabase(
      url,
      loadGrowth(Number(options.tournaments), (table) => console.error(`Loading ${table} …`), 0),
    );
    await client.connect();
    const { rows } = await client.query('select id from tournament order by id limit 20000');
    const service = await startService(url, token);
    const ids = rows.map(({ id }) => id);
    const migrateWith = (migration: MigrationClass) => () =>
      migrate(orm, [...migrations, migration], {
        report: ({ state, step, seconds: elapsed }) =>
          console.error(`${migration.name}: ${state} (step ${step}, ${elapsed.toFixed(1)} s)`),
      });
    try {
      console.log(
        '| change | duration, s | longest lock, s | longest wait for a lock, s | slowest read, s | slowest write, s | failed requests |',
      );
      console.log(`|---${'|--:'.repeat(6)}|`);
      await measure(service, url, ids, 'none', () => sleep(20_000));
      await measure(service, url, ids, 'steps', migrateWith(SeasonAsSteps));
      for (const statement of undoStatements) await client.query(statement);
      await measure(service, url, ids, 'one transaction', migrateWith(SeasonAtOnce));
    } finally {
      await service.stop();
    }
  } finally {
    await client.end();
    await orm.close();
    await postgres.stop();
  }
}

const directory = await mkdtemp(join(tmpdir(), 'courtside-migration-locks-'));
await chmod(directory, 0o711);
try {
  await run(directory);
} finally {
  await rm(directory, { recursive: true, force: true });
}
