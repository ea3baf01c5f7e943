import { sqlForReading } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import { queueSchema } from '../../messaging/queue-names.js';

/** Returns the extensions that the server provides, and whether each one is installed in the database. */
export const extensionsOf = (sql: Session): Promise<{ name: string; isInstalled: boolean }[]> =>
  sql.rows(
    sqlForReading([], 'select name::text as name, installed_version is not null as "isInstalled" from pg_available_extensions', {
      otherDependency: 'pg_available_extensions',
    }),
    [],
    {
      name: is.text,
      isInstalled: is.boolean,
    },
  );

/** Whether the default collation of the database sorts by code point. */
export const sortsByCodePoint = async (sql: Session): Promise<boolean> =>
  (
    await sql.row(sqlForReading([], `select 'B'::text < 'a'::text as sorted`, { otherDependency: 'collation' }), [], {
      sorted: is.boolean,
    })
  )?.sorted ?? false;

/** Returns the version of the server, and its current time in milliseconds since the Unix epoch. */
export const serverInfoOf = (sql: Session): Promise<{ version: string; now: number } | null> =>
  sql.row(
    sqlForReading(
      [],
      `select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
      { otherDependency: 'current_setting' },
    ),
    [],
    { version: is.text, now: is.number },
  );

/** Returns the number of unsent emails and text messages that have been due for more than 10 minutes. */
export const countOverdueJobs = async (sql: Session): Promise<number> =>
  (
    await sql.row(
      sqlForReading(
        [`${queueSchema}.job`],
        `select count(*)::int as count from ${queueSchema}.job where name = any($1) and state < 'active' and start_after < now() - interval '10 minutes'`,
        { otherDependency: 'now' },
      ),
      [['mail', 'text']],
      { count: is.number },
    )
  )?.count ?? 0;

/** Returns the URL of each webhook and, if the webhook is paused, the reason for the pause. Empty if the table does not exist yet. */
export async function webhookStates(sql: Session): Promise<{ url: string; reason: string | null }[]> {
  const [table] = await sql.rows(
    sqlForReading([], `select to_regclass('webhook') is not null as "exists"`, { otherDependency: 'to_regclass' }),
    [],
    {
      exists: is.boolean,
    },
  );
  if (!table?.exists) return [];
  return sql.rows(
    sqlForReading(['webhook'], 'select url, case when paused_at is not null then pause_reason end as reason from webhook'),
    [],
    {
      url: is.text,
      reason: is.orNull(is.text),
    },
  );
}
