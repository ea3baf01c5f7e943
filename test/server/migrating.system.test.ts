import { Client } from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCommand } from '../support/servers/command-process.js';
import { runService, type Service } from '../support/servers/service-process.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** A migration that can run again. It needs an exclusive lock on the table `favorite`. */
const migration = 'Migration0018RequiredOwners';

let database: Database;
let client: Client;
let service: Service | null = null;
beforeEach(async () => {
  database = await freshDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('delete from mikro_orm_migrations where name = $1', [migration]);
});
afterEach(async () => {
  service?.signal('SIGKILL');
  await service?.exit;
  service = null;
  await client.end();
  await database.drop();
});

/** Polls for longer than usual, because a process may start slowly on a busy machine. */
const becomes = (result: object) => expect.poll(() => probe('/readyz'), { timeout: 40_000 }).toEqual(result);

const start = async (variables: Record<string, string>): Promise<Service> => {
  service = await runService({ DATABASE_URL: database.url, SUBGRAPHS: 'none', ...variables });
  return service;
};

const probe = async (path: string) => {
  const response = await fetch(`${service?.origin}${path}`).catch(() => null);
  return { status: response?.status, retryAfter: response?.headers.get('retry-after') ?? null, body: await response?.json() };
};

const up = { status: 200, retryAfter: null, body: { status: 'up' } };
const down = (reason: string) => ({ status: 503, retryAfter: null, body: { status: 'down', reason } });

/** Returns the log lines with the name of a migration. */
const progressOf = ({ output }: Service) =>
  output()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
    .filter((entry) => 'migration' in entry)
    .map(({ migration: name, msg, seconds }) => ({ name, msg, seconds: typeof seconds }));

test.each([1, 2])(
  'with %i workers, a long migration is logged, and probes and requests get responses while it runs',
  async (workers) => {
    await client.query('begin; lock table favorite in access share mode');
    const started = await start({ WORKERS: String(workers) });
    await becomes(down(`migrating: ${migration}`));
    const meanwhile = {
      livez: await probe('/livez'),
      graphql: await probe('/graphql?query={__typename}'),
      legacy: (await probe('/v1/data/teams')).body.Code,
    };
    await expect.poll(() => progressOf(started).length).toBeGreaterThanOrEqual(2);
    await client.query('commit');
    await becomes(up);
    const messages = progressOf(started).filter(({ msg }) => msg !== 'migration waits for a lock');
    expect({
      meanwhile,
      messages,
      hasWaited: progressOf(started).some(({ msg }) => msg === 'migration waits for a lock'),
    }).toEqual({
      meanwhile: {
        livez: up,
        graphql: {
          status: 503,
          retryAfter: '5',
          body: { errors: [{ message: 'the service is starting', extensions: { code: 'UNAVAILABLE', retryAfter: 5 } }] },
        },
        legacy: 503,
      },
      messages: [
        { name: migration, msg: 'migration started', seconds: 'undefined' },
        { name: migration, msg: 'migration finished', seconds: 'number' },
      ],
      hasWaited: true,
    });
  },
);

test('with MIGRATE=false, the service is not ready until the command has run the migrations', async () => {
  await start({ MIGRATE: 'false' });
  await becomes(down(`the database lacks migrations: ${migration}`));
  const livez = await probe('/livez');
  const { code, output } = await runCommand('migrate', [], { DATABASE_URL: database.url });
  await becomes(up);
  expect({ livez, code, lines: output.trim().split('\n') }).toEqual({
    livez: up,
    code: 0,
    lines: [
      `${migration}: started`,
      expect.stringMatching(`^${migration}: finished in `),
      'The database is ready for this release.',
    ],
  });
});

test('with MIGRATE=false, the service exits with the missing migrations after MIGRATE_WAIT', async () => {
  const { exit, output } = await start({ MIGRATE: 'false', MIGRATE_WAIT: '0', LOG_LEVEL: 'warn' });
  expect({ code: await exit, output: output() }).toEqual({
    code: 1,
    output: `The service does not start, because the database lacks migrations: ${migration}. Run them with "courtside migrate" as the owner of the tables, or set MIGRATE=true.\n`,
  });
});
