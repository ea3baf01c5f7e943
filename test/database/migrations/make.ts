import 'reflect-metadata';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { disposableSettings, startEmbedded } from '../../../src/database/embedded.js';
import { migrate } from '../../../src/database/migrate.js';
import { openOrm } from '../../../src/database/orm.js';
import { loadDemo } from '../../../src/demo/index.js';
import { Pools, Session } from '../../../src/kernel/session.js';
import { loadReference } from '../../../src/modules/reference/load-sql.js';
import { dumpOf, pack } from './dump.js';
import { sampleOf } from './sample.js';

// Dumps a sample of the demo season in the schema of this release, as test data for later migrations: npm run dump
const directory = await mkdtemp(join(tmpdir(), 'courtside-release-'));
await chmod(directory, 0o711);
const postgres = await startEmbedded(directory, { settings: disposableSettings });
try {
  const orm = await openOrm({ url: postgres.url });
  await migrate(orm);
  const sql = new Session(new Pools(orm), 'write');
  await loadReference(sql);
  await loadDemo(sql, () => undefined);
  await orm.close();
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const dump = await sampleOf(client, await dumpOf(client));
  await client.end();
  const bytes = pack(dump);
  await writeFile('test/database/migrations/data.json.gz', bytes);
  const rows = Object.values(dump.tables).reduce((sum, { length }) => sum + length, 0);
  console.log(`${rows} rows after ${dump.migrations.at(-1)}, ${Math.round(bytes.length / 1024)} kB`);
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
