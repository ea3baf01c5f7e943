import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../../../src/database/embedded.js';
import { type GeneratedTable, generateFile } from './generate-files.js';

// Measures how fast `courtside import` reads records of another system into an embedded PostgreSQL with default settings.
// npm run import-speed -- [--rows 200000]
const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '200000' } } });
const rows = Number(options.rows);

/** Files of each measured import. Later imports refer to rows of earlier ones. */
const imports: readonly Readonly<Partial<Record<GeneratedTable, number>>>[] = [
  { app_user: rows },
  { tournament: rows },
  { registration: rows },
];

/** Runs a built command. Throws if it fails. */
async function run(args: readonly string[], url: string): Promise<void> {
  const child = spawn(process.execPath, ['dist/src/commands/run.js', ...args], {
    env: { DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`courtside ${args.join(' ')} ended with ${code}`);
}

async function measure(directory: string): Promise<void> {
  const postgres = await startEmbedded(join(directory, 'postgres'));
  try {
    await run(['migrate'], postgres.url);
    console.log('| file | rows | seconds | rows/s | seconds of the repeated import |\n|---|---|---|---|---|');
    let [totalRows, totalSeconds] = [0, 0];
    for (const [index, files] of imports.entries()) {
      const records = join(directory, String(index));
      await mkdir(records);
      for (const [table, count] of Object.entries(files)) await generateFile(records, table as GeneratedTable, count);
      const seconds: number[] = [];
      for (let repetition = 0; repetition < 2; repetition++) {
        const startedAt = performance.now();
        await run(['import', records], postgres.url);
        seconds.push((performance.now() - startedAt) / 1000);
      }
      const [first = 0, second = 0] = seconds;
      totalRows += rows;
      totalSeconds += first;
      console.log(
        `| ${Object.keys(files).join(', ')} | ${rows} | ${first.toFixed(1)} | ${Math.round(rows / first)} | ${second.toFixed(1)} |`,
      );
      await rm(records, { recursive: true });
    }
    console.log(`| all | ${totalRows} | ${totalSeconds.toFixed(1)} | ${Math.round(totalRows / totalSeconds)} | |`);
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
