import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disposableSettings, type EmbeddedServer, startEmbedded } from '../../src/database/embedded.js';
import { accountFor } from '../../src/database/embedded-account.js';
import { binariesFor } from '../../src/database/embedded-binaries.js';
import { launchServer, runningEmbeddedUrl } from '../../src/database/embedded-server.js';
import { missingRoot, requires } from '../support/prerequisites.js';
import { scratchDirectory } from '../support/servers/service-process.js';

const start = (directory: string) => startEmbedded(directory, { settings: disposableSettings, report: () => undefined });

/** Returns the rows of a statement, as arrays of values. */
async function query(url: string, statement: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query({ text: statement, rowMode: 'array' }).finally(() => client.end());
  return rows;
}

/** Returns the data directory of a database that root starts in a directory that only root can enter. */
const clusterPathOf = async (directory: string) => (await readFile(join(directory, 'elsewhere'), 'utf8')).trim();

const isRoot = process.getuid?.() === 0;
const rootOnlyDirectory = isRoot ? await mkdtemp('/root/courtside-test-') : '';
afterAll(async () => {
  if (!isRoot) return;
  await rm(await clusterPathOf(join(rootOnlyDirectory, 'data')), { recursive: true });
  await rm(rootOnlyDirectory, { recursive: true });
});

