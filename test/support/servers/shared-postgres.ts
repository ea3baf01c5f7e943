import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { disposableSettings, startEmbedded } from '../../../src/database/embedded.js';
import { templateLock } from './template-lock.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the maintenance database, from which tests create their databases. */
    postgres: string;
    /** A directory for temporary files, which is deleted at the end of the test run. */
    scratch: string;
  }
}

/** Maximum space, in bytes, that the databases of a test run need. */
const requiredBytes = 2e9;

/** Starts one PostgreSQL server for the test run, with a template from which all test databases are copied. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = await mkdtemp(join(tmpdir(), 'courtside-test-'));
  // When tests run as root, PostgreSQL runs as another user, who must be able to enter the directory.
  await chmod(scratch, 0o711);
  const data = await inMemory(scratch);
  // With `clone`, the operating system copies the files of the template, which needs a third of the CPU time.
  const settings = {
    ...disposableSettings,
    max_prepared_transactions: '40',
    file_copy_method: 'clone',
    max_wal_size: '128MB',
    min_wal_size: '32MB',
  };
  // The modules of the migrations load while PostgreSQL starts.
  const [server, { makeTemplate }] = await Promise.all([
    startEmbedded(join(data, 'shared'), { settings }),
    import('./template-database.js'),
  ]);
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(`select pg_advisory_lock(${templateLock})`);
  // Not awaited, so that the workers import the modules at the same time. Tests that copy the template wait for the lock.
  const template = makeTemplate(server.url, client).finally(() => client.end());
  template.catch((error) => console.error('The template database could not be created:', error));
  project.provide('postgres', server.url);
  project.provide('scratch', scratch);
  return async () => {
    await Promise.allSettled([template]);
    await server.stop();
    for (const directory of new Set([data, scratch])) await rm(directory, { recursive: true, force: true });
  };
}

/**
 * Creates a directory in memory, because each copy of the template consists of a thousand files. Returns `fallback` if space or permission
 * is missing.
 */
async function inMemory(fallback: string): Promise<string> {
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }));
  const directory = bavail * bsize < requiredBytes ? null : await mkdtemp('/dev/shm/courtside-test-').catch(() => null);
  if (directory === null) return fallback;
  // PostgreSQL does not run as root. Its user must be able to enter the directory.
  await chmod(directory, 0o711);
  return directory;
}
