import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode } from '../kernel/database-errors.js';
import { StartProblem } from './start-problem.js';

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/** Returns a directory and its missing parents, the topmost first. */
function missingDirectories(path: string): string[] {
  const missing = [path];
  for (let parent = dirname(path); !existsSync(parent); parent = dirname(parent)) missing.unshift(parent);
  return missing;
}

/**
 * Creates a directory and its missing parents. Returns the first directory that it created, or undefined if all directories existed. Throws
 * a StartProblem if a directory cannot be created. `mkdir` with `recursive` never returns on file systems such as `/proc`, which report a
 * missing parent directory although it exists.
 */
export async function createDirectory(path: string, mode?: number): Promise<string | undefined> {
  let first: string | undefined;
  for (const directory of missingDirectories(resolve(path))) {
    try {
      await mkdir(directory, mode);
      first ??= directory;
    } catch (error) {
      if (await isDirectory(directory)) continue;
      throw new StartProblem(
        `${path} cannot be created (${errorCode(error)}): expected a directory that you have permission to create.`,
      );
    }
  }
  return first;
}
