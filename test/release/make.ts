import 'reflect-metadata';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { disposable, startEmbedded } from '../../src/database/embedded.js';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { loadDemo } from '../../src/demo/index.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { loadReference } from '../../src/modules/reference/load.js';
import { dumpOf, packed } from './dump.js';
import { sampleOf } from './sample.js';

// Keeps the demo season as this release writes it, for the migrations of later ones: npm run dump
const directory = await mkdtemp(join(tmpdir(), 'courtside-release-'));
await chmod(directory, 0o711);
const postgres = await startEmbedded(directory, { settings: disposable });
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
  const bytes = packed(dump);
  await writeFile('test/release/data.json.gz', bytes);
  const rows = Object.values(dump.tables).reduce((sum, { length }) => sum + length, 0);
  console.log(`${rows} rows after ${dump.migrations.at(-1)}, ${Math.round(bytes.length / 1024)} kB`);
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
