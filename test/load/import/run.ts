import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../../../src/database/embedded.js';
import { postmasterOf } from '../bench/cpu.js';
import { type GeneratedTable, generateFile } from './generate-files.js';

// Measures how fast `courtside import` reads records from another system into an embedded PostgreSQL with default settings.
// npm run import-speed -- [--rows 200000]
const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '200000' } } });
const rows = Number(options.rows);

/** Imported tables. Each table refers to rows of earlier tables. */
const tables: readonly GeneratedTable[] = ['app_user', 'tournament', 'registration'];

/** Runs a built command. Throws if it fails. */
async function run(args: readonly string[], url: string): Promise<void> {
  const child = spawn(process.execPath, ['dist/src/commands/run.js', ...args], {
    env: { DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`courtside ${args.join(' ')} exited with code ${code}`);
}

/** Returns the CPU time of the finished child processes of a process, in seconds. */
function childTime(pid: number | 'self'): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

interface Times {
  readonly elapsed: number;
  readonly node: number;
  readonly postgres: number;
}

/** Imports a directory and measures elapsed and CPU times, in seconds. */
async function measureImport(records: string, url: string, postmaster: number): Promise<Times> {
  const before = { elapsed: performance.now() / 1000, node: childTime('self'), postgres: childTime(postmaster) };
  await run(['import', records], url);
  return {
    elapsed: performance.now() / 1000 - before.elapsed,
    node: childTime('self') - before.node,
    postgres: childTime(postmaster) - before.postgres,
  };
}

async function measure(directory: string): Promise<void> {
  const postgres = await startEmbedded(join(directory, 'postgres'));
  try {
    await run(['migrate'], postgres.url);
    const postmaster = await postmasterOf(postgres.url);
    console.log(
      '| table | rows | seconds | rows/s | CPU seconds of the command | CPU seconds of PostgreSQL | seconds of the repeated import |',
    );
    console.log('|---|---|---|---|---|---|---|');
    const total = { elapsed: 0, node: 0, postgres: 0 };
    const print = (table: string, count: number, { elapsed, node, postgres: server }: Times, repeated: string) =>
      console.log(
        `| ${table} | ${count} | ${elapsed.toFixed(1)} | ${Math.round(count / elapsed)} | ${node.toFixed(1)} | ${server.toFixed(1)} | ${repeated} |`,
      );
    for (const table of tables) {
      const records = join(directory, table);
      await mkdir(records);
      await generateFile(records, table, rows);
      const times = await measureImport(records, postgres.url, postmaster);
      const repeated = await measureImport(records, postgres.url, postmaster);
      for (const key of ['elapsed', 'node', 'postgres'] as const) total[key] += times[key];
      print(table, rows, times, repeated.elapsed.toFixed(1));
      await rm(records, { recursive: true });
    }
    print('all', tables.length * rows, total, '');
  } finally {
    await postgres.stop();
  }
}

const directory = await mkdtemp(join(tmpdir(), 'courtside-import-'));
await chmod(directory, 0o755);
try {
  await measure(directory);
} finally {
  await rm(directory, { recursive: true, force: true });
}
