import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Database, emptyDatabase } from './test-database.js';

/** Statements that an administrator runs in a new database, as in docs/backups.md. PostgreSQL 16 contains earthdistance 1.1. */
const statements = [
  'create extension cube',
  `create extension earthdistance version '1.1'`,
  'create extension hstore',
  'create extension pg_trgm',
  'create extension unaccent',
  'alter function ll_to_earth(float8, float8) set search_path = public',
];

/** Creates an empty database with the extensions, as an administrator does for its owner. The owner has no other rights. */
export async function ownedDatabase(): Promise<Database> {
  const database = await emptyDatabase();
  const owner = `owner_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(database.url);
  const administrator = new Client({ connectionString: database.url });
  await administrator.connect();
  await administrator.query(`create role ${owner} login password 'letters'`);
  await administrator.query(`alter database ${url.pathname.slice(1)} owner to ${owner}`);
  for (const statement of statements) await administrator.query(statement);
  await administrator.end();
  return { url: Object.assign(url, { username: owner, password: 'letters' }).href, drop: database.drop };
}
