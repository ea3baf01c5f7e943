import { Migrator } from '@mikro-orm/migrations';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { migrations } from '../../migrations/index.js';
import { StartProblem } from '../process/start-problem.js';
import { databaseName, runExclusively } from './exclusive-sql.js';
import { predatesBaseline } from './ready-sql.js';

/** Runs the pending migrations under a lock, and returns their names. Does nothing if another process has run them. */
export async function runMigrations(orm: MikroORM, list: typeof migrations): Promise<string[]> {
  orm.config.set('migrations', { ...orm.config.get('migrations'), migrationsList: list, silent: true, snapshot: false });
  return runExclusively(orm, 'migrations', async (em) => {
    // Otherwise, the migrator would create a database with the configured name.
    orm.config.set('dbName', await databaseName(em));
    const migrator = new Migrator(orm.em);
    const executedNames = (await migrator.getExecuted()).map(({ name }) => name);
    if (predatesBaseline(new Set(executedNames), list)) {
      throw new StartProblem(
        'The database was created by a development version before 0.1.0 and cannot be upgraded: export the data that you need with that ' +
          'version, delete the embedded database (the directory DATA_DIR, by default .courtside) or set DATABASE_URL to an empty database, ' +
          'and start again.',
      );
    }
    const knownNames = new Set(list.map(({ name }) => name));
    const unknownNames = executedNames.filter((name) => !knownNames.has(name));
    if (unknownNames.length > 0) {
      throw new StartProblem(
        `The database was used by a newer version of Courtside (it has the migration ${unknownNames.at(-1)}, which this version lacks): start the newer version.`,
      );
    }
    const executed = await migrator.up({ transaction: em.getTransactionContext() }).catch(explainError);
    return executed.map(({ name }) => name);
  });
}

function explainError(error: Error & { code?: string }): never {
  if (error.code !== '42501') throw error;
  throw new StartProblem(
    `The user of DATABASE_URL cannot create the extensions or tables of Courtside (${error.message}): let a superuser run ` +
      '"create extension" for cube, earthdistance, hstore, pg_trgm and unaccent in that database once, or make the user its owner.',
  );
}
