import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { clockFinding } from '../../src/commands/doctor/database.js';
import { looked } from '../../src/commands/doctor/finding.js';
import { memoryFinding, nodeFinding } from '../../src/commands/doctor/machine.js';
import { runDoctor } from '../../src/commands/doctor.js';
import { disposable, startEmbedded } from '../../src/database/embedded.js';
import { openOrm } from '../../src/database/orm.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { freePort, portOf } from '../../src/port.js';
import { startApp, type TestApp } from '../support/app.js';
import { emptyDatabase } from '../support/database.js';
import { startMailServer, startSilence } from '../support/mail-server.js';

let app: TestApp;
let home: string;
beforeAll(async () => {
  app = await startApp();
  home = await mkdtemp(join(tmpdir(), 'courtside-doctor-'));
});
afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

/** What the doctor says, a line each by what it is about, and its exit code. */
async function examine(environment: Record<string, string> = {}) {
  const lines: string[] = [];
  const all = { PORT: '0', DATA_DIR: join(home, 'data'), ...environment };
  const code = await runDoctor(all, (line) => lines.push(line));
  const about = (name: string) => lines.filter((line) => line.slice(2).startsWith(name));
  return { code, lines, wrong: lines.filter((line) => line.startsWith('✗')), about };
}

const healthy = async (): Promise<Record<string, string>> => ({ DATABASE_URL: app.databaseUrl });

test('where nothing is running and nothing is set, nothing is wrong, and each thing has its line', async () => {
  const { code, lines } = await examine({ PORT: String(await freePort()) });
  expect([code, lines.map((line) => line.slice(0, 13).trim()), lines.at(-1)]).toEqual([
    0,
    [
      '✓ Node',
      '✓ Settings',
      '✓ Port',
      '– Database',
      '– Extensions',
      '– Migrations',
      '– Jobs',
      '– Webhooks',
      '– SMTP',
      '✓ Disk',
      '✓ Clock',
      '✓ Memory',
      'All is well.',
    ],
    'All is well.',
  ]);
});

test('a service that runs is well, and its database is looked at', async () => {
  const { code, about } = await examine({ ...(await healthy()), PORT: new URL(app.origin).port });
  expect([code, ...['Port', 'Database', 'Migrations', 'Extensions', 'Jobs', 'Clock'].flatMap(about)]).toEqual([
    0,
    expect.stringMatching(/^✓ Port +\d+ is served by Courtside, which is ready$/),
    expect.stringMatching(/^✓ Database +127\.0\.0\.1:\d+\/\S+, PostgreSQL 18/),
    expect.stringMatching(/^✓ Migrations +all \d+ have run$/),
    expect.stringMatching(/^✓ Extensions +cube, earthdistance, hstore, pg_trgm, unaccent$/),
    expect.stringMatching(/^✓ Jobs +/),
    expect.stringMatching(/^✓ Clock +\S+, as the database has it$/),
  ]);
});

test('an embedded database that is in use is looked at, and goes on', async () => {
  const dataDir = join(home, 'embedded');
  const embedded = await startEmbedded(dataDir, { settings: disposable });
  const { code, about, lines } = await examine({ DATA_DIR: dataDir });
  const again = await examine({ DATA_DIR: dataDir });
  const password = new URL(embedded.url).password;
  await embedded.stop();
  const after = await examine({ DATA_DIR: dataDir });
  expect([
    code,
    about('Database')[0]?.slice(0, 1),
    about('Migrations')[0],
    again.code,
    lines.join().includes(password),
    after.about('Database'),
  ]).toEqual([0, '✓', expect.stringContaining('the database is new'), 0, false, [expect.stringContaining('is not running')]]);
});

test('a port that another program has is told, and how to mend it', async () => {
  const server: Server = createServer((socket) => socket.end('nothing')).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const port = portOf(server);
  const { code, wrong } = await examine({ PORT: String(port) });
  server.close();
  expect([code, wrong]).toEqual([
    1,
    [`✗ Port        ${port} is taken by another program. Mend: stop that, or set PORT to another one.`],
  ]);
});

test.each([
  ['that nobody listens at', async () => `postgresql://ana:secret-word@127.0.0.1:${await freePort()}/x`, /No PostgreSQL answers/],
  ['of a wrong password', async () => app.databaseUrl.replace(/:[^:@]*@/, ':secret-word@'), /does not let \S+ in/],
  ['that is not there', async () => app.databaseUrl.replace(/\/[^/]*$/, '/nowhere'), /The database nowhere does not exist/],
  [
    'of an unknown host',
    async () => 'postgresql://ana:secret-word@no-such-host.invalid/x',
    /host no-such-host.invalid .* is not known|cannot be used/,
  ],
])('a database %s is told, without its password', async (_, url, says) => {
  const { code, about, lines } = await examine({ DATABASE_URL: await url() });
  expect([code, about('Database').length, about('Database')[0], lines.join('\n')]).toEqual([
    1,
    1,
    expect.stringMatching(new RegExp(`^✗ Database.*(?:${says.source}).*Mend: `)),
    expect.not.stringMatching(/secret-word/),
  ]);
});

