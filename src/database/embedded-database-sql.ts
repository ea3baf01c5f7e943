import { Client } from 'pg';

/** Creates the database of the service on the embedded server, if it does not exist. */
export async function ensureDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query("select 1 from pg_database where datname = 'courtside'");
  if (!rowCount) await client.query('create database courtside');
  await client.end();
}
