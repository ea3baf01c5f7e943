import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disposable, type Embedded, startEmbedded } from '../../src/database/embedded.js';
import { accountFor } from '../../src/database/embedded-account.js';
import { binariesFor } from '../../src/database/embedded-binaries.js';
import { runningEmbedded } from '../../src/database/embedded-running.js';
import { launch } from '../../src/database/embedded-server.js';
import { scratchDirectory } from '../support/service.js';

const start = (directory: string) => startEmbedded(directory, { settings: disposable, say: () => undefined });

async function ask(url: string, statement: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query({ text: statement, rowMode: 'array' }).finally(() => client.end());
  return rows;
}

const isRoot = process.getuid?.() === 0;
const hidden = isRoot ? await mkdtemp('/root/courtside-test-') : '';
afterAll(async () => {
  if (!isRoot) return;
  await rm((await readFile(join(hidden, 'data', 'elsewhere'), 'utf8')).trim(), { recursive: true });
  await rm(hidden, { recursive: true });
});

describe('an embedded database', () => {
  let directory: string;
  let database: Embedded;
  beforeAll(async () => {
    directory = await scratchDirectory();
    database = await start(directory);
  });
  afterAll(() => database.stop());

  test('is found by its directory, where none runs nothing is', async () => {
    const elsewhere = await scratchDirectory();
    expect([await runningEmbedded(directory), await runningEmbedded(elsewhere)]).toEqual([database.url, null]);
  });

  test('sorts by code point, knows letters of every script and counts in UTC', async () => {
    await ask(database.url, 'create extension pg_trgm');
    const [row] = await ask(
      database.url,
      `select current_setting('server_version')::numeric::int, current_setting('timezone'), current_setting('listen_addresses'),
       lower('ÖST'), 'Ö' > 'z', show_trgm('Ö') = show_trgm(' ')`,
    );
    expect(row).toEqual([18, 'UTC', '127.0.0.1', 'öst', true, false]);
  });

  test('keeps data and password for their owner only', async () => {
    const modes = ['password', 'postgres', 'postgres.log'].map(async (name) => (await stat(join(directory, name))).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o600, 0o700, 0o600]);
  });

  test('is started again where it was when its server dies', async () => {
    const pid = Number((await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    await sleep(50);
    const answer = async (): Promise<unknown> => ask(database.url, 'select 1').catch(() => sleep(50).then(answer));
    expect(await answer()).toEqual([[1]]);
  });

  test('is reached by a socket that only its owner may enter, and by its port', async () => {
    const address = 'select host(inet_client_addr())';
    expect(await ask(database.url, address)).toEqual([[null]]);
    const byPort = new URL(database.url);
    byPort.search = '';
    expect(await ask(byPort.href, address)).toEqual([['127.0.0.1']]);
    const wrong = new URL(database.url);
    wrong.password = 'wrong';
    await expect(ask(wrong.href, address)).rejects.toThrow('password authentication failed');
  });

  test('takes its data over from a server that was left behind', async () => {
    await database.stop();
    const data = join(directory, 'postgres');
    const account = await accountFor(data);
    const left = await launch({ bin: await binariesFor(account), data, log: join(directory, 'left.log'), account, settings: {} });
    database = await start(directory);
    await left.gone;
    expect(await ask(database.url, 'select 1')).toEqual([[1]]);
  });

  test('starts when another program has the process id of a killed server', async () => {
    await database.stop();
    await writeFile(join(directory, 'postgres', 'postmaster.pid'), `${process.pid}\n`, { mode: 0o666 });
    database = await start(directory);
    expect(await ask(database.url, 'select 1')).toEqual([[1]]);
  });

  test('is not shared with a second start on its directory', async () => {
    await expect(start(directory)).rejects.toThrow(
      `Another Courtside is using ${directory}: stop it, or set DATA_DIR to another directory, or share one database with DATABASE_URL.`,
    );
  });
});

test('without room for the path of a socket it is reached by its port alone', async () => {
  const directory = join(await scratchDirectory(), 'far'.repeat(30), `a, "b"`);
  const database = await start(directory);
  const answer = await ask(database.url, 'select host(inet_client_addr())').finally(() => database.stop());
  expect([answer, await runningEmbedded(directory)]).toEqual([[['127.0.0.1']], null]);
});

test('its socket is found in a directory of any name, and those of killed servers are removed', async () => {
  const directory = join(await scratchDirectory(), `a, "b"?&%é`);
  const first = await start(directory);
  const sockets = async () => (await readdir(join(directory, 'postgres'))).filter((name) => name.startsWith('.s.'));
  const left = (await sockets()).length;
  await first.stop();
  await writeFile(join(directory, 'postgres', '.s.PGSQL.1'), '');
  const again = await start(directory);
  const found = [await ask(again.url, 'select inet_client_addr()'), await runningEmbedded(directory), (await sockets()).length];
  expect(found).toEqual([[[null]], again.url, left]);
  await again.stop();
  expect(await sockets()).toEqual([]);
});

test('a copy of its directory that was made while it was stopped is a backup', async () => {
  const directory = await scratchDirectory();
  const first = await start(directory);
  await ask(first.url, 'create table kept as select 42 as answer');
  await first.stop();
  const backup = join(await scratchDirectory(), 'backup');
  execFileSync('cp', ['-a', directory, backup]);
  const again = await start(directory);
  await ask(again.url, 'update kept set answer = 0');
  await again.stop();
  await rm(directory, { recursive: true });
  execFileSync('cp', ['-a', backup, directory]);
  const restored = await start(directory);
  expect(await ask(restored.url, 'select answer from kept').finally(() => restored.stop())).toEqual([[42]]);
});

test.runIf(isRoot)('root may start it in a directory that only root may enter, and finds the data again', async () => {
  await chmod(hidden, 0o700);
  const directory = join(hidden, 'data');
  const first = await start(directory);
  await ask(first.url, 'create table kept ()');
  await first.stop();
  const second = await start(directory);
  const rows = await ask(second.url, "select count(*)::int from pg_tables where tablename = 'kept'");
  await second.stop();
  expect(rows).toEqual([[1]]);
});

test.runIf(isRoot)('a copy of such a directory gets data of its own', async () => {
  const copy = join(hidden, 'copy');
  await mkdir(copy);
  execFileSync('cp', [join(hidden, 'data', 'elsewhere'), copy]);
  const database = await start(copy);
  const rows = await ask(database.url, "select count(*)::int from pg_tables where tablename = 'kept'");
  await database.stop();
  await rm((await readFile(join(copy, 'elsewhere'), 'utf8')).trim(), { recursive: true });
  expect(rows).toEqual([[0]]);
});
