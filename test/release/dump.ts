import { gunzipSync, gzipSync } from 'node:zlib';
import type { Client } from 'pg';
import { readExecutedMigrations } from '../../src/database/migration-history-sql.js';

/** Definition of a column, index, constraint, function or trigger. */
interface Definition {
  readonly kind: string;
  readonly name: string;
  readonly definition: string;
}

/** Content of a service database: its schema, all rows, its sequences, and the migrations that created its tables. */
export interface Dump {
  readonly migrations: readonly string[];
  readonly schema: readonly Definition[];
  /** Rows, keyed by table. Each row is JSON from PostgreSQL (`to_jsonb`). */
  readonly tables: Readonly<Record<string, readonly object[]>>;
  /** Last values of the sequences in use. */
  readonly sequences: Readonly<Record<string, string>>;
}

/** Tables of executed migrations. They are not dumped, because the code that runs the migrations creates and fills them. */
const migrationsTables = ['mikro_orm_migrations', 'executed_migration'];

export const packDump = (dump: Dump): Buffer => gzipSync(JSON.stringify(dump), { level: 9 });
export const unpackDump = (bytes: Buffer): Dump => JSON.parse(gunzipSync(bytes).toString());

const schemaQuery = `select * from (
    select 'column' as kind, attrelid::regclass::text || '.' || attname as name,
      concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attgenerated, attidentity, pg_get_expr(adbin, adrelid)) as definition
      from pg_attribute join pg_class on attrelid = pg_class.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    union all select 'index', indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
      join pg_class on indexrelid = pg_class.oid where relnamespace = 'public'::regnamespace
    union all select 'constraint', conrelid::regclass::text || '.' || conname, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select 'function', oid::regprocedure::text, prosrc from pg_proc where pronamespace = 'public'::regnamespace and probin is null
    union all select 'trigger', tgrelid::regclass::text || '.' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  ) definitions where name !~ $1 order by kind collate "C", name collate "C"`;

/** Reads the schema of a database, without the tables of executed migrations. */
export const schemaOf = async (client: Client): Promise<Definition[]> =>
  (await client.query(schemaQuery, [`^(${migrationsTables.join('|')})`])).rows;

/** Reads the schema and all tables of a database. */
export async function dumpOf(client: Client): Promise<Dump> {
  const { rows } = await client.query(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  const names: string[] = rows.map(({ name }) => name).filter((name) => !migrationsTables.includes(name));
  const tables: Record<string, object[]> = {};
  for (const name of names)
    tables[name] = (await client.query(`select to_jsonb(t) as row from ${name} t`)).rows.map(({ row }) => row);
  const { rows: used } = await client.query(
    "select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public' and last_value is not null",
  );
  const sequences = used.filter(({ name }) => !name.startsWith('mikro_orm_migrations')).map(({ name, value }) => [name, value]);
  const executed = await readExecutedMigrations(async (text) => (await client.query(text)).rows);
  return {
    migrations: [...(executed?.keys() ?? [])],
    schema: await schemaOf(client),
    tables,
    sequences: Object.fromEntries(sequences),
  };
}

/**
 * Replaces the rows of all tables with the rows of a dump, and sets the sequences. The replication role `replica` disables triggers and
 * foreign keys.
 */
export async function restore(client: Client, { tables, sequences }: Dump): Promise<void> {
  await client.query('begin; set local session_replication_role = replica');
  for (const [name, rows] of Object.entries(tables)) {
    const { rows: columns } = await client.query(
      "select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''",
      [name],
    );
    const { names } = columns[0];
    await client.query(`delete from ${name}`);
    await client.query(
      `insert into ${name} (${names}) overriding system value select ${names} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
      [JSON.stringify(rows)],
    );
  }
  for (const [name, value] of Object.entries(sequences)) await client.query('select setval($1, $2)', [name, value]);
  await client.query('commit');
}
