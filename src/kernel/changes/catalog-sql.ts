import type { Row } from '../declare/row.js';
import { is, type RowShaped, shaped } from '../row-shape.js';
import type { AskLog } from './log-sql.js';

const named = {
  name: is.text,
  /** The text of a function; null for what is none, and empty where it has none that could be read. */
  source: is.orNull(is.text),
  /** Every write of its rows is logged. */
  isLogged: is.boolean,
};

/** Something that statements name: a table, or a function. */
export type CatalogName = RowShaped<typeof named>;

/** All that statements may read by its name: tables, and functions of ours, which may read some. */
export async function catalog(ask: AskLog): Promise<{ names: readonly CatalogName[]; shape: string }> {
  const counted = await ask('select count(*)::text as shape from mikro_orm_migrations');
  const { rows } = await ask(
    `select c.relname::text as name, null as source,
            (select count(*) = 2 from pg_trigger t where t.tgrelid = c.oid and t.tgname in ('logged', 'logged_change')
               and t.tgenabled in ('O', 'A')) as "isLogged"
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
     union all
     select p.proname::text, case when p.prosqlbody is null then p.prosrc else '' end, false
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
       and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`,
  );
  const [{ shape } = { shape: '' }] = shaped(counted.rows as Row[], { shape: is.text });
  return { names: shaped(rows as Row[], named), shape };
}
