import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { runMigrate } from '../../src/commands/migrate.js';
import { databaseErrorCounts } from '../../src/kernel/database-errors.js';
import { type Database, emptyDatabase } from '../support/servers/test-database.js';

let database: Database;
let client: Client;
beforeAll(async () => {
  database = await emptyDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('BOOTSTRAP_PLATFORM_TOKEN', 'platform-token-of-this-test');
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await client.end();
  await database.drop();
});

const names = migrations.map(({ name }) => name);

async function run(...args: string[]) {
  const lines: string[] = [];
  const result = await runMigrate(args, (line) => lines.push(line)).catch((error: Error) => error.message);
  return { result, lines };
}

const tableCount = async (): Promise<number> =>
  (await client.query("select count(*)::int as count from pg_tables where schemaname in ('public', 'jobs')")).rows[0].count;

/** Removes the step numbers, so that all steps of a migration have the same lines, and then removes duplicate lines. */
const withoutSteps = (lines: readonly string[]): string[] => [
  ...new Set(lines.map((line) => line.replace(/, step \d+ of \d+| \(step \d+ of \d+\)/, ''))),
];

test('--plan prints the SQL of all pending migrations and changes nothing', async () => {
  const errorsBefore = databaseErrorCounts.entries;
  const { result, lines } = await run('--plan', '--grants', 'reader');
  const sql = lines.join('\n');
  expect({
    result,
    titles: withoutSteps(lines.filter((line) => /^-- (?:Baseline|Migration|job queue)/.test(line))),
    sql: [/create table tournament \(/, /create schema if not exists jobs/i, /to "reader";/].map((pattern) => pattern.test(sql)),
    tables: await tableCount(),
    databaseErrors: databaseErrorCounts.entries,
  }).toEqual({
    result: 0,
    titles: [...names, 'job queue'].map((name) => `-- ${name}`),
    sql: [true, true, true],
    tables: 0,
    databaseErrors: errorsBefore,
  });
});

test('--grants with an unknown role changes nothing', async () => {
  const { result } = await run('--grants', 'nobody');
  expect({ result, tables: await tableCount() }).toEqual({
    result: '--grants: the role nobody does not exist: create it with "create role", and run the command again.',
    tables: 0,
  });
});

test('--to stops after a migration, and a second run continues', async () => {
  const part = await run('--to', '2');
  const plan = await run('--plan', '--to', '3');
  const all = await run();
  const again = await run();
  expect({
    part,
    plan: plan.lines.filter((line) => line.startsWith('-- Baseline')),
    all: withoutSteps(all.lines.filter((line) => line.includes('started'))),
    last: all.lines.at(-1),
    again,
    platforms: (await client.query('select title from platform')).rows,
  }).toEqual({
    part: {
      result: 0,
      lines: [
        'Baseline0001Extensions: started',
        expect.stringMatching(/^Baseline0001Extensions: finished in \d+\.\d s$/),
        'Baseline0002Kernel: started',
        expect.stringMatching(/^Baseline0002Kernel: finished in \d+\.\d s$/),
        `Stopped after Baseline0002Kernel. Pending: ${[...names.slice(2), 'job queue'].join(', ')}.`,
      ],
    },
    plan: ['-- Baseline0003Reference'],
    all: names.slice(2).map((name) => `${name}: started`),
    last: 'The database is ready for this release.',
    again: { result: 0, lines: ['No migrations are pending.', 'The database is ready for this release.'] },
    platforms: [{ title: 'bootstrap' }],
  });
});

test('a wrong number and an unknown role are rejected', async () => {
  const range = `expected the number of a migration, from 1 to ${names.length}, but got`;
  expect({
    unknown: (await run('--to', '999')).result,
    text: (await run('--to', 'latest')).result,
    past: (await run('--to', '17')).result,
    role: (await run('--grants', 'nobody"')).result,
  }).toEqual({
    unknown: `--to: ${range} "999".`,
    text: `--to: ${range} "latest".`,
    past: `--to 17: the later migration ${names.at(-1)} has already run, and migrations cannot be undone. To go back, restore a backup.`,
    role: '--grants: the role nobody" does not exist: create it with "create role", and run the command again.',
  });
});
