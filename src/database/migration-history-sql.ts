import type { PoolClient } from 'pg';

// `mikro_orm_migrations` contains the completed migrations, in the format of MikroORM, which ran the migrations of version 0.1.0. The table
// `migration_progress` exists only while a migration with several steps is incomplete.

const createHistory = `
  create table if not exists mikro_orm_migrations (
    id serial primary key, name varchar(255) not null, executed_at timestamptz(6) not null default current_timestamp(6)
  )`;

const createProgress = `
  create table if not exists migration_progress (migration text primary key, completed_steps int not null)`;

/** Creates the table of completed migrations, if it does not exist, and returns their names. */
export async function readHistory(client: PoolClient): Promise<Set<string>> {
  await client.query(createHistory);
  const { rows } = await client.query('select name from mikro_orm_migrations');
  return new Set(rows.map(({ name }) => name));
}

/** Records that a migration is complete. */
export async function recordMigration(client: PoolClient, name: string): Promise<void> {
  await client.query('insert into mikro_orm_migrations (name) values ($1)', [name]);
  await client.query('drop table if exists migration_progress');
}

/** Returns the number of completed steps of a migration that was interrupted. 0 for other migrations. */
export async function completedSteps(client: PoolClient, name: string): Promise<number> {
  await client.query(createProgress);
  const { rows } = await client.query('select completed_steps as count from migration_progress where migration = $1', [name]);
  return rows[0]?.count ?? 0;
}

/** Records that the first steps of a migration are complete. */
export const recordStep = (client: PoolClient, name: string, count: number): Promise<unknown> =>
  client.query(
    `insert into migration_progress (migration, completed_steps) values ($1, $2)
     on conflict (migration) do update set completed_steps = excluded.completed_steps`,
    [name, count],
  );
