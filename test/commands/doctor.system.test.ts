import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { clockFinding } from '../../src/commands/doctor/database.js';
import { runCheck } from '../../src/commands/doctor/finding.js';
import { memoryFinding, nodeFinding } from '../../src/commands/doctor/machine.js';
import { disposableSettings, type EmbeddedServer, startEmbedded } from '../../src/database/embedded.js';
import { openOrm } from '../../src/database/orm.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { freePort, portOf } from '../../src/process/port.js';
import { examineInstallation } from '../support/checks/doctor.js';
import { missingLinux, requires } from '../support/prerequisites.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { startMailServer, startSilentServer } from '../support/servers/counting-smtp-server.js';
import { emptyDatabase } from '../support/servers/test-database.js';

let app: TestApp;
let home: string;
beforeAll(async () => {
  // The service runs without background jobs, which would send the messages of tests.
  app = await startApp({}, undefined, undefined, false);
  home = await mkdtemp(join(tmpdir(), 'courtside-doctor-'));
});
afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

const examine = (environment: Record<string, string> = {}) => examineInstallation(join(home, 'data'), environment);
const withDatabase = (): Record<string, string> => ({ DATABASE_URL: app.databaseUrl });

test('the default configuration without a running service passes, with one line for each check', async () => {
  const { code, lines } = await examine({ PORT: String(await freePort()) });
  expect({ code, checks: lines.map((line) => line.slice(0, 13).trim()), lastLine: lines.at(-1) }).toEqual({
    code: 0,
    checks: [
      '✓ Node',
      '✓ Settings',
      '✓ Port',
      '– Database',
      '– Collation',
      '– Extensions',
      '– Migrations',
      '– Jobs',
      '– Webhooks',
      '– SMTP',
      '✓ Disk',
      '✓ Clock',
      '✓ Memory',
      'No problems f',
    ],
    lastLine: 'No problems found.',
  });
});

test('a running service passes, and its database is checked', async () => {
  const { code, linesOf } = await examine({ ...withDatabase(), PORT: new URL(app.origin).port });
  expect({
    code,
    port: linesOf('Port'),
    database: linesOf('Database'),
    migrations: linesOf('Migrations'),
    extensions: linesOf('Extensions'),
    jobs: linesOf('Jobs'),
    clock: linesOf('Clock'),
  }).toEqual({
    code: 0,
    port: [expect.stringMatching(/^✓ Port +Courtside is running on \d+ and is ready$/)],
    database: [expect.stringMatching(/^✓ Database +127\.0\.0\.1:\d+\/\S+, PostgreSQL 18/)],
    migrations: [expect.stringMatching(/^✓ Migrations +all \d+ have run$/)],
    extensions: [expect.stringMatching(/^✓ Extensions +cube, earthdistance, hstore, pg_trgm, unaccent$/)],
    jobs: [expect.stringMatching(/^✓ Jobs +/)],
    clock: [expect.stringMatching(/^✓ Clock +\S+, same as the database$/)],
  });
});

describe('an embedded database', () => {
  let dataDir: string;
  let embedded: EmbeddedServer;
  beforeAll(async () => {
    dataDir = join(home, 'embedded');
    embedded = await startEmbedded(dataDir, { settings: disposableSettings });
  });

  test('is checked repeatedly while it runs, and its password is hidden', async () => {
    const first = await examine({ DATA_DIR: dataDir });
    const second = await examine({ DATA_DIR: dataDir });
    expect({
      firstCode: first.code,
      secondCode: second.code,
      stateOfDatabase: first.linesOf('Database')[0]?.slice(0, 1),
      migrations: first.linesOf('Migrations')[0],
      hasPassword: first.lines.join().includes(new URL(embedded.url).password),
    }).toEqual({
      firstCode: 0,
      secondCode: 0,
      stateOfDatabase: '✓',
      migrations: expect.stringContaining('the database is new'),
      hasPassword: false,
    });
  });

  test('is reported as not running after it stops', async () => {
    await embedded.stop();
    const { linesOf } = await examine({ DATA_DIR: dataDir });
    expect(linesOf('Database')).toEqual([expect.stringContaining('is not running')]);
  });
});

test('reports a port that another program uses, and the remedy', async () => {
  const server: Server = createServer((socket) => socket.end('nothing')).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const port = portOf(server);
  const { code, problems } = await examine({ PORT: String(port) });
  server.close();
  expect({ code, problems }).toEqual({
    code: 1,
    problems: [`✗ Port        ${port} is in use by another program. Fix: stop the program, or set PORT to another port.`],
  });
});

