import { readSql } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import { schema } from '../../messaging/queues.js';

/** The extensions of a database: those that are made in it, and those that its server has. */
export const extensionsOf = (sql: Session): Promise<{ name: string; isMade: boolean }[]> =>
  sql.rows(
    readSql([], 'select name::text as name, installed_version is not null as "isMade" from pg_available_extensions', {
      isVolatile: true,
    }),
    [],
    {
      name: is.text,
      isMade: is.boolean,
    },
  );

/** The version of the server, and its clock, in milliseconds. */
export const serverOf = (sql: Session): Promise<{ version: string; now: number } | null> =>
  sql.row(
    readSql(
      [],
      `select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
      { isVolatile: true },
    ),
    [],
    { version: is.text, now: is.number },
  );

/** Messages that should have left minutes ago, and that nobody has taken. */
export const overdueJobs = async (sql: Session): Promise<number> =>
  (
    await sql.row(
      readSql(
        [`${schema}.job`],
        `select count(*)::int as count from ${schema}.job where name = any($1) and state < 'active' and start_after < now() - interval '10 minutes'`,
        { isVolatile: true },
      ),
      [['mail', 'text']],
      { count: is.number },
    )
  )?.count ?? 0;

/** Where webhooks lead, and why some are paused; none in a database that does not know them yet. */
export async function webhooksByState(sql: Session): Promise<{ url: string; reason: string | null }[]> {
  const [table] = await sql.rows(
    readSql([], `select to_regclass('webhook') is not null as "isThere"`, { isVolatile: true }),
    [],
    { isThere: is.boolean },
  );
  if (!table?.isThere) return [];
  return sql.rows(
    readSql(['webhook'], 'select url, case when paused_at is not null then pause_reason end as reason from webhook'),
    [],
    {
      url: is.text,
      reason: is.orNull(is.text),
    },
  );
}
