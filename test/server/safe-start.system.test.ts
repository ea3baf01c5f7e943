import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../src/process/port.js';
import { closeServer, openServer } from '../../src/server/lifecycle/listen.js';
import { runCommand } from '../support/servers/command-process.js';
import { runService, type Service, scratchDirectory, startService } from '../support/servers/service-process.js';
import { type Database, emptyDatabase, freshDatabase } from '../support/servers/test-database.js';

// The first test builds the service, and each test starts separate processes.
vi.setConfig({ testTimeout: 60_000 });

/** URL of a database without a server. Only the checks that precede the connection can succeed. */
const unreachable = { DATABASE_URL: 'postgresql://ana:secret-word@127.0.0.1:1/courtside' };

async function outputOf(variables: Record<string, string>) {
  const service = await runService(variables);
  return { exitCode: await service.exit, lines: service.output().trim().split('\n') };
}

test('a start in production with weak secrets and demo data is refused before the database is used', async () => {
  const production = { ...unreachable, NODE_ENV: 'Prod' };
  const admin = { BOOTSTRAP_ADMIN_EMAIL: 'ana@play.example', BOOTSTRAP_ADMIN_PASSWORD: 'courtside2026' };
  const [weakSecrets, weakPassword] = await Promise.all([
    outputOf({ ...production, DEMO: 'true', ROUTER_SECRET: 'a' }),
    outputOf({ ...production, ...admin }),
  ]);
  expect({ weakSecrets, weakPassword }).toEqual({
    weakSecrets: {
      exitCode: 1,
      lines: [
        expect.stringMatching(/^DEMO must not be true in production/),
        expect.stringMatching(/^Each secret in ROUTER_SECRET must have at least 16 characters in production/),
      ],
    },
    weakPassword: {
      exitCode: 1,
      lines: [expect.stringMatching(/^BOOTSTRAP_ADMIN_PASSWORD must have 8 to 200 characters, and be hard to guess/)],
    },
  });
});

test('misspelled variables are logged, and foreign addresses and database errors are reported in one line each', async () => {
  const [misspelled, foreignHost] = await Promise.all([
    outputOf({ ...unreachable, DATBASE_POOL: '4' }),
    outputOf({ ...unreachable, HOST: '192.0.2.1' }),
  ]);
  expect({
    exitCode: misspelled.exitCode,
    warning: JSON.parse(misspelled.lines[0] ?? ''),
    problems: misspelled.lines.slice(1),
    foreignHost,
  }).toEqual({
    exitCode: 1,
    warning: {
      level: 40,
      time: expect.any(Number),
      msg: 'DATBASE_POOL is not a variable of Courtside: did you mean DATABASE_POOL?',
    },
    problems: ['PostgreSQL does not respond at 127.0.0.1:1 (ECONNREFUSED): start it, or correct DATABASE_URL.'],
    foreignHost: {
      exitCode: 1,
      lines: [
        'HOST is 192.0.2.1, which is not an address of this machine (EADDRNOTAVAIL): set it to one of its addresses, to 127.0.0.1, or to 0.0.0.0 for all addresses.',
      ],
    },
  });
});

test('invalid and used metrics ports are reported before the database is used', async () => {
  const server = createServer();
  // Uses a port below the ephemeral ports. Otherwise, an open connection could use the port `usedPort - 1`.
  const usedPort = await openServer(server, { host: '127.0.0.1', port: await freePort() });
  const [tooHigh, inUse] = await Promise.all([
    outputOf({ ...unreachable, METRICS_PORT: '65535', WORKERS: '2' }),
    outputOf({ ...unreachable, METRICS_PORT: String(usedPort - 1), WORKERS: '2' }),
  ]);
  await closeServer(server);
  expect({ tooHigh, inUse }).toEqual({
    tooHigh: {
      exitCode: 1,
      lines: ['METRICS_PORT must be at most 65534, because the 2 WORKERS use METRICS_PORT and the next ports.'],
    },
    inUse: {
      exitCode: 1,
      lines: [`Port ${usedPort} is in use: stop the program that uses it, or set METRICS_PORT to another port.`],
    },
  });
});

test('a database error in a worker is reported in one line', async () => {
  const database = await emptyDatabase();
  const url = `${database.url}${database.url.includes('?') ? '&' : '?'}options=-c%20search_path=nowhere`;
  const { exitCode, lines } = await outputOf({ DATABASE_URL: url, WORKERS: '2' });
  await database.drop();
  expect({ exitCode, lines }).toEqual({
    exitCode: 1,
    lines: [
      expect.stringMatching(/^The search_path of courtside contains no schema .* \(SQLSTATE 3F000\): run alter role/),
      'Courtside did not start: its first worker exited with code 1.',
    ],
  });
});

describe('secrets in files', () => {
  let database: Database;
  let variables: Record<string, string>;
  let service: Service;
  const token = 'a-platform-token-in-a-file';
  beforeAll(async () => {
    database = await freshDatabase();
    const directory = await scratchDirectory();
    const fileWith = async (name: string, value: string) => {
      await writeFile(join(directory, name), `${value}\n`);
      return join(directory, name);
    };
    variables = {
      DATABASE_URL_FILE: await fileWith('database-url', database.url),
      BOOTSTRAP_PLATFORM_TOKEN_FILE: await fileWith('platform-token', token),
      WORKERS: '2',
    };
    service = await startService(variables);
  }, 60_000);
  afterAll(async () => {
    service.signal('SIGTERM');
    await service.exit;
    await database.drop();
  });

  test('are read by all workers', async () => {
    const statusOf = async (platformToken: string): Promise<number> => {
      // Each request opens a connection, which the workers accept in turn.
      const headers = { 'PB-API-TOKEN': platformToken, connection: 'close' };
      return (await fetch(`${service.origin}/v1/data/teams?page_size=1`, { headers })).status;
    };
    expect(await Promise.all([token, token, token, token, 'another token'].map(statusOf))).toEqual([200, 200, 200, 200, 401]);
  });

  test('are read by the commands', async () => {
    const [doctor, admin, jobs] = await Promise.all([
      runCommand('doctor', [], variables),
      runCommand('admin', ['platform', 'list'], variables),
      runCommand('jobs', ['list'], variables),
    ]);
    expect({ doctor: doctor.output, admin: admin.output, jobs: jobs.output }).toEqual({
      doctor: expect.stringMatching(/^✓ Settings +valid: .*DATABASE_URL_FILE.*^✓ Database /ms),
      admin: expect.stringContaining('bootstrap'),
      jobs: 'No failed messages.\n',
    });
  });
});
