import { readSql } from '../../kernel/facts.js';
import type { Session } from '../../kernel/session.js';

/** Waits for its turn to announce something; until the end of the transaction. */
export const lockDeprecations = (sql: Session): Promise<unknown> =>
  sql.rows(
    readSql([], `select pg_advisory_xact_lock(hashtext('courtside deprecations'))`, { volatileBy: 'pg_advisory_xact_lock' }),
  );