test('migrations that are pending, those of a newer version, and extensions that are gone are told', async () => {
  const database = await emptyDatabase();
  const isNew = await examine({ DATABASE_URL: database.url });
  const orm = openOrm({ url: database.url, lazily: true });
  const sql = new Session(new Pools(orm), 'write');
  await sql.rows('create table mikro_orm_migrations (name text)', []);
  await sql.rows('insert into mikro_orm_migrations select unnest($1::text[])', [migrations.map(({ name }) => name)]);
  const bare = await examine({ DATABASE_URL: database.url });
  await orm.close();
  await app.sql.rows("update mikro_orm_migrations set name = 'Migration9999Future' where name = 'Migration0044CalendarLinks'");
  const newer = await examine(await healthy());
  await app.sql.rows("delete from mikro_orm_migrations where name = 'Migration9999Future'");
  const pending = await examine(await healthy());
  await app.sql.rows("insert into mikro_orm_migrations (name) values ('Migration0044CalendarLinks')");
  expect([isNew.code, isNew.about('Extensions')[0]?.slice(0, 1), bare.wrong, newer.wrong, pending.wrong]).toEqual([
    0,
    '–',
    [expect.stringMatching(/^✗ Extensions +cube, earthdistance, hstore, .* are not made. Mend: let a superuser run/)],
    [
      expect.stringMatching(
        /^✗ Migrations +a newer Courtside has used the database: it knows Migration9999Future.*Mend: start that version/,
      ),
    ],
    [
      expect.stringMatching(
        /^✗ Migrations +1 are pending: Migration0044CalendarLinks. Mend: start this version, which runs them/,
      ),
    ],
  ]);
});

test('messages that were given up, and those that nobody takes, are told', async () => {
  await app.sql.rows("insert into jobs.job (name, data) values ('dead', '{}')");
  const dead = await examine(await healthy());
  await app.sql.rows("delete from jobs.job where name = 'dead'");
  await app.sql.rows("insert into jobs.job (name, data, start_after) values ('text', '{}', now() - interval '1 hour')");
  const overdue = await examine(await healthy());
  await app.sql.rows("delete from jobs.job where name = 'text'");
  expect([dead.wrong, overdue.wrong]).toEqual([
    [expect.stringMatching(/^✗ Jobs +1 messages were given up. Mend: .*npm run jobs/)],
    [expect.stringMatching(/^✗ Jobs +1 messages should have left/)],
  ]);
});

test('a mail server that greets is well; one that is away is told, and so are those, and databases, that never answer, in time', async () => {
  const begin = performance.now();
  const [server, silence] = [await startMailServer(), await startSilence()];
  const well = await examine({ SMTP_URL: `smtp://127.0.0.1:${server.port}` });
  const [away, silent] = await Promise.all([
    examine({ SMTP_URL: `smtp://ana:secret-word@127.0.0.1:${await freePort()}` }),
    examine({
      SMTP_URL: `smtp://127.0.0.1:${silence.port}`,
      DATABASE_URL: `postgresql://ana:secret-word@127.0.0.1:${silence.port}/x`,
    }),
  ]);
  await server.close();
  await silence.close();
  expect([well.code, away.wrong, silent.wrong, away.lines.join('\n').includes('secret-word')]).toEqual([
    0,
    [expect.stringMatching(/^✗ SMTP +127\.0\.0\.1:\d+ cannot be used \(.*Mend: correct SMTP_URL/)],
    [
      expect.stringMatching(/^✗ Database +no answer within 6 s/),
      expect.stringMatching(/^✗ SMTP +127\.0\.0\.1:\d+ cannot be used \(.*Mend: correct SMTP_URL/),
    ],
    false,
  ]);
  expect(performance.now() - begin).toBeLessThan(12_000);
}, 30_000);

test('settings that cannot be read, or do not fit together, are told, and the rest is looked at all the same', async () => {
  const broken = await examine({ ...(await healthy()), PORT: 'many', ROUTER_SECRET: 'secret-word,secret-word' });
  const behind = await examine({ PUBLIC_URL: 'https://play.example' });
  const production = await examine({ NODE_ENV: 'production' });
  expect([
    broken.wrong.length >= 2,
    broken.wrong.every((line) => line.includes('Settings') || line.includes('Port')),
    broken.about('Database')[0]?.slice(0, 1),
    broken.lines.join().includes('secret-word'),
    behind.wrong,
    production.wrong,
  ]).toEqual([
    true,
    true,
    '✓',
    false,
    [expect.stringContaining('set TRUST_PROXY')],
    [expect.stringContaining('set PUBLIC_URL'), expect.stringContaining('set SMTP_URL')],
  ]);
});

test.runIf(process.platform === 'linux')('a disk without room, or that cannot be written to, is told', async () => {
  const { code, wrong } = await examine({ DATA_DIR: '/proc/courtside' });
  expect([code, wrong.some((line) => /^✗ Disk +0 MB free.*Mend: make room/.test(line))]).toEqual([1, true]);
});

test('an old Node, too little memory, and clocks that are wrong or apart are told', () => {
  const [now, gigabyte] = [Date.now(), 2 ** 30];
  expect([
    nodeFinding('20.19.0').state,
    nodeFinding('22.17.0').state,
    memoryFinding({ workers: 1 }, gigabyte / 4, 16 * gigabyte),
    memoryFinding({ workers: 4 }, 0, gigabyte).mend,
    memoryFinding({ workers: 1 }, 0, 16 * gigabyte).state,
    clockFinding(now, now + 60_000),
    clockFinding(0, null).state,
    clockFinding(now, now + 1000).state,
  ]).toEqual([
    'wrong',
    'right',
    { state: 'wrong', says: '256 MB are the limit, and the service takes up to 450 MB', mend: 'raise the limit.' },
    'raise the limit, or set WORKERS to fewer.',
    'right',
    { state: 'wrong', says: 'this machine and the database are 60 s apart', mend: 'set both clocks, by NTP.' },
    'wrong',
    'right',
  ]);
});

test('what hangs or fails is a finding, too, and tells no secret', async () => {
  const hangs = await looked(() => new Promise(() => undefined), 20);
  const fails = await looked(() => Promise.reject(new Error('no way to postgresql://ana:secret-word@host/x')));
  expect([hangs[0]?.says, fails[0]?.says]).toEqual(['no answer within 0.02 s', 'it cannot be looked at (no way to <link>)']);
});
