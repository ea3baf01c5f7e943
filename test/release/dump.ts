import { gunzipSync, gzipSync } from 'node:zlib';
import type { Client } from 'pg';

/** All rows of a database of the service, and the migrations that made its tables. */
export interface Dump {
  readonly migrations: readonly string[];
  /** Rows by table, as PostgreSQL writes them as JSON. */
  readonly tables: Readonly<Record<string, readonly object[]>>;
}

/** Where migrations keep what was done; it fills itself. */
const kept = 'mikro_orm_migrations';

export const packed = (dump: Dump): Buffer => gzipSync(JSON.stringify(dump), { level: 9 });
export const unpacked = (bytes: Buffer): Dump => JSON.parse(gunzipSync(bytes).toString());

/** Reads all that a database holds. */
export async function dumpOf(client: Client): Promise<Dump> {
  const { rows } = await client.query(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  const names: string[] = rows.map(({ name }) => name).filter((name) => name !== kept);
  const tables: Record<string, object[]> = {};
  for (const name of names)
    tables[name] = (await client.query(`select to_jsonb(t) as row from ${name} t`)).rows.map(({ row }) => row);
  const done = await client.query(`select name from ${kept} order by id`);
  return { migrations: done.rows.map(({ name }) => name), tables };
}

/** Puts the rows of a dump into the tables that its migrations have made, as they are: no trigger and no constraint looks at them. */
export async function restore(client: Client, { tables }: Dump): Promise<void> {
  await client.query('begin; set local session_replication_role = replica');
  for (const [name, rows] of Object.entries(tables)) {
    const { rows: columns } = await client.query(
      "select string_agg(quote_ident(attname), ', ' order by attnum) as written from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''",
      [name],
    );
    const { written } = columns[0];
    await client.query(`delete from ${name}`);
    await client.query(
      `insert into ${name} (${written}) overriding system value select ${written} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
      [JSON.stringify(rows)],
    );
  }
  await client.query('commit');
}
