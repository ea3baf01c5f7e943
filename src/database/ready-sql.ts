import type { MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../migrations/index.js';
import { readSql } from '../kernel/facts.js';
import { Pools, Session } from '../kernel/session.js';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Names of the migrations that this database has. */
async function executed(pools: Pools): Promise<Set<unknown>> {
  return new Set(
    (await new Session(pools, 'write').rows(readSql(['mikro_orm_migrations'], 'select name from mikro_orm_migrations'))).map(
      ({ name }) => name,
    ),
  );
}

/** Names of the migrations that a database has; null for a new one. */
export async function executedMigrations(orm: MikroORM): Promise<Set<unknown> | null> {
  try {
    return await executed(new Pools(orm));
  } catch (error) {
    if (codeOf(error) === '42P01') return null;
    throw error;
  }
}

/** Why requests could not be served from this database, or null when they can: it answers, and has what this release needs. */
export async function notReady(pools: Pools): Promise<string | null> {
  try {
    const done = await executed(pools);
    const missing = migrations.flatMap(({ name }) => (done.has(name) ? [] : [name]));
    return missing.length > 0 ? `the database lacks migrations: ${missing.join(', ')}` : null;
  } catch (error) {
    return codeOf(error) === '42P01' ? 'the database has no migrations' : 'the database cannot be reached';
  }
}
