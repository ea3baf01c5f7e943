import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Migration } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { afterEach, expect, test } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { reach } from '../../src/database/reach.js';
import { freePort } from '../../src/port.js';
import { emptyDatabase } from '../support/database.js';

class First extends Migration {
  override up() {
    this.addSql('create table first (id int)');
    this.addSql('select pg_sleep(0.2)');
  }
}

class Second extends Migration {
  override up() {
    this.addSql('create table second (id int)');
  }
}

class Broken extends Migration {
  override up() {
    this.addSql('create table third (id int)');
    this.addSql('select 1 / 0');
  }
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
});

async function database() {
  const { url, drop } = await emptyDatabase();
  closers.push(drop);
  return {
    url,
    async orm() {
      const orm = await MikroORM.init({ clientUrl: url, entities: [], discovery: { warnWhenNoEntities: false } });
      closers.push(() => orm.close());
      return orm;
    },
  };
}

const tables = async (orm: MikroORM): Promise<string[]> => {
  const rows = await orm.em.fork().execute("select tablename from pg_tables where schemaname = 'public' order by 1");
  return rows.map((row) => row.tablename);
};

test('two processes that start at once run each migration once', async () => {
  const { orm } = await database();
  const done = await Promise.all([migrate(await orm(), [First, Second]), migrate(await orm(), [First, Second])]);
  expect(done.flat()).toEqual(['First', 'Second']);
});

test('a migration that fails leaves the schema as it was', async () => {
  const { orm } = await database();
  const house = await orm();
  await migrate(house, [First]);
  await expect(migrate(house, [First, Second, Broken])).rejects.toThrow('division by zero');
  expect(await tables(house)).toEqual(['first', 'mikro_orm_migrations']);
});

test('a database of a newer version is refused in one sentence', async () => {
  const { orm } = await database();
  await migrate(await orm(), [First, Second]);
  await expect(migrate(await orm(), [First])).rejects.toThrow(
    'The database has been used by a newer Courtside (it knows Second, this one does not): start that version.',
  );
});

test('what keeps the database from being used is told with what to do', async () => {
  const { url } = await database();
  const port = await freePort();
  const told = (change: (url: URL) => void): Promise<string> => {
    const changed = new URL(url);
    changed.search = '';
    change(changed);
    return reach(changed.href).then(
      () => 'fine',
      (error: Error) => error.message.replaceAll(new URL(url).port, '<port>'),
    );
  };
  expect({
    right: await told(() => undefined),
    port: await told((changed) => Object.assign(changed, { port })),
    host: await told((changed) => Object.assign(changed, { hostname: 'nowhere.invalid' })),
    user: await told((changed) => Object.assign(changed, { password: 'wrong' })),
    name: await told((changed) => Object.assign(changed, { pathname: '/nothing' })),
    standby: await told((changed) => changed.searchParams.set('options', '-c default_transaction_read_only=on')),
  }).toEqual({
    right: 'fine',
    port: `No PostgreSQL answers at 127.0.0.1:${port}: start it, or correct DATABASE_URL.`,
    host: 'The host nowhere.invalid of DATABASE_URL is not known: correct DATABASE_URL.',
    user: 'PostgreSQL at 127.0.0.1:<port> does not let courtside in: correct user and password in DATABASE_URL.',
    name: 'The database nothing does not exist at 127.0.0.1:<port>: create it, or correct DATABASE_URL.',
    standby: 'DATABASE_URL leads to a server that only reads: name the primary, and its replicas in DATABASE_REPLICA_URLS.',
  });
});

test('a connection that is cut while it ends does not end the process', async () => {
  const { url } = await emptyDatabase();
  const fields = 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const fatal = Buffer.from(`E\0\0\0${String.fromCharCode(fields.length + 4)}${fields}`);
  const line = createServer((socket) => {
    const onward = connect(Number(new URL(url).port), '127.0.0.1');
    onward.on('data', (said) => socket.write(said));
    socket.on('data', (said) => (said[0] === 0x58 ? socket.end(fatal) : onward.write(said))).on('close', () => onward.destroy());
  }).listen(0, '127.0.0.1');
  await once(line, 'listening');
  closers.push(async () => line.close());
  const through = new URL(url);
  through.search = '';
  through.port = String((line.address() as AddressInfo).port);
  // An uncaught error would fail this run of the tests.
  await expect(reach(through.href)).resolves.toBeUndefined();
});
