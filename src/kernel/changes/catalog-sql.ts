import type { Row } from '../declare/row.js';
import { checkedRows, is } from '../row-shape.js';
import type { RunQuery } from './log-sql.js';

/** Reads the tables with a change log trigger, and the number of migrations as the schema version. */
export async function readCatalog(query: RunQuery): Promise<{ loggedTables: readonly string[]; schemaVersion: string }> {
  const migrations = await query('select count(*)::text as version from mikro_orm_migrations');
  const { rows } = await query(
    `select c.relname::text as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
       and (select count(*) = 2 from pg_trigger t where t.tgrelid = c.oid and t.tgname in ('logged', 'logged_change')
         and t.tgenabled in ('O', 'A'))`,
  );
  const [{ version } = { version: '' }] = checkedRows(migrations.rows as Row[], { version: is.text });
  return { loggedTables: checkedRows(rows as Row[], { name: is.text }).map(({ name }) => name), schemaVersion: version };
}
