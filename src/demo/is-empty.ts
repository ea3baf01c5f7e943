import type { Session } from '../kernel/session.js';

/** Whether the database has no platforms, users and tournaments. It may contain lookup data. */
export async function isEmpty(sql: Session): Promise<boolean> {
  const anyRow = await sql.first(
    sql.db.selectNoFrom(({ exists, or, selectFrom }) =>
      or((['platform', 'app_user', 'tournament'] as const).map((table) => exists(selectFrom(table).select('id')))).as('any'),
    ),
  );
  return !anyRow?.any;
}
