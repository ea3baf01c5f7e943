import type { Session } from '../kernel/session.js';

/** Whether nobody has used the database yet: it holds reference data at most. */
export async function isEmpty(sql: Session): Promise<boolean> {
  const used = await sql.first(
    sql.db.selectNoFrom(({ exists, or, selectFrom }) =>
      or((['platform', 'app_user', 'tournament'] as const).map((table) => exists(selectFrom(table).select('id')))).as('any'),
    ),
  );
  return !used?.any;
}
