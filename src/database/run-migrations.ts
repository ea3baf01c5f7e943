import { Migrator } from '@mikro-orm/migrations';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { migrations } from '../../migrations/index.js';
import { StartProblem } from '../start-problem.js';
import { alone, databaseName } from './alone-sql.js';

/** Runs the pending migrations in the turn of this process; nothing when another one was faster. */
export async function runMigrations(orm: MikroORM, list: typeof migrations): Promise<string[]> {
  orm.config.set('migrations', { ...orm.config.get('migrations'), migrationsList: list, silent: true, snapshot: false });
  return alone(orm, 'migrations', async (em) => {
    // The migrator would create the database that it does not find.
    orm.config.set('dbName', await databaseName(em));
    const migrator = new Migrator(orm.em);
    const known = new Set(list.map(({ name }) => name));
    const strangers = (await migrator.getExecuted()).filter(({ name }) => !known.has(name));
    if (strangers.length > 0) {
      throw new StartProblem(
        `The database has been used by a newer Courtside (it knows ${strangers.at(-1)?.name}, this one does not): start that version.`,
      );
    }
    const done = await migrator.up({ transaction: em.getTransactionContext() }).catch(explain);
    return done.map(({ name }) => name);
  });
}

function explain(error: Error & { code?: string }): never {
  if (error.code !== '42501') throw error;
  throw new StartProblem(
    `The user of DATABASE_URL may not create what Courtside needs (${error.message}): let a superuser run ` +
      '"create extension" for cube, earthdistance, hstore, pg_trgm and unaccent in that database once, or make the user its owner.',
  );
}
