import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { disposableSettings, startEmbedded } from '../../src/database/embedded.js';
import { freePort } from '../../src/process/port.js';
import { dumpOf, packDump } from './dump.js';
import { buildRelease, releases } from './releases.js';
import { sampleOf } from './sample.js';

// Writes the schema and a sample of the demo season of a release to test/release/dumps. Builds a published release from its tag. For any
// other version, uses the code in the working directory.
// npm run dump -- 0.1.0

/** Runs the service of a directory until it has loaded the demo season. */
async function loadDemo(directory: string, databaseUrl: string): Promise<void> {
  const env = { DATABASE_URL: databaseUrl, DEMO: 'true', PORT: String(await freePort()), PATH: process.env.PATH };
  const service = spawn(process.execPath, ['dist/src/main.js'], { cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(service, 'exit');
  for await (const line of createInterface(service.stdout)) if (line.includes('Courtside is up')) service.kill('SIGINT');
  const [code] = await exit;
  if (code !== 0) throw new Error(`the service exited with ${code}`);
}

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Usage: npm run dump -- <version>, such as 0.1.0');
const directory = await mkdtemp(join(tmpdir(), 'courtside-release-'));
await chmod(directory, 0o711);
const postgres = await startEmbedded(join(directory, 'data'), { settings: disposableSettings });
try {
  const release = releases.find((each) => each.version === version);
  if (release) await buildRelease(release, join(directory, 'release'));
  await loadDemo(release ? join(directory, 'release') : '.', postgres.url);
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const dump = await sampleOf(client, await dumpOf(client));
  await client.end();
  const bytes = packDump(dump);
  await writeFile(`test/release/dumps/${version}.json.gz`, bytes);
  const rows = Object.values(dump.tables).reduce((sum, { length }) => sum + length, 0);
  console.log(`${rows} rows after ${dump.migrations.at(-1)}, ${Math.round(bytes.length / 1024)} kB`);
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
