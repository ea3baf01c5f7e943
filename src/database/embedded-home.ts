import { constants, existsSync } from 'node:fs';
import { access, chmod, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createDirectory } from '../process/create-directory.js';
import { StartProblem } from '../process/start-problem.js';
import { type Account, accountFor, canEnter } from './embedded-account.js';

/** Directory of the embedded PostgreSQL, and the system user that runs it. */
interface DataHome {
  directory: string;
  account: Account;
}

/** Creates the data directory and returns its real path. */
export async function ensureDirectory(dataDir: string): Promise<string> {
  const directory = resolve(dataDir);
  try {
    await createDirectory(directory);
    const isNew = (await readdir(directory)).length === 0;
    // If this process runs as root, another account runs PostgreSQL and must be able to enter the directory. The data inside remains
    // private.
    if (isNew && process.getuid?.() === 0) await chmod(directory, 0o711);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(directory);
  } catch {
    throw new StartProblem(`${directory} is not writable: set DATA_DIR to a writable directory.`);
  }
}

/**
 * Returns the home directory of the embedded PostgreSQL. It is the data directory, unless this process runs as root and the account cannot
 * enter that directory. In that case, it is a separate public directory, and the file `elsewhere` in the data directory contains its path.
 */
export async function resolveHome(directory: string): Promise<DataHome> {
  const account = await accountFor(join(directory, 'postgres'));
  if (account.uid === undefined || canEnter(account, directory)) return { directory, account };
  if (existsSync(join(directory, 'postgres'))) {
    throw new StartProblem(
      `User ${account.uid} owns the database in ${directory}, but cannot access that directory: move it to a directory that this user can access.`,
    );
  }
  const home = (await existingHome(directory)) ?? (await createHome(directory));
  await writeFile(join(home, 'of'), directory);
  await writeFile(join(directory, 'elsewhere'), home);
  return { directory: home, account: await accountFor(join(home, 'postgres')) };
}

/**
 * Returns the home directory that the file `elsewhere` names. Null if the file does not exist, or if the data directory is a copy of a
 * directory that still exists.
 */
async function existingHome(directory: string): Promise<string | null> {
  const home = await readText(join(directory, 'elsewhere'));
  const owner = await readText(join(home, 'of'));
  return owner !== '' && (owner === directory || (await readText(join(owner, 'elsewhere'))) !== home) ? home : null;
}

async function createHome(directory: string): Promise<string> {
  const publicPath = await createPublicDirectory();
  for (const entry of await readdir(publicPath)) {
    // Deletes the data of a former data directory that had the same path.
    if ((await readText(join(publicPath, entry, 'of'))) === directory) await rm(join(publicPath, entry), { recursive: true });
  }
  const home = await mkdtemp(join(publicPath, 'data-'));
  await chmod(home, 0o755);
  return home;
}

export const readText = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/**
 * Returns a fingerprint that distinguishes a data directory of PostgreSQL from its copies: inode and change time of a file that PostgreSQL
 * never changes. The inode is not sufficient, because file systems reuse inodes. Snapshots of a file system have the same fingerprint.
 */
export async function copyIdentity(data: string): Promise<string> {
  const { ino, ctimeNs } = await stat(join(data, 'PG_VERSION'), { bigint: true });
  return `${ino} ${ctimeNs}`;
}

/** Creates a directory that all users can read and only root can write to, and returns its real path. */
export async function createPublicDirectory(): Promise<string> {
  for (const publicPath of ['/var/lib/courtside', '/var/tmp/courtside']) {
    await mkdir(publicPath).catch(() => undefined);
    const stats = await lstat(publicPath).catch(() => null);
    if (!stats?.isDirectory() || stats.uid !== 0) continue;
    await chmod(publicPath, 0o755);
    return realpath(publicPath);
  }
  throw new StartProblem(
    'PostgreSQL needs a directory outside DATA_DIR, but neither /var/lib nor /var/tmp can be used: set DATABASE_URL.',
  );
}

/**
 * Locks the data directory for this process. Throws a StartProblem if another process uses it. Returns a function that releases the lock.
 *
 * Node has no `flock()`, and a PID file remains after `kill -9`. SQLite locks its file through the kernel, which releases the lock when the
 * process exits. The lock file remains empty.
 */
export async function lockDirectory(directory: string): Promise<() => void> {
  // Imported on demand, because Node 22 prints a warning when it loads the module. With an external database, the module is not needed.
  const { DatabaseSync } = await import('node:sqlite');
  const lock = new DatabaseSync(join(directory, 'lock'));
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!String(error).includes('locked'))
      throw new StartProblem(`${join(directory, 'lock')} is not writable: start Courtside as the owner of that file.`);
    throw new StartProblem(
      `Another Courtside process is using ${directory}: stop it, set DATA_DIR to another directory, or set DATABASE_URL to a database that both can share.`,
    );
  }
  return () => {
    if (lock.isOpen) lock.close();
  };
}