test.each([
  [
    'an unreachable database',
    async () => `postgresql://ana:secret-word@127.0.0.1:${await freePort()}/x`,
    /PostgreSQL does not respond/,
  ],
  ['a wrong password', async () => app.databaseUrl.replace(/:[^:@]*@/, ':secret-word@'), /rejects the login of/],
  ['a missing database', async () => app.databaseUrl.replace(/\/[^/]*$/, '/nowhere'), /The database nowhere does not exist/],
  [
    'an unknown host',
    async () => 'postgresql://ana:secret-word@no-such-host.invalid/x',
    /The host no-such-host.invalid in DATABASE_URL is unknown/,
  ],
])('reports %s in DATABASE_URL, without the password', async (_, url, message) => {
  const { code, linesOf, lines } = await examine({ DATABASE_URL: await url() });
  expect({ code, database: linesOf('Database'), output: lines.join('\n') }).toEqual({
    code: 1,
    database: [expect.stringMatching(new RegExp(`^✗ Database.*(?:${message.source}).*Fix: `))],
    output: expect.not.stringMatching(/secret-word/),
  });
});

test('a new database passes, and missing extensions of a migrated database are reported', async () => {
  const database = await emptyDatabase();
  const newDatabase = await examine({ DATABASE_URL: database.url });
  const orm = openOrm({ url: database.url, isLazy: true });
  const sql = new Session(new Pools(orm), 'write');
  await sql.rows('create table mikro_orm_migrations (name text)', []);
  await sql.rows('insert into mikro_orm_migrations select unnest($1::text[])', [migrations.map(({ name }) => name)]);
  const withoutExtensions = await examine({ DATABASE_URL: database.url });
  await orm.close();
  expect({ code: newDatabase.code, extensions: newDatabase.linesOf('Extensions')[0]?.slice(0, 1) }).toEqual({
    code: 0,
    extensions: '–',
  });
  expect(withoutExtensions.problems).toEqual([
    expect.stringMatching(/^✗ Extensions +cube, earthdistance, hstore, .* are not installed. Fix: run "create extension"/),
  ]);
});

test('reports migrations of a newer version, pending migrations, and migrations before the baseline', async () => {
  await app.sql.rows("update mikro_orm_migrations set name = 'Migration9999Future' where name = 'Baseline0016Live'");
  const newer = await examine(withDatabase());
  await app.sql.rows("delete from mikro_orm_migrations where name = 'Migration9999Future'");
  const pending = await examine(withDatabase());
  await app.sql.rows("insert into mikro_orm_migrations (name) values ('Baseline0016Live')");
  await app.sql.rows("update mikro_orm_migrations set name = 'Migration0001Extensions' where name = 'Baseline0001Extensions'");
  const earlier = await examine(withDatabase());
  await app.sql.rows("update mikro_orm_migrations set name = 'Baseline0001Extensions' where name = 'Migration0001Extensions'");
  expect({ newer: newer.problems, pending: pending.problems, earlier: earlier.problems }).toEqual({
    newer: [
      expect.stringMatching(
        /^✗ Migrations +a newer version of Courtside has migrated the database: Migration9999Future is unknown.*Fix: start the newer version/,
      ),
    ],
    pending: [
      expect.stringMatching(/^✗ Migrations +1 pending: Baseline0016Live. Fix: run "courtside migrate", or start this version/),
    ],
    earlier: [
      expect.stringMatching(
        /^✗ Migrations +the tables were created by a development version before 0.1.0.*Fix: use that version to export/,
      ),
    ],
  });
});

test('reports abandoned and overdue messages', async () => {
  await app.sql.rows("insert into jobs.job (name, data) values ('dead', '{}')");
  const abandoned = await examine(withDatabase());
  await app.sql.rows("delete from jobs.job where name = 'dead'");
  await app.sql.rows("insert into jobs.job (name, data, start_after) values ('text', '{}', now() - interval '1 hour')");
  const overdue = await examine(withDatabase());
  await app.sql.rows("delete from jobs.job where name = 'text'");
  expect({ abandoned: abandoned.problems, overdue: overdue.problems }).toEqual({
    abandoned: [expect.stringMatching(/^✗ Jobs +1 message could not be sent. Fix: .*courtside jobs/)],
    overdue: [expect.stringMatching(/^✗ Jobs +1 message has been waiting for more than 10 minutes/)],
  });
});

