import type { Row } from '../declare/row.js';
import { checkedRows, is } from '../row-shape.js';
import type { AskLog } from './log-sql.js';

/** Tables with a change log trigger, and the version of the database. */
export async function catalog(ask: AskLog): Promise<{ logged: readonly string[]; shape: string }> {
  const counted = await ask('select count(*)::text as shape from mikro_orm_migrations');
  const { rows } = await ask(
    `select c.relname::text as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
       and (select count(*) = 2 from pg_trigger t where t.tgrelid = c.oid and t.tgname in ('logged', 'logged_change')
         and t.tgenabled in ('O', 'A'))`,
  );
  const [{ shape } = { shape: '' }] = checkedRows(counted.rows as Row[], { shape: is.text });
  return { logged: checkedRows(rows as Row[], { name: is.text }).map(({ name }) => name), shape };
}
