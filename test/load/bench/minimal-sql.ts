import type { Pool } from 'pg';
import { statements, tournament } from './baseline-sql.js';

export { entryFields } from './baseline-sql.js';

/** Returns a select list in which times are texts in the format of the responses. */
async function withTimes(pool: Pool, table: string, list: string): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = $1 and data_type = 'timestamp with time zone'`,
    [table],
  );
  return rows.reduce(
    (sql, { name }) => sql.replaceAll(`${name} as "`, `to_char(${name}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "`),
    list,
  );
}

/** Returns one statement per route. Each returns the JSON of the response as `body`. */
export async function minimalStatements(pool: Pool) {
  const fields = await withTimes(pool, 'tournament', tournament);
  const listOf = (condition: string) => `
    select '{"totalRecords":"' || (select count(*) from tournament where ${condition}) || '","results":' ||
      coalesce((select json_agg(row_to_json(t)) from (
        select ${fields} from tournament where ${condition} order by starts_at, id limit $1
      ) t)::text, '[]') || '}' as body`;
  return {
    one: `select '{"result":' || row_to_json(t) || '}' as body from (select ${fields} from tournament where id = $1) t`,
    list: listOf('club_id = any($2)'),
    search: listOf(`title ilike '%' || $2 || '%'`),
    states: `select '{"results":' || coalesce(json_agg(row_to_json(s))::text, '[]') || '}' as body from (${statements.states}) s`,
    upsert: `with written as (${await withTimes(pool, 'event_registration', statements.upsert)})
      select '{"result":' || row_to_json(written) || '}' as body from written`,
    nested: statements.nested,
  };
}
