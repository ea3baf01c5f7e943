import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import { schema } from '../../messaging/queues.js';

/** The extensions of a database: those that are made in it, and those that its server has. */
export const extensionsOf = (sql: Session): Promise<{ name: string; isMade: boolean }[]> =>
  sql.rows('select name::text as name, installed_version is not null as "isMade" from pg_available_extensions', [], {
    name: is.text,
    isMade: is.boolean,
  });

/** The version of the server, and its clock, in milliseconds. */
export const serverOf = (sql: Session): Promise<{ version: string; now: number } | null> =>
  sql.row(
    `select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
    [],
    { version: is.text, now: is.number },
  );

/** Messages that should have left minutes ago, and that nobody has taken. */
export const overdueJobs = async (sql: Session): Promise<number> =>
  (
    await sql.row(
      `select count(*)::int as count from ${schema}.job where name = any($1) and state < 'active' and start_after < now() - interval '10 minutes'`,
      [['mail', 'text']],
      { count: is.number },
    )
  )?.count ?? 0;

/** Where webhooks lead, and why some are paused; none in a database that does not know them yet. */
export async function webhooksByState(sql: Session): Promise<{ url: string; reason: string | null }[]> {
  const [table] = await sql.rows(`select to_regclass('webhook') is not null as "isThere"`, [], { isThere: is.boolean });
  if (!table?.isThere) return [];
  return sql.rows('select url, case when paused_at is not null then pause_reason end as reason from webhook', [], {
    url: is.text,
    reason: is.orNull(is.text),
  });
}
