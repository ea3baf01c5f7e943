import { Client } from 'pg';

/** Makes sure that the embedded server has the service's database. */
export async function makeDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query("select 1 from pg_database where datname = 'courtside'");
  if (!rowCount) await client.query('create database courtside');
  await client.end();
}
