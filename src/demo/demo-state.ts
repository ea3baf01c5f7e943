import type { Config } from '../config/index.js';
import type { Session } from '../kernel/session.js';
import { hashOf } from '../modules/accounts/tokens/secrets.js';
import { StartProblem } from '../process/start-problem.js';
import { demo } from './tokens.js';

/** Whether the database accepts the token of the demo platform. */
export async function hasDemo(sql: Session): Promise<boolean> {
  const platform = await sql.first(
    sql.db
      .selectFrom('platform')
      .select('id')
      .where('token_hash', '=', hashOf(demo.platformToken))
      .where('is_enabled', '=', true),
  );
  return platform !== null;
}

/** Throws if production uses a database with demo data, because its tokens are public. */
export function checkDemoIsAllowed(isInDatabase: boolean, { isProduction }: Pick<Config, 'isProduction'>): void {
  if (isInDatabase && isProduction)
    throw new StartProblem(
      'The database contains demo data with public tokens, which production does not allow: set DATABASE_URL to another database, or set NODE_ENV=development to serve the demo data.',
    );
}

/** Whether the database has no platforms, users and tournaments. It may contain lookup data. */
export async function isDatabaseEmpty(sql: Session): Promise<boolean> {
  const anyRow = await sql.first(
    sql.db.selectNoFrom(({ exists, or, selectFrom }) =>
      or((['platform', 'app_user', 'tournament'] as const).map((table) => exists(selectFrom(table).select('id')))).as('any'),
    ),
  );
  return !anyRow?.any;
}
