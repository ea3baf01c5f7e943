import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { afterEach, expect, test } from 'vitest';
import { Migration0018RequiredOwners } from '../../migrations/0018-required-owners.js';
import { migrations } from '../../migrations/index.js';
import { checkDatabase } from '../../src/database/check-database.js';
import { migrate } from '../../src/database/migrate.js';
import { freePort } from '../../src/process/port.js';
import { isNewerRelease, release } from '../../src/process/release.js';
import { emptyDatabase } from '../support/servers/test-database.js';

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

class Added extends Migration {
  static readonly oldestRelease = release;

  override up() {
    this.addSql('alter table first add column note text');
  }
}

class Removed extends Migration {
  static readonly oldestRelease = '1000.0.0';

  override up() {
    this.addSql('alter table first drop column id');
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

test('two processes that start at the same time run each migration once', async () => {
  const { orm } = await database();
  const executed = await Promise.all([migrate(await orm(), [First, Second]), migrate(await orm(), [First, Second])]);
  expect(executed.flat()).toEqual(['First', 'Second']);
});

test('a failed migration is rolled back, earlier migrations stay committed, and the error contains its name', async () => {
  const { orm } = await database();
  const connection = await orm();
  await migrate(connection, [First]);
  await expect(migrate(connection, [First, Second, Broken])).rejects.toThrow('The migration Broken failed: division by zero');
  expect({ tables: await tables(connection), next: await migrate(connection, [First, Second]) }).toEqual({
    tables: ['executed_migration', 'first', 'mikro_orm_migrations', 'second'],
    next: [],
  });
});

test('creates the tables of the job queue, unless it stops before the last migration', async () => {
  const { orm } = await database();
  const connection = await orm();
  const hasQueue = async () => {
    const [row] = await connection.em.fork().execute("select to_regclass('jobs.job') is not null as exists");
    return row?.exists;
  };
  const first = await migrate(connection, [First, Second], { last: 'First' });
  const hasQueueBefore = await hasQueue();
  const second = await migrate(connection, [First, Second]);
  expect({ first, hasQueueBefore, second, hasQueueAfter: await hasQueue() }).toEqual({
    first: ['First'],
    hasQueueBefore: false,
    second: ['Second'],
    hasQueueAfter: true,
  });
});

test('the table of completed migrations has the columns that MikroORM creates', async () => {
  const columns = async (connection: MikroORM) =>
    connection.em
      .fork()
      .execute(
        "select attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid) from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum where attrelid = 'mikro_orm_migrations'::regclass and attnum > 0 order by attnum",
      );
  const [own, other] = [await (await database()).orm(), await (await database()).orm()];
  await migrate(own, [First]);
  await new Migrator(other.em).getExecuted();
  expect(await columns(own)).toEqual(await columns(other));
});

test('rejects a database that a newer version has migrated', async () => {
  const { orm } = await database();
  await migrate(await orm(), [First, Second]);
  await expect(migrate(await orm(), [First])).rejects.toThrow(
    'The database was used by a newer version of Courtside (it has the migration Second, which this version lacks): start the newer version.',
  );
});

test('accepts a database that a newer version has migrated if this release can use it', async () => {
  const { orm } = await database();
  await migrate(await orm(), [First, Added]);
  const accepted = await migrate(await orm(), [First]);
  await migrate(await orm(), [First, Added, Removed]);
  const rejected = await migrate(await orm(), [First, Added]).catch((error: Error) => error.message);
  expect({ accepted, rejected }).toEqual({
    accepted: [],
    rejected:
      'The database was used by a newer version of Courtside (it has the migration Removed, which this version lacks): start version 1000.0.0 or newer.',
  });
});

test('release 0.1.0 does not see later migrations, so it starts on a newer database', async () => {
  const { orm } = await database();
  const connection = await orm();
  await migrate(connection, [First, Added]);
  expect(await connection.em.fork().execute('select name from mikro_orm_migrations')).toEqual([{ name: 'First' }]);
});

test('each later migration declares the oldest release that can use the database, which is not newer than this release', () => {
  const later = migrations.slice(migrations.indexOf(Migration0018RequiredOwners) + 1);
  const oldestReleases = later.map(({ oldestRelease = 'missing' }) => oldestRelease);
  expect(oldestReleases).toEqual(oldestReleases.toSorted((one, other) => (isNewerRelease(one, other) ? 1 : -1)));
  expect(
    later.filter(({ oldestRelease = 'missing' }) => oldestRelease === 'missing' || isNewerRelease(oldestRelease, release)),
  ).toEqual([]);
});

test('the error for an unusable database names the cause and the remedy', async () => {
  const { url } = await database();
  const port = await freePort();
  const messageFor = (change: (url: URL) => void): Promise<string> => {
    const changed = new URL(url);
    changed.search = '';
    change(changed);
    return checkDatabase(changed.href).then(
      () => 'no error',
      (error: Error) => error.message.replaceAll(new URL(url).port, '<port>'),
    );
  };
  expect({
    valid: await messageFor(() => undefined),
    port: await messageFor((changed) => Object.assign(changed, { port })),
    host: await messageFor((changed) => Object.assign(changed, { hostname: 'nowhere.invalid' })),
    user: await messageFor((changed) => Object.assign(changed, { password: 'wrong' })),
    name: await messageFor((changed) => Object.assign(changed, { pathname: '/nothing' })),
    standby: await messageFor((changed) => changed.searchParams.set('options', '-c default_transaction_read_only=on')),
  }).toEqual({
    valid: 'no error',
    port: `PostgreSQL does not respond at 127.0.0.1:${port} (ECONNREFUSED): start it, or correct DATABASE_URL.`,
    host: 'The host nowhere.invalid in DATABASE_URL is unknown (ENOTFOUND): correct DATABASE_URL.',
    user: 'PostgreSQL at 127.0.0.1:<port> rejects the login of courtside (SQLSTATE 28P01): correct the user and the password in DATABASE_URL.',
    name: 'The database nothing does not exist at 127.0.0.1:<port> (SQLSTATE 3D000): create it, or correct DATABASE_URL.',
    standby:
      'DATABASE_URL refers to a read-only server: set DATABASE_URL to the primary server, and DATABASE_REPLICA_URLS to its replicas.',
  });
});

test('a connection that the server terminates during its close does not crash the process', async () => {
  const { url } = await emptyDatabase();
  const fields = 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const fatal = Buffer.from(`E\0\0\0${String.fromCharCode(fields.length + 4)}${fields}`);
  const proxy = createServer((socket) => {
    const upstream = connect(Number(new URL(url).port), '127.0.0.1');
    upstream.on('data', (chunk) => socket.write(chunk));
    const isTerminate = (chunk: Buffer) => chunk[0] === 0x58;
    socket
      .on('data', (chunk) => (isTerminate(chunk) ? socket.end(fatal) : upstream.write(chunk)))
      .on('close', () => upstream.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  closers.push(async () => proxy.close());
  const proxied = new URL(url);
  proxied.search = '';
  proxied.port = String((proxy.address() as AddressInfo).port);
  // An uncaught error would fail the test run.
  await expect(checkDatabase(proxied.href)).resolves.toMatchObject({ info: { isReadOnly: false } });
});
