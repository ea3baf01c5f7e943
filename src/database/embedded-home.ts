import { constants, existsSync } from 'node:fs';
import { access, chmod, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartProblem } from '../start-problem.js';
import { type Account, accountFor, mayEnter } from './embedded-account.js';

/** Where the files of an embedded PostgreSQL lie, and as whom it runs. */
export interface Home {
  directory: string;
  account: Account;
}

/** Makes the data directory and returns its real path. */
export async function makeDirectory(dataDir: string): Promise<string> {
  const directory = resolve(dataDir);
  try {
    await mkdir(directory, { recursive: true });
    const isNew = (await readdir(directory)).length === 0;
    // The user as whom PostgreSQL runs for root must pass through; the data inside stay private.
    if (isNew && process.getuid?.() === 0) await chmod(directory, 0o711);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(directory);
  } catch {
    throw new StartProblem(`${directory} cannot be written to: set DATA_DIR to a directory that can.`);
  }
}

/**
 * The home is the data directory itself. If root started the service, and the user as whom PostgreSQL runs may not enter
 * there, it is a directory of its own in a public place, and its path stands in the file `elsewhere`.
 */
export async function settle(directory: string): Promise<Home> {
  const account = await accountFor(join(directory, 'postgres'));
  if (account.uid === undefined || mayEnter(account, directory)) return { directory, account };
  if (existsSync(join(directory, 'postgres'))) {
    throw new StartProblem(
      `${directory} holds a database whose owner may not enter it: move it to where user ${account.uid} may.`,
    );
  }
  const home = (await remembered(directory)) ?? (await newHome(directory));
  await writeFile(join(home, 'of'), directory);
  await writeFile(join(directory, 'elsewhere'), home);
  return { directory: home, account: await accountFor(join(home, 'postgres')) };
}

/** The home that `elsewhere` names, unless that file came with a copy of a directory that is still there. */
async function remembered(directory: string): Promise<string | null> {
  const home = await text(join(directory, 'elsewhere'));
  const of = await text(join(home, 'of'));
  return of !== '' && (of === directory || (await text(join(of, 'elsewhere'))) !== home) ? home : null;
}

async function newHome(directory: string): Promise<string> {
  const place = await publicDirectory();
  for (const other of await readdir(place)) {
    // Whoever deletes the data directory means to delete the data.
    if ((await text(join(place, other, 'of'))) === directory) await rm(join(place, other), { recursive: true });
  }
  const home = await mkdtemp(join(place, 'data-'));
  await chmod(home, 0o755);
  return home;
}

const text = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** A directory that everybody may enter and only root may write to, so that nobody can slip a program into it. */
export async function publicDirectory(): Promise<string> {
  for (const place of ['/var/lib/courtside', '/var/tmp/courtside']) {
    await mkdir(place).catch(() => undefined);
    const found = await lstat(place).catch(() => null);
    if (!found?.isDirectory() || found.uid !== 0) continue;
    await chmod(place, 0o755);
    return realpath(place);
  }
  throw new StartProblem(
    'PostgreSQL needs a directory outside of this one, and /var/lib cannot be written to: set DATABASE_URL.',
  );
}
