import type { Client } from 'pg';

/** Reads the columns of tables in the order of their definition, keyed by table. Omits tables that do not exist. */
export async function columnsOfTables(client: Client, tables: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await client.query(
    `select name, array_agg(attname::text order by attnum) as columns
     from unnest($1::text[]) as name join pg_attribute on attrelid = to_regclass(name)
     where attnum > 0 and not attisdropped group by name`,
    [tables],
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** Returns the columns of a table as a select list. Decimals are cast to text, because JSON parsers convert numbers to doubles and lose digits. */
export async function selectListOf(client: Client, table: string): Promise<string> {
  const { rows } = await client.query(
    `select string_agg(format(case when atttypid = 'numeric'::regtype then '%1$I::text as %1$I' else '%I' end, attname), ', ' order by attnum) as list
     from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
    [table],
  );
  return rows[0]?.list;
}

/** Returns the names of the sequences, except those of the tables that record executed migrations. */
export async function existingSequences(client: Client): Promise<string[]> {
  const { rows } = await client.query(
    `select relname::text as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
       and relname not like 'mikro_orm_migrations%' order by relname`,
  );
  return rows.map(({ name }) => name);
}