describe('an embedded database', () => {
  let directory: string;
  let database: EmbeddedServer;
  beforeAll(async () => {
    directory = await scratchDirectory();
    database = await start(directory);
  });
  afterAll(() => database.stop());

  test('is found by its directory only while it runs there', async () => {
    const otherDirectory = await scratchDirectory();
    expect({ own: await runningEmbeddedUrl(directory), other: await runningEmbeddedUrl(otherDirectory) }).toEqual({
      own: database.url,
      other: null,
    });
  });

  test('sorts by code point, handles letters of every script, uses UTC and listens on localhost only', async () => {
    await query(database.url, 'create extension pg_trgm');
    const [[properties] = []] = await query(
      database.url,
      `select jsonb_build_object(
         'version', current_setting('server_version')::numeric::int,
         'timeZone', current_setting('timezone'),
         'listenAddresses', current_setting('listen_addresses'),
         'lowercase', lower('ÖST'),
         'sortsByCodePoint', 'Ö' > 'z',
         'ignoresUmlauts', show_trgm('Ö') = show_trgm(' '))`,
    );
    expect(properties).toEqual({
      version: 18,
      timeZone: 'UTC',
      listenAddresses: '127.0.0.1',
      lowercase: 'öst',
      sortsByCodePoint: true,
      ignoresUmlauts: false,
    });
  });

  test('restricts its data, password and log to their owner', async () => {
    const modeOf = async (name: string) => (await stat(join(directory, name))).mode & 0o777;
    expect({ password: await modeOf('password'), data: await modeOf('postgres'), log: await modeOf('postgres.log') }).toEqual({
      password: 0o600,
      data: 0o700,
      log: 0o600,
    });
  });

  test('restarts at the same address when its server dies', async () => {
    const serverPid = async () => Number((await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
    const killed = await serverPid();
    process.kill(killed, 'SIGKILL');
    await expect.poll(serverPid).not.toBe(killed);
    await expect.poll(() => query(database.url, 'select 1')).toEqual([[1]]);
  });

  test('accepts connections over its socket and its port, only with the password', async () => {
    const address = 'select host(inet_client_addr())';
    expect(await query(database.url, address)).toEqual([[null]]);
    const byPort = new URL(database.url);
    byPort.search = '';
    expect(await query(byPort.href, address)).toEqual([['127.0.0.1']]);
    const wrong = new URL(database.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, address)).rejects.toThrow('password authentication failed');
  });

  test('stops an orphaned server on its data before it starts its own', async () => {
    await database.stop();
    const data = join(directory, 'postgres');
    const account = await accountFor(data);
    const orphan = await launchServer({
      bin: await binariesFor(account),
      data,
      log: join(directory, 'orphan.log'),
      account,
      settings: {},
    });
    database = await start(directory);
    await orphan.exit;
    expect(await query(database.url, 'select 1')).toEqual([[1]]);
  });

  test('starts when another program has the process ID of a killed server', async () => {
    await database.stop();
    await writeFile(join(directory, 'postgres', 'postmaster.pid'), `${process.pid}\n`, { mode: 0o666 });
    database = await start(directory);
    expect(await query(database.url, 'select 1')).toEqual([[1]]);
  });

  test('rejects a second start in its directory', async () => {
    await expect(start(directory)).rejects.toThrow(
      `Another Courtside process is using ${directory}: stop it, set DATA_DIR to another directory, or set DATABASE_URL to a database that both can share.`,
    );
  });
});

test('an embedded database whose directory name is too long for a socket is reachable by its port only', async () => {
  const directory = join(await scratchDirectory(), 'far'.repeat(30), `a, "b"`);
  const database = await start(directory);
  const clientAddress = await query(database.url, 'select host(inet_client_addr())').finally(() => database.stop());
  expect(clientAddress).toEqual([['127.0.0.1']]);
  expect(await runningEmbeddedUrl(directory)).toBe(null);
});

test('the socket works in a directory of any name, and sockets of killed servers are removed', async () => {
  const directory = join(await scratchDirectory(), `a, "b"?&%é`);
  const sockets = async () => (await readdir(join(directory, 'postgres'))).filter((name) => name.startsWith('.s.'));
  const first = await start(directory);
  const socketCount = (await sockets()).length;
  await first.stop();
  await writeFile(join(directory, 'postgres', '.s.PGSQL.1'), '');
  const second = await start(directory);
  expect({
    clientAddress: await query(second.url, 'select inet_client_addr()'),
    runningUrl: await runningEmbeddedUrl(directory),
    socketCount: (await sockets()).length,
  }).toEqual({ clientAddress: [[null]], runningUrl: second.url, socketCount });
  await second.stop();
  expect(await sockets()).toEqual([]);
});

test('a copy of the directory of a stopped database is a backup', async () => {
  const directory = await scratchDirectory();
  const original = await start(directory);
  await query(original.url, 'create table saved as select 42 as answer');
  await original.stop();
  const backup = join(await scratchDirectory(), 'backup');
  execFileSync('cp', ['-a', directory, backup]);
  const changed = await start(directory);
  await query(changed.url, 'update saved set answer = 0');
  await changed.stop();
  await rm(directory, { recursive: true });
  execFileSync('cp', ['-a', backup, directory]);
  const restored = await start(directory);
  expect(await query(restored.url, 'select answer from saved').finally(() => restored.stop())).toEqual([[42]]);
});

test('the first start of a copied directory renews the ID of the change log, and later starts keep it', async () => {
  const directory = await scratchDirectory();
  const logIdIn = async (dataDirectory: string, statement = 'select 1') => {
    const { url, stop } = await start(dataDirectory);
    await query(url, statement);
    const [[id] = []] = await query(url, 'select id from change_log');
    await stop();
    return id;
  };
  const original = await logIdIn(directory, `create table change_log as select 'original' as id`);
  const restarted = await logIdIn(directory);
  const backup = join(await scratchDirectory(), 'backup');
  execFileSync('cp', ['-a', directory, backup]);
  await rm(directory, { recursive: true });
  execFileSync('cp', ['-a', backup, directory]);
  const restored = await logIdIn(directory);
  expect({ original, restarted, restored, restoredAgain: await logIdIn(directory) }).toEqual({
    original: 'original',
    restarted: 'original',
    restored: expect.stringMatching(/^[0-9a-f-]{36}$/),
    restoredAgain: restored,
  });
});

const countSavedTables = "select count(*)::int from pg_tables where tablename = 'saved'";

test(
  'root can start a database in a directory that only root may enter, and its data persists',
  requires(missingRoot),
  async () => {
    await chmod(rootOnlyDirectory, 0o700);
    const directory = join(rootOnlyDirectory, 'data');
    const first = await start(directory);
    await query(first.url, 'create table saved ()');
    await first.stop();
    const second = await start(directory);
    const rows = await query(second.url, countSavedTables);
    await second.stop();
    expect(rows).toEqual([[1]]);
  },
);

test('a copy of a directory that only root may enter does not use the data of the original', requires(missingRoot), async () => {
  const copy = join(rootOnlyDirectory, 'copy');
  await mkdir(copy);
  execFileSync('cp', [join(rootOnlyDirectory, 'data', 'elsewhere'), copy]);
  const database = await start(copy);
  const rows = await query(database.url, countSavedTables);
  await database.stop();
  await rm(await clusterPathOf(copy), { recursive: true });
  expect(rows).toEqual([[0]]);
});