test('a mail server that sends a greeting passes, and unreachable and silent servers are reported within twelve seconds', async () => {
  const startedAt = performance.now();
  const [mailServer, silentServer] = [await startMailServer(), await startSilentServer()];
  const working = await examine({ SMTP_URL: `smtp://127.0.0.1:${mailServer.port}` });
  const [unreachable, silent] = await Promise.all([
    examine({ SMTP_URL: `smtp://ana:secret-word@127.0.0.1:${await freePort()}` }),
    examine({
      SMTP_URL: `smtp://127.0.0.1:${silentServer.port}`,
      DATABASE_URL: `postgresql://ana:secret-word@127.0.0.1:${silentServer.port}/x`,
    }),
  ]);
  await mailServer.close();
  await silentServer.close();
  const smtpProblem = expect.stringMatching(/^✗ SMTP +127\.0\.0\.1:\d+ cannot be used \(.*Fix: correct SMTP_URL/);
  expect({ working: working.code, unreachable: unreachable.problems, silent: silent.problems }).toEqual({
    working: 0,
    unreachable: [smtpProblem],
    silent: [expect.stringMatching(/^✗ Database +no response within 6 s/), smtpProblem],
  });
  expect(unreachable.lines.join('\n')).not.toContain('secret-word');
  expect(performance.now() - startedAt).toBeLessThan(12_000);
}, 30_000);

test('reports database errors with the SQLSTATE and the remedy', async () => {
  const url = `${app.databaseUrl}&options=-c%20role=pg_monitor`;
  const { problems } = await examine({ DATABASE_URL: url });
  expect(problems).toEqual([
    expect.stringMatching(
      /^✗ Database +The user courtside lacks a permission in the database \S+ \(permission denied for table mikro_orm_migrations, SQLSTATE 42501\). Fix: make/,
    ),
  ]);
});

test('reports too many connections, and replicas and LISTEN servers that do not respond', async () => {
  const [replicaPort, listenPort] = [await freePort(), await freePort()];
  const tooMany = await examine({ ...withDatabase(), DATABASE_POOL: '1000' });
  const unreachable = await examine({
    ...withDatabase(),
    DATABASE_REPLICA_URLS: `postgresql://ana:secret-word@127.0.0.1:${replicaPort}/x`,
    DATABASE_LISTEN_URL: `postgresql://ana:secret-word@127.0.0.1:${listenPort}/x`,
  });
  expect({ tooMany: tooMany.problems, unreachable: unreachable.problems }).toEqual({
    tooMany: [
      expect.stringMatching(/^✗ Database +The service opens up to 1009 connections .* accepts \d+ .*Fix: reduce DATABASE_POOL/),
    ],
    unreachable: [
      expect.stringMatching(
        `^✗ Database +PostgreSQL does not respond at 127.0.0.1:${replicaPort} .*correct DATABASE_REPLICA_URLS`,
      ),
      expect.stringMatching(`^✗ Database +PostgreSQL does not respond at 127.0.0.1:${listenPort} .*correct DATABASE_LISTEN_URL`),
    ],
  });
  expect(unreachable.lines.join()).not.toContain('secret-word');
});

test('reports a disk that is full or read-only', requires(missingLinux), async () => {
  const { code, problems } = await examine({ DATA_DIR: '/proc/courtside' });
  expect(code).toBe(1);
  expect(problems).toContainEqual(expect.stringMatching(/^✗ Disk +0 MB free.*Fix: free up at least 1 GB/));
});

test('reports a data directory that is a file', async () => {
  const { problems } = await examine({ DATA_DIR: 'package.json' });
  expect(problems).toContainEqual(
    `✗ Disk        ${resolve('package.json')} is not a writable directory. Fix: set DATA_DIR to a directory.`,
  );
});

test('reports a Node version that is too old', () => {
  expect({ '20.19.0': nodeFinding('20.19.0').state, '22.17.0': nodeFinding('22.17.0').state }).toEqual({
    '20.19.0': 'failed',
    '22.17.0': 'passed',
  });
});

test('reports too little memory for the workers', () => {
  const gigabyte = 2 ** 30;
  expect({
    limitTooLow: memoryFinding({ workers: 1 }, gigabyte / 4, 16 * gigabyte),
    fixForFourWorkers: memoryFinding({ workers: 4 }, 0, gigabyte).fix,
    enough: memoryFinding({ workers: 1 }, 0, 16 * gigabyte).state,
  }).toEqual({
    limitTooLow: {
      state: 'failed',
      message: '256 MB (limit), but the service needs up to 450 MB',
      fix: 'provide more memory.',
    },
    fixForFourWorkers: 'provide more memory, or reduce WORKERS.',
    enough: 'passed',
  });
});

test('reports a clock that is wrong or differs from the clock of the database', () => {
  const now = Date.now();
  expect({
    minuteApart: clockFinding(now, now + 60_000),
    year1970: clockFinding(0, null).state,
    secondApart: clockFinding(now, now + 1000).state,
  }).toEqual({
    minuteApart: {
      state: 'failed',
      message: 'the clocks of this machine and the database differ by 60 s',
      fix: 'synchronize both with NTP.',
    },
    year1970: 'failed',
    secondApart: 'passed',
  });
});

test('a check that hangs or fails is reported without secrets', async () => {
  const hanging = await runCheck(() => new Promise(() => undefined), 20);
  const failing = await runCheck(() => Promise.reject(new Error('no way to postgresql://ana:secret-word@host/x')));
  expect({ hanging: hanging[0]?.message, failing: failing[0]?.message }).toEqual({
    hanging: 'no response within 0.02 s',
    failing: 'the check failed (no way to <link>)',
  });
});
