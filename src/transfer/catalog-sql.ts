import type { Client } from 'pg';

/** Reads the columns of tables in the order of their definition, keyed by table. Tables that do not exist are missing. */
export async function columnsOfTables(client: Client, tables: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await client.query(
    `select name, array_agg(attname::text order by attnum) as columns
     from unnest($1::text[]) as name join pg_attribute on attrelid = to_regclass(name)
     where attnum > 0 and not attisdropped group by name`,
    [tables],
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** Returns the names of the sequences, except those of the tables of executed migrations. */
export async function existingSequences(client: Client): Promise<string[]> {
  const { rows } = await client.query(
    `select relname::text as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
       and relname not like 'mikro_orm_migrations%' order by relname`,
  );
  return rows.map(({ name }) => name);
}
