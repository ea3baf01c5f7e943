import { migrations } from '../../migrations/index.js';
import { type Pools, Session } from '../kernel/session.js';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Why requests could not be served from this database, or null when they can: it answers, and has what this release needs. */
export async function notReady(pools: Pools): Promise<string | null> {
  try {
    const rows = await new Session(pools, 'write').rows('select name from mikro_orm_migrations');
    const done = new Set(rows.map(({ name }) => name));
    const missing = migrations.flatMap(({ name }) => (done.has(name) ? [] : [name]));
    return missing.length > 0 ? `the database lacks migrations: ${missing.join(', ')}` : null;
  } catch (error) {
    return codeOf(error) === '42P01' ? 'the database has no migrations' : 'the database cannot be reached';
  }
}
