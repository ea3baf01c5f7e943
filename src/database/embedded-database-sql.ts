import { Client } from 'pg';

/** Creates the database of the service on the embedded server, if it does not exist. Returns whether it is new. */
export async function ensureDatabase(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query("select 1 from pg_database where datname = 'courtside'");
  if (!rowCount) await client.query('create database courtside');
  await client.end();
  return !rowCount;
}

/** Starts a new change log, unless the database has no tables yet. */
export async function renewChangeLog(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select to_regclass('public.change_log') is not null as exists");
  if (rows[0]?.exists) {
    // Dynamic import, because the module loads the declarations of all records.
    const { renewLog } = await import('../kernel/changes/log-sql.js');
    await renewLog((text, values) => client.query(text, values));
  }
  await client.end();
}
