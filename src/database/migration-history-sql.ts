import type { PoolClient } from 'pg';
import type { MigrationClass } from '../../migrations/index.js';
import type { Row } from '../kernel/declare/row.js';
import { checkedRows, is } from '../kernel/row-shape.js';
import { isNewerRelease, release } from '../process/release.js';

// `mikro_orm_migrations` contains the completed migrations of release 0.1.0, in the format of MikroORM, which ran them. `executed_migration`
// contains later migrations, because release 0.1.0 does not start if `mikro_orm_migrations` contains migrations that it does not know. The
// table `migration_progress` exists only while a migration with several steps is incomplete.

const createHistory = `
  create table if not exists mikro_orm_migrations (
    id serial primary key, name varchar(255) not null, executed_at timestamptz(6) not null default current_timestamp(6)
  );
  create table if not exists executed_migration (
    name text primary key, oldest_release text not null, executed_at timestamptz not null default now()
  )`;

const createProgress = `
  create table if not exists migration_progress (migration text primary key, completed_steps int not null)`;

/** Runs an SQL statement and returns its rows. */
export type QueryRows = (text: string) => Promise<readonly Row[]>;

/**
 * Executed migrations, keyed by name. The value is the oldest release that can use the database after the migration. Null for the
 * migrations of release 0.1.0.
 */
export type ExecutedMigrations = ReadonlyMap<string, string | null>;

const tablesQuery = `select to_regclass('mikro_orm_migrations') is not null as "hasFirst", to_regclass('executed_migration') is not null as "hasLater"`;
const firstQuery = 'select name, null as "oldestRelease" from mikro_orm_migrations';
const laterQuery = 'select name, oldest_release as "oldestRelease" from executed_migration';

/** Reads the executed migrations, oldest first. Returns null for a new database. */
export async function readExecutedMigrations(query: QueryRows): Promise<ExecutedMigrations | null> {
  const [tables] = checkedRows(await query(tablesQuery), { hasFirst: is.boolean, hasLater: is.boolean });
  if (!tables?.hasFirst) return null;
  const rows = await query(
    tables.hasLater ? `${firstQuery} union all ${laterQuery} order by name` : `${firstQuery} order by name`,
  );
  const migrations = checkedRows(rows, { name: is.text, oldestRelease: is.orNull(is.text) });
  return new Map(migrations.map(({ name, oldestRelease }) => [name, oldestRelease]));
}

/**
 * Returns the newest executed migration that this release cannot use, with the oldest release that can use the database. Null if this
 * release can use the database.
 */
export function incompatibleMigration(
  executed: ExecutedMigrations,
  list: readonly MigrationClass[],
): { name: string; oldestRelease: string | null } | null {
  const unknown = [...executed].filter(([name]) => !list.some((migration) => migration.name === name));
  const incompatible = unknown.findLast(([, oldestRelease]) => oldestRelease === null || isNewerRelease(oldestRelease, release));
  return incompatible ? { name: incompatible[0], oldestRelease: incompatible[1] } : null;
}

/** Creates the tables of completed migrations if they do not exist, and returns the completed migrations. */
export async function openHistory(client: PoolClient): Promise<ExecutedMigrations> {
  await client.query(createHistory);
  return (await readExecutedMigrations(async (text) => (await client.query(text)).rows)) ?? new Map();
}

/** Records that a migration is complete. */
export async function recordMigration(client: PoolClient, { name, oldestRelease }: MigrationClass): Promise<void> {
  if (oldestRelease === undefined) await client.query('insert into mikro_orm_migrations (name) values ($1)', [name]);
  else await client.query('insert into executed_migration (name, oldest_release) values ($1, $2)', [name, oldestRelease]);
  await client.query('drop table if exists migration_progress');
}

/** Returns the number of completed steps of an interrupted migration. Returns 0 for other migrations. */
export async function completedSteps(client: PoolClient, name: string): Promise<number> {
  await client.query(createProgress);
  const { rows } = await client.query('select completed_steps as count from migration_progress where migration = $1', [name]);
  return rows[0]?.count ?? 0;
}

/** Records that the first `count` steps of a migration are complete. */
export const recordStep = (client: PoolClient, name: string, count: number): Promise<unknown> =>
  client.query(
    `insert into migration_progress (migration, completed_steps) values ($1, $2)
     on conflict (migration) do update set completed_steps = excluded.completed_steps`,
    [name, count],
  );
