import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { templateLock } from './template-lock.js';

/** The database of one test file. */
export interface Database {
  url: string;
  drop(): Promise<void>;
}

/** Creates a copy of a database. The original must have no open connections. */
export const copyOf = (template: string, name?: string): Promise<Database> =>
  createDatabase(`template ${template} strategy file_copy`, name);

/** Creates a database with all migrations and the reference data. */
export const freshDatabase = (): Promise<Database> => copyOf('template');

/** Creates an empty database, with options of "create database". */
export const emptyDatabase = (options = ''): Promise<Database> => createDatabase(options);

async function createDatabase(options: string, name = `test_${randomUUID().replaceAll('-', '')}`): Promise<Database> {
  await run(`select pg_advisory_lock_shared(${templateLock})`, `create database ${name} ${options}`);
  const url = new URL(inject('postgres'));
  url.pathname = name;
  return { url: url.href, drop: () => drop(name) };
}

let lastDrop: Promise<void> = Promise.resolve();

/** Drops a database in the background, because PostgreSQL waits 100 ms for connections to close. Rejects if the previous drop failed. */
function drop(name: string): Promise<void> {
  const dropBefore = lastDrop;
  lastDrop = run(`drop database ${name} with (force)`);
  lastDrop.catch(() => undefined);
  return dropBefore;
}

async function run(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: inject('postgres') });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
