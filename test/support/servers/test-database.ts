import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { templateLock } from './template-lock.js';

/** A database of a test's own. */
export interface Database {
  url: string;
  drop(): Promise<void>;
}

/** A database with all migrations and the reference data. */
export const freshDatabase = (): Promise<Database> => createDatabase('template template strategy file_copy');

/** A database with nothing in it. */
export const emptyDatabase = (): Promise<Database> => createDatabase('');

async function createDatabase(options: string): Promise<Database> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await run(`select pg_advisory_lock_shared(${templateLock})`, `create database ${name} ${options}`);
  const url = new URL(inject('postgres'));
  url.pathname = name;
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
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
